"""Hardware that others make, each behind the same link as our own: what its protocol means in our words."""

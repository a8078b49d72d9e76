"""What each rule document says: where it says it, what it allows, and who may do what."""

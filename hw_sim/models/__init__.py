"""What each device family does, as plain state machines: no wire, no protocol, no clock."""

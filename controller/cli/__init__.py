"""The felt command, for technicians, testers and supervisors."""

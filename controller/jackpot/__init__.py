"""Prize meter systems: pure rules, and where meters are kept."""

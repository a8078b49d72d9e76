"""Builds the Debian packages of feltd: one for each release and architecture, each in a root of that release."""

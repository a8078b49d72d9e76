"""felt device conform: the conformance suite of the native protocol, for people and for build servers."""

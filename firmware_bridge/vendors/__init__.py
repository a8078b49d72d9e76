"""The bytes of hardware that others make: codecs only, used by our end of the wire and by the simulated devices."""

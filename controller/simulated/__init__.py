"""Tables on simulated devices: the only package that knows that simulators exist."""

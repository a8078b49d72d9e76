"""Tables on simulated devices: `sim://` addresses, a floor of them, and dealers who deal by themselves."""

"""The kinds of addresses, one module each: what such an address may say, and the transport that goes there."""

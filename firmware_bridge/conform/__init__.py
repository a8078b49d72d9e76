"""Tries the promises of docs/protocol.md on a device behind a real wire, and names each broken one by its paragraph."""

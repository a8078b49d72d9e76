"""The asyncio shell: devices in, journal, table, effects out, supervision."""

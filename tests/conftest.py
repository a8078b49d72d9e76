"""What holds for every test: a busy machine makes none of them fail."""

from __future__ import annotations

import asyncio
import os

from hypothesis import HealthCheck, settings

from tests.fair import FairPolicy

# Continuous integration tries the same examples each time; whoever works on the code meets new ones with every run.
settings.register_profile(
    "feltd",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("feltd")

asyncio.set_event_loop_policy(FairPolicy())

"""The loop whose time jumps: exact, in order, the same each time."""

from __future__ import annotations

import asyncio
import os
import threading

from hypothesis import given
from hypothesis import strategies as st

from hw_sim.loop import JumpLoop, run


def test_twenty_minutes_are_exactly_twenty_minutes() -> None:
    async def story() -> float:
        for _ in range(12_000):
            await asyncio.sleep(0.1)
        return asyncio.get_running_loop().time()

    assert run(story()) == 1200.0


def test_time_stands_still_while_anything_is_ready() -> None:
    async def story() -> float:
        loop = asyncio.get_running_loop()
        loop.call_later(1.0, lambda: None)
        for _ in range(1000):
            await asyncio.sleep(0)
        return loop.time()

    assert run(story()) == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_timers_fire_in_order_and_never_early(delays: list[float]) -> None:
    fired: list[tuple[float, float]] = []

    async def sleeper(loop: asyncio.AbstractEventLoop, delay: float) -> None:
        await asyncio.sleep(delay)
        fired.append((delay, loop.time()))

    async def story() -> None:
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(sleeper(loop, delay) for delay in delays))

    run(story())
    assert [delay for delay, _ in fired] == sorted(delays)
    assert all(time >= delay - 2e-9 for delay, time in fired)


@given(st.floats(0, 1e7), st.floats(1e-12, 10))
def test_sleeping_the_rest_always_gets_there(start: float, rest: float) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(start)
        deadline = loop.time() + rest
        for _ in range(5):
            if loop.time() >= deadline:
                return
            await asyncio.sleep(deadline - loop.time())
        raise AssertionError("time does not move")

    run(story())


def test_the_same_story_runs_the_same_way() -> None:
    async def story() -> list[tuple[int, float]]:
        loop = asyncio.get_running_loop()
        log: list[tuple[int, float]] = []

        async def worker(number: int) -> None:
            for step in range(20):
                await asyncio.sleep((number * 7 + step * 3) % 5 / 10)
                log.append((number, loop.time()))

        await asyncio.gather(*(worker(number) for number in range(10)))
        return log

    assert run(story()) == run(story())


def test_what_can_be_read_comes_before_the_next_timer() -> None:
    async def story() -> list[str]:
        loop = asyncio.get_running_loop()
        log: list[str] = []
        ours, theirs = os.pipe()
        loop.add_reader(ours, lambda: log.append(os.read(ours, 9).decode()))
        loop.call_later(0.001, log.append, "timer")
        os.write(theirs, b"bytes")
        await asyncio.sleep(1)
        loop.remove_reader(ours)
        os.close(ours)
        os.close(theirs)
        return log

    assert run(story()) == ["bytes", "timer"]


def test_work_in_a_thread_holds_the_clock() -> None:
    async def story() -> float:
        loop = asyncio.get_running_loop()
        started, may_end = threading.Event(), threading.Event()

        def work() -> None:
            started.set()
            may_end.wait(10)

        timer = loop.call_later(3600, lambda: None)
        job = loop.run_in_executor(None, work)
        started.wait(10)
        await asyncio.sleep(0)
        may_end.set()
        await job
        timer.cancel()
        return loop.time()

    assert run(story()) == 0.0


def test_it_waits_for_another_thread_when_there_is_no_timer() -> None:
    async def story() -> str:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[str] = loop.create_future()
        thread = threading.Thread(target=lambda: loop.call_soon_threadsafe(future.set_result, "done"))
        thread.start()
        result = await future
        thread.join()
        return result

    assert run(story()) == "done"
    loop = JumpLoop()
    loop.close()
    assert loop.is_closed()

"""Signals: an ordered end first, and what is ignored stays ignored."""

import asyncio
import os
import signal
import threading

from codeagent_tui.headless.interruptions import Interruptions


async def test_a_signal_calls_stop_on_the_loop() -> None:
    stopped = asyncio.Event()
    with Interruptions() as interruptions:
        interruptions.on_stop(stopped.set)
        os.kill(os.getpid(), signal.SIGTERM)
        async with asyncio.timeout(5):
            await stopped.wait()
    assert interruptions.wanted


async def test_a_signal_wakes_a_loop_that_sleeps() -> None:
    stopped = asyncio.Event()
    with Interruptions() as interruptions:
        interruptions.on_stop(stopped.set)
        # Taken by another thread, it does not end the main thread's system call: the loop must be woken. (The moment's
        # delay lets it fall asleep first; without it this test could only pass.)
        threading.Timer(0.05, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM)).start()
        async with asyncio.timeout(5):
            await stopped.wait()


async def test_a_signal_that_came_early_is_not_forgotten() -> None:
    stopped = asyncio.Event()
    with Interruptions() as interruptions:
        os.kill(os.getpid(), signal.SIGINT)
        interruptions.on_stop(stopped.set)
        async with asyncio.timeout(5):
            await stopped.wait()


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Interruptions():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruptions() as interruptions:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not interruptions.wanted
    finally:
        signal.signal(signal.SIGHUP, before)


async def test_a_second_signal_does_not_disturb_the_ordered_end() -> None:
    calls: list[str] = []
    with Interruptions() as interruptions:
        interruptions.on_stop(lambda: calls.append("stop"))
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert calls == ["stop"]

"""The command `demo`: which signals end it while it builds its community."""

import argparse
import asyncio
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cogs.demo import command


@pytest.fixture
def kept_signals() -> Iterator[None]:
    """Restore what this process does on these signals."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def demo(monkeypatch, tmp_path, kept_signals):
    """Return a function that runs the demo with another way to build its community."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(
        command.gc, "freeze", lambda: None
    )  # it would freeze this test run's objects

    def run(build) -> None:
        monkeypatch.setattr(command, "build_community", build)
        options = argparse.Namespace(keep=False, port=0, open=False)
        asyncio.run(command.run_demo(lambda line: None, options))

    return run


async def forever() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("swallowed", [0, 2])
def test_one_signal_ends_the_build_even_if_a_library_swallows_it(
    demo, monkeypatch, tmp_path: Path, number: int, swallowed: int
):
    monkeypatch.setattr(command, "CANCEL_AGAIN_S", 0.0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a test run under nohup ignores it
    cancellations = []

    async def build(settings, community, **progress) -> None:
        signal.raise_signal(number)
        for _ in range(swallowed):
            try:
                await forever()
            except asyncio.CancelledError:
                cancellations.append(number)
        await forever()

    with pytest.raises(asyncio.CancelledError):
        demo(build)
    assert len(cancellations) == swallowed
    assert not list(tmp_path.iterdir())

"""When the database file is compacted after erasures, and for how long it rests in between."""

import asyncio

from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.common.errors import DatabaseUnavailable
from utils.database.core import error_codes
from utils.database.core.scrubber import GATHER_S, Scrubber

SMALL, LARGE = 1_000, 64 * 1024**2 + 1


class Compaction:
    """Compactions of a file; each takes ``takes_s`` and then fails with ``error``, if there is
    one."""

    def __init__(self, file_bytes=SMALL, takes_s=0.0):
        self.clock = ManualClock()
        self.file_bytes, self.takes_s, self.error = file_bytes, takes_s, None
        self.runs = []
        self.scrubber = Scrubber(self._compact, lambda: self.file_bytes, self.clock)

    async def _compact(self, *, rebuild):
        self.runs.append(rebuild)
        if self.takes_s:
            await self.clock.sleep(self.takes_s)
        if self.error is not None:
            raise self.error


async def begin(file):
    """Let the background run that was requested begin."""
    await file.clock.until_asleep(GATHER_S)
    file.clock.advance(GATHER_S)
    await settle()


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


@each_row(("takes_s", "rest_s"), [(0.5, 9.5), (2.0, 38.0), (10.0, 45.0)])
async def test_in_the_background_it_rests_nineteen_times_as_long_but_under_a_minute(
    takes_s, rest_s
):
    file = Compaction(takes_s=takes_s)
    file.scrubber.request()
    await begin(file)
    file.scrubber.request()  # while it compacts: that run may have begun too early
    file.clock.advance(takes_s)
    await settle()
    file.clock.advance(rest_s - 0.01)
    await settle()
    assert len(file.runs) == 1
    file.clock.advance(0.02)
    await settle()
    assert len(file.runs) == 2
    file.clock.advance(takes_s)
    await settle()
    assert file.scrubber._background.done()


async def test_requests_before_a_run_share_it():
    file = Compaction()
    for _ in range(5):
        file.scrubber.request()
    await begin(file)
    await file.scrubber._background
    assert file.runs == [True]


async def test_a_large_file_is_compacted_once_and_rebuilt_at_night():
    file = Compaction(LARGE)
    file.scrubber.request()
    await begin(file)
    await file.scrubber._background
    assert file.runs == [False]
    assert await file.scrubber.scrub() is False
    assert await file.scrubber.scrub(at_most_bytes=LARGE) is True
    assert file.runs == [False, False, True]


async def test_a_locked_file_is_tried_three_times_and_left_to_the_night(caplog):
    file = Compaction()
    file.error = DatabaseUnavailable(error_codes.LOCKED)
    file.scrubber.request()
    for _ in range(5):
        await settle()
        file.clock.advance(60)
    await settle()
    assert file.runs == [True] * 3
    assert caplog.text.count("may linger on the disk until tonight") == 3
    file.error = None
    assert await file.scrubber.scrub() is True

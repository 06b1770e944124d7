"""A database whose compaction waits until the test lets it go on."""

import asyncio

from utils.database.core.engine import Database


class HeldCompaction:
    """``begun`` is set when a compaction begins; each waits for ``go_on``."""

    def __init__(self) -> None:
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.ended = 0


def hold_compaction(database: Database) -> HeldCompaction:
    """Make every compaction of a database wait for ``go_on``, as if its file were huge."""
    compact, held = database._scrubber._compact, HeldCompaction()

    async def wait_and_compact(*, rebuild: bool) -> None:
        held.begun.set()
        await held.go_on.wait()
        await compact(rebuild=rebuild)
        held.ended += 1

    database._scrubber._compact = wait_and_compact
    return held

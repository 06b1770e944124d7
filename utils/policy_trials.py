"""Trying policies of recall on exchanges whose evidence is known, and searching better weights.

Nothing is written, and no use is counted. All but comparing a few is slow: the command line's.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path

from utils.clock import Clock
from utils.database.engine import Database
from utils.errors import BadInput
from utils.memory import replay, replay_data, replay_files, tune
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.comparing import Comparison as Comparison
from utils.memory.comparing import compare
from utils.memory.composing import Rules
from utils.memory.policy import ReadPolicy
from utils.memory.replay import Exchange, is_held_out
from utils.memory.replay import Table as Table
from utils.memory.replay_recorded import Recorded, recorded
from utils.memory.safety import refusal_reason
from utils.memory.tune import Proposal

MOST_COMPARED = 30  # exchanges: somebody waits for it,
LONGEST_COMPARING_S = 1.0  # and after so long no further one is begun
FEW = 10  # conversations, below which intervals are too narrow (bootstrap.py)
MOST_VERDICTS = 20_000
SHARE_OF_SEARCH = 0.7  # of the time; the rest is for thresholds
NO_FILE = "{file} cannot be read as LoCoMo's or RealMem's JSON: {why}."
NOTHING_TO_FIT_ON = (
    "There is nothing to fit on: no exchange of a conversation that may be fitted on. "
    "Name files with --data, or wait until members under lasting consent have talked more."
)


@dataclass(frozen=True, slots=True)
class Trial:
    """How policies did on the fitting set and on the holdout; None where that is empty."""

    fitting: Table | None
    holdout: Table | None


class PolicyTrials:
    """Replays exchanges of files, or those that are recorded."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
    ) -> None:
        self._database = database
        self._clock = clock
        may_tell = lru_cache(MOST_VERDICTS)(lambda text: refusal_reason(text, forbidden) is None)
        self._rules = Rules(may_tell=may_tell)
        self._comparing = asyncio.Lock()  # one at a time: replies want the processor too

    async def evaluate(
        self,
        policies: Mapping[str, ReadPolicy],
        files: Sequence[Path] = (),
        guild_id: int | None = None,
    ) -> Trial:
        """Return how policies do on the conversations of these files, else on what is recorded.

        Raises BadInput for a file that is none.
        """
        members = await self._recorded(files, guild_id)
        return await asyncio.to_thread(self._evaluate, policies, files, members)

    async def compare(
        self,
        before: ReadPolicy,
        after: ReadPolicy,
        is_gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> Comparison:
        """Return how two policies recall the newest recorded exchanges, with evidence or without:
        MOST_COMPARED, or as many as LONGEST_COMPARING_S is enough for.

        ``is_gone`` tells, once its turn has come, whether who asked has left: then it is none.
        """
        unit = partial(recorded, now=self._clock.now(), most=MOST_COMPARED)
        async with self._comparing:
            if is_gone is not None and await is_gone():
                return compare(before, after, (), self._rules)
            members = await self._database.read(unit)
            return await asyncio.to_thread(self._compare, before, after, members)

    async def tune(
        self,
        active: ReadPolicy,
        minutes: float,
        seed: int,
        files: Sequence[Path] = (),
        guild_id: int | None = None,
    ) -> Proposal:
        """Search weights and thresholds on the fitting set, within that time.

        Raises BadInput for a file that is none, or where there is nothing to fit on.
        """
        members = await self._recorded(files, guild_id)
        return await asyncio.to_thread(self._tune, active, minutes, seed, files, members)

    async def _recorded(self, files: Sequence[Path], guild_id: int | None) -> list[Recorded]:
        if files:
            return []
        unit = partial(recorded, now=self._clock.now(), guild_id=guild_id)
        return await self._database.read(unit)

    def _rules_for(self, files: Sequence[Path]) -> Rules:
        """Return what may be told: of files, which are nobody's here, everything."""
        return Rules() if files else self._rules

    def _evaluate(
        self,
        policies: Mapping[str, ReadPolicy],
        files: Sequence[Path],
        members: Sequence[Recorded],
    ) -> Trial:
        found = []
        for held_out in (False, True):
            some = _of(files, members, held_out=held_out)
            values = replay.evaluate(policies, some, self._rules_for(files), self._clock.monotonic)
            table = replay.table(values)
            found.append(table if table.exchanges else None)
        return Trial(*found)

    def _compare(
        self, before: ReadPolicy, after: ReadPolicy, members: Sequence[Recorded]
    ) -> Comparison:
        until = self._clock.monotonic() + LONGEST_COMPARING_S
        asked = [(one, event, answer) for one in members for event, answer in one.asked]
        asked.sort(key=lambda each: each[1].id, reverse=True)
        in_time = takewhile(lambda _: self._clock.monotonic() < until, asked)
        found = (one.exchange(event, answer) for one, event, answer in in_time)
        return compare(before, after, found, self._rules)

    def _tune(
        self,
        active: ReadPolicy,
        minutes: float,
        seed: int,
        files: Sequence[Path],
        members: Sequence[Recorded],
    ) -> Proposal:
        until = self._clock.monotonic() + minutes * 60.0
        prepared = tune.cases(_of(files, members, held_out=False), active)
        if not prepared:
            raise BadInput(NOTHING_TO_FIT_ON)
        now = self._clock.monotonic
        search_until = now() + SHARE_OF_SEARCH * (until - now())
        found = tune.search(prepared, active, seed=seed, until=search_until, monotonic=now)
        return tune.with_thresholds(
            found, [one.exchange for one in prepared], self._rules_for(files), until, now
        )


def _of(
    files: Sequence[Path], members: Sequence[Recorded], *, held_out: bool
) -> Iterator[Exchange]:
    """Return the exchanges of one side of the split, a conversation at a time."""
    for member in members:
        if is_held_out(member.conversation) is held_out:
            yield from member.exchanges()
    for file in files:
        try:
            _, conversations = replay_data.load(file)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, LookupError) as error:
            raise BadInput(NO_FILE, file=file, why=type(error).__name__) from None
        for one in conversations:
            if is_held_out(one.name) is held_out:
                yield from replay_files.exchanges(one)

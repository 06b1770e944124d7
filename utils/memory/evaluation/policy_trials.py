"""Tries recall policies on exchanges whose evidence is known, and searches better weights.

It writes nothing and counts no use. Everything except comparing a few exchanges is slow and meant
for the command line.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.database.core.engine import Database
from utils.memory.evaluation import dialogue_exchanges, replay, tuning
from utils.memory.evaluation.comparison import Comparison as Comparison
from utils.memory.evaluation.comparison import compare
from utils.memory.evaluation.recorded_exchanges import RecordedMember, recorded
from utils.memory.evaluation.replay import Exchange, is_held_out
from utils.memory.evaluation.replay import Table as Table
from utils.memory.evaluation.tuning import Proposal
from utils.memory.policy.categories import Category
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.pipeline import Rules
from utils.memory.safety.filter import refusal_reason

MAX_COMPARED = 30  # exchanges; a page waits for the result
MAX_COMPARING_S = 1.0  # no further exchange is started after this time
FEW = 10  # conversations, below which intervals are too narrow (bootstrap.py)
MAX_SAFETY_RESULTS = 20_000
SHARE_OF_SEARCH = 0.7  # of the time; the rest is for thresholds
NO_FILE = (
    "{file} is not a file of exchanges ({why}). Convert LoCoMo's or RealMem's JSON with "
    "`python -m benchmarks.datasets.convert FILE`."
)
NOTHING_TO_FIT_ON = (
    "There is nothing to fit on: no exchange of a conversation that may be fitted on. "
    "Name files with --data, or wait until members under lasting consent have talked more."
)


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of policies on the fitting set and on the holdout; None if a set is empty."""

    fitting: Table | None
    holdout: Table | None


class PolicyTrials:
    """Replays exchanges from files, or recorded ones."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        forbidden: frozenset[Category],
    ) -> None:
        self._database = database
        self._clock = clock
        may_tell = lru_cache(MAX_SAFETY_RESULTS)(
            lambda text: refusal_reason(text, forbidden) is None
        )
        self._rules = Rules(may_tell=may_tell)
        self._comparing = asyncio.Lock()  # one at a time: replies want the processor too

    async def evaluate(
        self,
        policies: Mapping[str, RecallPolicy],
        files: Sequence[Path] = (),
        guild_id: int | None = None,
    ) -> Trial:
        """Return the results of policies on these files, or else on recorded exchanges.

        Raises BadInput for a file in another format.
        """
        members = await self._recorded(files, guild_id)
        return await asyncio.to_thread(self._evaluate, policies, files, members)

    async def compare(
        self,
        before: RecallPolicy,
        after: RecallPolicy,
        is_gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> Comparison:
        """Return how two policies recall the newest recorded exchanges.

        At most MAX_COMPARED, or as many as fit in MAX_COMPARING_S.

        Args:
            is_gone: whether the client has disconnected; if so, nothing is compared.
        """
        unit = partial(recorded, now=self._clock.now(), limit=MAX_COMPARED)
        async with self._comparing:
            if is_gone is not None and await is_gone():
                return compare(before, after, (), self._rules)
            members = await self._database.read(unit)
            return await asyncio.to_thread(self._compare, before, after, members)

    async def tune(
        self,
        active: RecallPolicy,
        minutes: float,
        seed: int,
        files: Sequence[Path] = (),
        guild_id: int | None = None,
    ) -> Proposal:
        """Search better weights and thresholds on the fitting set for this many minutes.

        Raises BadInput for a file in another format, or if there is nothing to fit on.
        """
        members = await self._recorded(files, guild_id)
        return await asyncio.to_thread(self._tune, active, minutes, seed, files, members)

    async def _recorded(self, files: Sequence[Path], guild_id: int | None) -> list[RecordedMember]:
        if files:
            return []
        unit = partial(recorded, now=self._clock.now(), guild_id=guild_id)
        return await self._database.read(unit)

    def _rules_for(self, files: Sequence[Path]) -> Rules:
        """Return the rules; dialogues from files are not filtered, as they are public data."""
        return Rules() if files else self._rules

    def _evaluate(
        self,
        policies: Mapping[str, RecallPolicy],
        files: Sequence[Path],
        members: Sequence[RecordedMember],
    ) -> Trial:
        tables = []
        for held_out in (False, True):
            exchanges = _of(files, members, held_out=held_out)
            values = replay.evaluate(
                policies, exchanges, self._rules_for(files), self._clock.monotonic
            )
            table = replay.table(values)
            tables.append(table if table.exchanges else None)
        return Trial(*tables)

    def _compare(
        self, before: RecallPolicy, after: RecallPolicy, members: Sequence[RecordedMember]
    ) -> Comparison:
        until = self._clock.monotonic() + MAX_COMPARING_S
        answered = [
            (member, event, answer) for member in members for event, answer in member.answered
        ]
        answered.sort(key=lambda entry: entry[1].id, reverse=True)
        in_time = takewhile(lambda _: self._clock.monotonic() < until, answered)
        exchanges = (member.exchange(event, answer) for member, event, answer in in_time)
        return compare(before, after, exchanges, self._rules)

    def _tune(
        self,
        active: RecallPolicy,
        minutes: float,
        seed: int,
        files: Sequence[Path],
        members: Sequence[RecordedMember],
    ) -> Proposal:
        until = self._clock.monotonic() + minutes * 60.0
        prepared = tuning.cases(_of(files, members, held_out=False), active)
        if not prepared:
            raise BadInput(NOTHING_TO_FIT_ON)
        now = self._clock.monotonic
        search_until = now() + SHARE_OF_SEARCH * (until - now())
        proposal = tuning.search(prepared, active, seed=seed, until=search_until, monotonic=now)
        return tuning.with_thresholds(
            proposal, [case.exchange for case in prepared], self._rules_for(files), until, now
        )


def _of(
    files: Sequence[Path], members: Sequence[RecordedMember], *, held_out: bool
) -> Iterator[Exchange]:
    """Yield the exchanges of the fitting set or the holdout, one conversation at a time."""
    for member in members:
        if is_held_out(member.conversation) is held_out:
            yield from member.exchanges()
    for file in files:
        try:
            dialogues = dialogue_exchanges.load(file)
        except (OSError, ValueError) as error:
            raise BadInput(NO_FILE, file=file, why=type(error).__name__) from None
        for dialogue in dialogues:
            if is_held_out(dialogue.name) is held_out:
                yield from dialogue_exchanges.exchanges(dialogue)

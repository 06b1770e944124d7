"""The daily token budget of each server and of each member in it.

A server's budget starts again at midnight UTC. Two fifths of it are for reading for memory, the
rest is for answers and everything else, so that neither takes the other's tokens. Once half of the
whole budget is spent, one member may spend at most a fifth of either part. Direct messages have no
server: there, each member always has that fifth. What no member asked for may take at most half of
its part.

Running calls reserve their maximum cost, so that concurrent calls cannot exceed the budget. No call
waits for the database to store what it cost: that is written within a second, and what other
processes spent is read as often, and at each call once a limit is near. While the database is away,
this process adds what it spends to the last known numbers; where none are known, a part of the
budget counts as spent. The numbers are written when the database is back.
"""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import BudgetSpent, DatabaseError, Logged, ModelError, OutOfRoom
from utils.common.text import estimate_tokens
from utils.database.admin import token_usage
from utils.database.core.engine import Connection, Database, DatabaseService
from utils.llm.token_calibration import TokenCalibration
from utils.models.llm import ChatMessage, Completion, ToolResult, Usage
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Member
from utils.runtime.metrics import Metrics, error_label
from utils.runtime.stopping import cancel, finish

MEMBER_SHARE = 1 / 5
MEMBER_SHARE_FROM = 1 / 2
"""Part of a day's budget that has to be spent before a member is held to their share."""
SERVER_SHARE = 1 / 2
READING_SHARE = 2 / 5
UNKNOWN_SHARE = 1 / 2
"""Part of a day's budget that counts as spent while it cannot be looked up."""
MAX_KNOWN = 10_000
WRITE_AFTER_S = 1.0
MAX_READS = 3
READ_AFTER_S = 1.0
READ_EACH_TIME_FROM = 3 / 4
"""Part of a limit that has to be spent before each call looks up what other processes spent."""
REFUSAL_HOLDS = timedelta(minutes=20)
EXTRACTION = "extraction"
VERIFICATION = "verification"
EPISODE = "episode"
READING = frozenset({EXTRACTION, VERIFICATION, EPISODE})
UNFIT = "unfit"
NO_ROOM = "no room"
REFUSED = "refused"

Answer = TypeVar("Answer", Completion, ToolResult)
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class TokenReservation:
    """Tokens reserved for one call; set ``usage`` to what the call really cost."""

    usage: Usage = field(default_factory=lambda: Usage(0, 0))


@dataclass(frozen=True, slots=True)
class _Use:
    """Who spends tokens, on which day, for what, and on which model ("": not known)."""

    member: Member
    day: date
    purpose: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class _Account:
    """What is added up: a server's tokens, or those of one part or one user in it.

    ``reads``: the part that is for reading for memory, or the rest; None: both.
    """

    guild_id: int
    reads: bool | None = None
    user_id: int | None = None

    def covers(self, member: Member, purpose: str) -> bool:
        """Whether it includes what is spent by a member for a purpose."""
        return (
            self.guild_id == member.guild_id
            and self.reads in (None, purpose in READING)
            and self.user_id in (None, member.user_id)
        )


class TokenBudget(DatabaseService):
    """Counts what model calls spend, in the database, so that all processes share one budget.

    ``calibration`` turns estimates into what this endpoint counts.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        daily_tokens: int,
        calibration: TokenCalibration,
        metrics: Metrics,
    ) -> None:
        super().__init__(database, clock)
        self.calibration = calibration
        self._metrics = metrics
        self._thoughts: Counter[str] = Counter()  # tokens that the last answer took beyond its own
        self._refused_at: dict[tuple[Member, str], datetime] = {}
        self._daily_tokens = daily_tokens
        self._held: Counter[_Account] = Counter()
        self._unwritten: dict[_Use, tuple[int, Usage]] = {}
        self._writing: dict[_Use, tuple[int, Usage]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._later: asyncio.Task[None] | None = None
        self._known: BoundedDict[tuple[_Account, date], int] = BoundedDict(MAX_KNOWN)
        self._read_at: BoundedDict[tuple[_Account, date], float] = BoundedDict(MAX_KNOWN)
        self._written: BoundedDict[tuple[_Account, date], int] = BoundedDict(MAX_KNOWN)

    @asynccontextmanager
    async def hold(
        self,
        member: Member,
        purpose: str,
        prompt_tokens: int,
        answer_tokens: int,
        *,
        share: float | None = None,
    ) -> AsyncIterator[TokenReservation]:
        """Reserve the maximum cost of a call by ``member``; store its real cost when it ends.

        ``prompt_tokens`` is our estimate, which is calibrated here. ``share`` is which part of the
        tokens for this purpose the member may spend, if it is not MEMBER_SHARE or, for the server
        itself, SERVER_SHARE. A cancelled call counts as its prompt. Raises
        BudgetSpent, naming whose budget it is, before anything is called.
        """
        prompt_tokens = self.calibration.real(prompt_tokens)
        tokens = prompt_tokens + answer_tokens
        accounts = _accounts(member, purpose)
        held = [self._held[account] for account in accounts]
        self._held.update(dict.fromkeys(accounts, tokens))
        hold = TokenReservation()
        try:
            # Held before spent: a call that ends in between counts twice rather than not at all,
            # and of many that begin at once the first that fit go ahead.
            await self._check(member, purpose, share, tokens, held)
            self._refused_at.pop((member, purpose), None)
            try:
                with self._metrics.measure_model_call(purpose, lambda: hold.usage):
                    try:
                        yield hold
                    except ModelError as error:  # it has cost something all the same
                        hold.usage = error.usage or hold.usage
                        raise
                    except asyncio.CancelledError:
                        hold.usage = Usage(prompt_tokens, 0)
                        raise
            finally:
                if hold.usage.total:
                    self._count(member, purpose, hold.usage)
        finally:
            self._held.subtract(dict.fromkeys(accounts, tokens))
            self._held += Counter()  # drops what has come down to zero

    async def ask(
        self,
        payer: Member,
        purpose: str,
        messages: Sequence[ChatMessage],
        max_tokens: int,
        send: Callable[..., Awaitable[Answer]],
        *,
        extra_tokens: int = 0,
        share: float | None = None,
        **options: Any,
    ) -> Answer:
        """Return the answer to messages, which ``send`` gets, within a member's budget.

        Args:
            payer: the member.
            purpose: as in the statistics of the operator.
            max_tokens: of the answer; ``send`` gets it too.
            extra_tokens: what the prompt has besides the messages.
            share: as in :meth:`hold`, whose errors this raises.
            options: what else ``send`` gets.
        """
        tokens = extra_tokens + sum(estimate_tokens(message.text) for message in messages)
        answer_tokens = max_tokens + self._thoughts[purpose]
        try:
            async with self.hold(payer, purpose, tokens, answer_tokens, share=share) as hold:
                answer = await send(messages, max_tokens=max_tokens, **options)
                hold.usage = answer.usage
        except OutOfRoom as error:
            self._count(payer, NO_ROOM, Usage(0, 0))
            _log.warning("%s is not done for now: %s", purpose, error.for_operator)
            raise
        self._thoughts[purpose] = max(0, answer.usage.completion_tokens - max_tokens)
        return answer

    async def require(self, member: Member, purpose: str, tokens: int) -> None:
        """Raise BudgetSpent if a call of so many tokens will be refused, whatever call ends now."""
        await self._check(member, purpose, None, tokens, (0, 0, 0))

    def is_spent(self, member: Member, purpose: str) -> bool:
        """Whether this member's last call for ``purpose`` was refused within the last 20 minutes.

        Waiting messages are tried every ten minutes. Calls for other purposes may be smaller, so
        they do not count.
        """
        at = self._refused_at.get((member, purpose))
        return at is not None and self._clock.now() - at < REFUSAL_HOLDS

    def count_unfit(self, member: Member) -> None:
        """Count an answer that the output filter withheld; its text is not stored."""
        self._count(member, UNFIT, Usage(0, 0))

    async def _check(
        self, member: Member, purpose: str, share: float | None, tokens: int, held: Sequence[int]
    ) -> None:
        """Raise BudgetSpent, and count the refusal, if there are not so many tokens left.

        ``held``: what other calls hold of the accounts that it goes to.
        """
        is_server = member.user_id == SERVER_USER_ID
        if share is None:
            share = SERVER_SHARE if is_server else MEMBER_SHARE
        part = self._daily_tokens * (READING_SHARE if purpose in READING else 1 - READING_SHARE)
        limits = (self._daily_tokens, part, part * share)
        now = self._clock.now()
        spent = await self._look_up(member, purpose, limits, now.date())
        in_all, in_part, by_member = map(sum, zip(spent, held, strict=True))
        is_shared = member.guild_id != DIRECT_MESSAGES
        is_empty = is_shared and in_part + tokens > part
        has_share = is_server or not is_shared or in_all >= self._daily_tokens * MEMBER_SHARE_FROM
        if is_empty or (has_share and by_member + tokens > part * share):
            error = BudgetSpent(
                is_share=not is_empty,
                until=datetime.combine(now.date() + timedelta(days=1), time(), UTC),
            )
            self._metrics.model_errors.labels(purpose, error_label(error)).inc()
            if len(self._refused_at) >= MAX_KNOWN:
                self._refused_at.clear()
            self._refused_at[member, purpose] = self._clock.now()
            self._count(member, REFUSED, Usage(0, 0))
            raise error

    async def _look_up(
        self, member: Member, purpose: str, limits: Sequence[float], day: date
    ) -> list[int]:
        """Return what was spent on a day of each of the accounts, as far as is known.

        ``limits`` are theirs.
        """
        accounts = _accounts(member, purpose)
        keys = [(account, day) for account in accounts]
        age_s = self._clock.monotonic() - self._read_at.get(keys[-1], -math.inf)
        is_far_from_spent = all(
            self._known.get(key, limit) < limit * READ_EACH_TIME_FROM
            for key, limit in zip(keys, limits, strict=True)
        )
        if age_s >= READ_AFTER_S or not is_far_from_spent:
            with suppress(DatabaseError):
                await self._read(member, purpose in READING, keys)
        unwritten = [0] * len(accounts)
        for use, (_, usage) in chain(self._unwritten.items(), self._writing.items()):
            for index, account in enumerate(accounts):
                if use.day == day and account.covers(use.member, use.purpose):
                    unwritten[index] += usage.total
        known = [
            self._known.get(key, int(limit * UNKNOWN_SHARE))
            for key, limit in zip(keys, limits, strict=True)
        ]
        return [tokens + more for tokens, more in zip(known, unwritten, strict=True)]

    async def _read(
        self, member: Member, reads: bool, keys: Sequence[tuple[_Account, date]]
    ) -> None:
        """Read what is stored of the accounts of a member's calls; ``reads``: those for reading."""
        began_at = self._clock.monotonic()
        for _ in range(MAX_READS):  # again if something was written meanwhile
            earlier = [self._written.get(key, 0) for key in keys]
            stored = await self._database.read(token_usage.spent, member=member, day=keys[0][1])
            if not self._writing and earlier == [self._written.get(key, 0) for key in keys]:
                break
        part = [tokens for purpose, tokens in stored.items() if (purpose in READING) is reads]
        tokens = (
            sum(in_server for in_server, _ in stored.values()),
            sum(in_server for in_server, _ in part),
            sum(by_member for _, by_member in part),
        )
        for key, total, before in zip(keys, tokens, earlier, strict=True):
            # What was written during the last read counts twice rather than not at all.
            self._known[key] = total + self._written.get(key, 0) - before
        self._read_at[keys[-1]] = began_at

    def _count(self, member: Member, purpose: str, usage: Usage) -> None:
        """Add what a call cost to what is written soon."""
        day, spent = self._clock.now().date(), usage.by_model() or {"": usage}
        answered = [*spent][-1]
        for model, part in spent.items():
            self._note(_Use(member, day, purpose, model), int(model == answered), part)
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._write_later(), name="write token use")

    async def _write_later(self) -> None:
        """Write until nothing is left: calls may end while others' cost is written."""
        with Logged(_log.debug, "tokens are counted later", DatabaseError):
            while self._unwritten:
                await self._clock.sleep(WRITE_AFTER_S)
                await self.write()

    async def close(self) -> None:
        """Store what is not stored yet. Raises DatabaseError."""
        await cancel(self._later)
        await self.write()

    async def write(self) -> None:
        """Store what was counted and is not stored yet. Raises DatabaseError, and keeps it then.

        A cancelled write runs to its end first: the database may have stored it.
        """
        await finish(self._store())

    async def _store(self) -> None:
        async with self._one_at_a_time:
            self._writing, self._unwritten = self._unwritten, {}
            try:
                if self._writing:
                    await self._database.write(_add, uses=self._writing)
            except DatabaseError:
                for use, (calls, usage) in self._writing.items():
                    self._note(use, calls, usage)
                raise
            else:
                for use, (_, usage) in self._writing.items():
                    for account in _accounts(use.member, use.purpose):
                        key = account, use.day
                        self._written[key] = self._written.get(key, 0) + usage.total
                        if key in self._known:
                            self._known[key] += usage.total
            finally:
                self._writing = {}

    def _note(self, use: _Use, calls: int, usage: Usage) -> None:
        earlier, spent = self._unwritten.get(use, (0, Usage()))
        self._unwritten[use] = earlier + calls, spent + usage


def _accounts(member: Member, purpose: str) -> tuple[_Account, _Account, _Account]:
    """Return what a call goes to: its server, the part of its purpose, and the member's of it."""
    guild_id, reads = member.guild_id, purpose in READING
    return _Account(guild_id), _Account(guild_id, reads), _Account(guild_id, reads, member.user_id)


# By the key of their rows: processes that lock rows in one order never wait in a circle.
_BY_ROW = attrgetter("member.guild_id", "day", "member.user_id", "purpose", "model")


def _add(connection: Connection, uses: Mapping[_Use, tuple[int, Usage]]) -> None:
    for use in sorted(uses, key=_BY_ROW):
        guild_id, user_id = use.member.guild_id, use.member.user_id
        calls, usage = uses[use]
        token_usage.add_use(
            connection, guild_id, use.day, user_id, use.purpose, usage, calls, use.model
        )

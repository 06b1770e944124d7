"""The daily token budget of each server and of each member in it.

A server's budget starts again at midnight UTC; one member may spend at most a fifth of it. Direct
messages have no server: there, each member has that fifth. Running calls reserve their maximum
cost, so that concurrent calls cannot exceed the budget. While the database is away, this process
adds what it spends to the last known numbers; where none are known, a part of the budget counts as
spent. The numbers are written when the database is back.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TypeVar

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import BudgetSpent, DatabaseError, ModelError
from utils.common.text import estimate_tokens
from utils.database.admin import token_usage
from utils.database.core.engine import Connection, Database
from utils.llm.token_calibration import TokenCalibration
from utils.models.llm import ChatMessage, Completion, ToolResult, Usage
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Member
from utils.runtime.metrics import Metrics

MEMBER_SHARE = 1 / 5
UNKNOWN_SHARE = 1 / 2
"""Part of a day's budget that counts as spent while it cannot be looked up."""
MAX_KNOWN = 10_000
REFUSAL_HOLDS = timedelta(minutes=20)
EXTRACTION = "extraction"
VERIFICATION = "verification"
UNFIT = "unfit"
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


class TokenBudget:
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
        self.calibration = calibration
        self._metrics = metrics
        self._refused_at: dict[tuple[Member, str], datetime] = {}
        self._database = database
        self._clock = clock
        self._daily_tokens = daily_tokens
        self._held_by_guild: Counter[int] = Counter()
        self._held_by_member: Counter[Member] = Counter()
        self._unwritten: dict[_Use, tuple[int, Usage]] = {}
        self._writing: dict[_Use, tuple[int, Usage]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._known: BoundedDict[tuple[Member, date], int] = BoundedDict(MAX_KNOWN)

    @asynccontextmanager
    async def hold(
        self,
        member: Member,
        purpose: str,
        prompt_tokens: int,
        answer_tokens: int,
        *,
        share: float = MEMBER_SHARE,
    ) -> AsyncIterator[TokenReservation]:
        """Reserve the maximum cost of a call by ``member``; store its real cost when it ends.

        ``prompt_tokens`` is our estimate, which is calibrated here. ``share`` is the
        member's part of the server's budget. A cancelled call counts as its prompt. Raises
        BudgetSpent, naming whose budget it is, before anything is called.
        """
        prompt_tokens = self.calibration.real(prompt_tokens)
        tokens = prompt_tokens + answer_tokens
        self._held_by_guild[member.guild_id] += tokens
        self._held_by_member[member] += tokens
        hold = TokenReservation()
        try:
            # Held before spent: a call that ends in between counts twice rather than not at all,
            # and of many that begin at once the first that fit go ahead.
            reserved = self._held_by_guild[member.guild_id]
            member_reserved = self._held_by_member[member]
            await self._check(member, purpose, share, reserved, member_reserved)
            self._refused_at.pop((member, purpose), None)
            try:
                with (
                    self._metrics.measure_model_call(purpose, lambda: hold.usage),
                    _noting_failure(hold, prompt_tokens),
                ):
                    yield hold
            finally:
                if hold.usage.total:
                    await asyncio.shield(self._count(member, purpose, hold.usage))
        finally:
            self._held_by_guild[member.guild_id] -= tokens
            self._held_by_member[member] -= tokens
            self._held_by_guild += Counter()  # drops what has come down to zero
            self._held_by_member += Counter()

    async def ask(
        self,
        payer: Member,
        purpose: str,
        messages: Sequence[ChatMessage],
        max_tokens: int,
        send: Callable[..., Awaitable[Answer]],
        *,
        extra_tokens: int = 0,
        share: float = MEMBER_SHARE,
    ) -> Answer:
        """Return the answer to messages, which ``send`` gets, within a member's budget.

        Args:
            payer: the member.
            purpose: as in the statistics of the operator.
            max_tokens: of the answer; ``send`` gets it too.
            extra_tokens: what the prompt has besides the messages.
            share: as in :meth:`hold`, whose errors this raises.
        """
        tokens = extra_tokens + sum(estimate_tokens(message.text) for message in messages)
        async with self.hold(payer, purpose, tokens, max_tokens, share=share) as hold:
            answer = await send(messages, max_tokens=max_tokens)
            hold.usage = answer.usage
        return answer

    async def require(self, member: Member, purpose: str, tokens: int) -> None:
        """Raise BudgetSpent if a call of so many tokens will be refused, whatever call ends now."""
        await self._check(member, purpose, MEMBER_SHARE, tokens, tokens)

    def is_spent(self, member: Member, purpose: str) -> bool:
        """Whether this member's last call for ``purpose`` was refused within the last 20 minutes.

        Waiting messages are tried every ten minutes. Calls for other purposes may be smaller, so
        they do not count.
        """
        at = self._refused_at.get((member, purpose))
        return at is not None and self._clock.now() - at < REFUSAL_HOLDS

    async def count_unfit(self, member: Member) -> None:
        """Count an answer that the output filter withheld; its text is not stored."""
        await self._count(member, UNFIT, Usage(0, 0))

    def _refuse(self, member: Member, purpose: str) -> None:
        if len(self._refused_at) >= MAX_KNOWN:
            self._refused_at.clear()
        self._refused_at[member, purpose] = self._clock.now()

    async def _check(
        self, member: Member, purpose: str, share: float, tokens: int, member_tokens: int
    ) -> None:
        """Raise BudgetSpent, and count the refusal, if the server has not so many tokens left.

        Or the member not ``member_tokens``.
        """
        spent, member_spent = await self._look_up(member, share)
        is_shared = member.guild_id != DIRECT_MESSAGES
        is_empty = is_shared and spent + tokens > self._daily_tokens
        if is_empty or member_spent + member_tokens > self._daily_tokens * share:
            error = BudgetSpent(is_share=not is_empty)
            self._metrics.count_refused_call(purpose, error)
            self._refuse(member, purpose)
            await self._count(member, REFUSED, Usage(0, 0))
            raise error

    async def _look_up(self, member: Member, share: float) -> tuple[int, int]:
        """Return what the server and the member have spent today, as far as is known."""
        day = self._clock.now().date()
        spenders = (_server_of(member), member)
        # Taken first: what is written meanwhile counts twice rather than not at all.
        unwritten = [self._not_written_yet(spender, day) for spender in spenders]
        try:
            stored = await self._database.read(token_usage.spent, member=member, day=day)
        except DatabaseError:
            unknown = self._daily_tokens * UNKNOWN_SHARE
            spent = self._known.get((spenders[0], day), int(unknown))
            member_spent = self._known.get((spenders[1], day), int(unknown * share))
        else:
            spent, member_spent = stored
            for spender, tokens in zip(spenders, stored, strict=True):
                self._known[spender, day] = tokens
        return spent + unwritten[0], member_spent + unwritten[1]

    def _not_written_yet(self, who: Member, day: date) -> int:
        return sum(
            usage.total
            for uses in (self._unwritten, self._writing)
            for use, (_, usage) in uses.items()
            if use.day == day and who in (use.member, _server_of(use.member))
        )

    async def _count(self, member: Member, purpose: str, usage: Usage) -> None:
        """Store what a call cost; a DatabaseError here must not lose the answer."""
        day, spent = self._clock.now().date(), usage.by_model() or {"": usage}
        answered = [*spent][-1]
        for model, part in spent.items():
            self._note(_Use(member, day, purpose, model), int(model == answered), part)
        try:
            await self.write()
        except DatabaseError as error:
            _log.debug("%d tokens are counted later: %s", usage.total, type(error).__name__)

    async def write(self) -> None:
        """Store what was counted and is not stored yet. Raises DatabaseError, and keeps it then."""
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
                    for who in {_server_of(use.member), use.member}:  # one if it is the server
                        if (who, use.day) in self._known:
                            self._known[who, use.day] += usage.total
            finally:
                self._writing = {}

    def _note(self, use: _Use, calls: int, usage: Usage) -> None:
        earlier, spent = self._unwritten.get(use, (0, Usage()))
        self._unwritten[use] = earlier + calls, spent + usage


@contextmanager
def _noting_failure(hold: TokenReservation, prompt_tokens: int) -> Iterator[None]:
    """Note what a call has cost all the same that failed or was broken off."""
    try:
        yield
    except ModelError as error:
        hold.usage = error.usage or hold.usage
        raise
    except asyncio.CancelledError:
        hold.usage = Usage(prompt_tokens, 0)
        raise


def _server_of(member: Member) -> Member:
    """Return the key under which a whole server's use is known."""
    return Member(member.guild_id, SERVER_USER_ID)


def _add(connection: Connection, uses: Mapping[_Use, tuple[int, Usage]]) -> None:
    for use, (calls, usage) in uses.items():
        guild_id, user_id = use.member.guild_id, use.member.user_id
        token_usage.add_use(
            connection, guild_id, use.day, user_id, use.purpose, usage, calls, use.model
        )

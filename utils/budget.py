"""The day's tokens: how many a server, and each member in it, may still spend.

A server's budget begins anew at midnight UTC; one member may spend at most a fifth of it. Direct
messages have no server: there, each member has that fifth.
What calls under way will cost at most is held back, so that many at once cannot overdraw it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from utils.clock import Clock
from utils.database import usage as token_use
from utils.database.engine import Database, Session
from utils.errors import BudgetSpent, DatabaseError, ModelError
from utils.model.llm import Usage
from utils.model.memory import DIRECT_MESSAGES, Member
from utils.token_calibration import TokenCalibration

MEMBER_SHARE = 1 / 5
UNFIT = "unfit"
REFUSED = "refused"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Hold:
    """Tokens held back for one call; set ``usage`` to what it really took."""

    usage: Usage = field(default_factory=lambda: Usage(0, 0))


class TokenBudget:
    """Counts what model calls spend, in the database, so that all processes share one budget.

    ``calibration`` turns estimates into what this endpoint counts.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        daily_tokens: int,
        calibration: TokenCalibration | None = None,
    ) -> None:
        self.calibration = calibration or TokenCalibration()
        self._database = database
        self._clock = clock
        self._daily_tokens = daily_tokens
        self._held_by_guild: Counter[int] = Counter()
        self._held_by_member: Counter[Member] = Counter()

    @asynccontextmanager
    async def hold(
        self,
        member: Member,
        purpose: str,
        prompt_tokens: int,
        answer_tokens: int,
        *,
        share: float = MEMBER_SHARE,
    ) -> AsyncIterator[Hold]:
        """Hold back what a call by ``member`` costs at most, and store what it took when it ends.

        ``prompt_tokens`` is our estimate, which is calibrated here. ``share`` is the part of the
        server's budget that is theirs. A call that is broken off counts as its prompt. Raises
        BudgetSpent, naming whose budget it is, before anything is called.
        """
        prompt_tokens = self.calibration.real(prompt_tokens)
        tokens = prompt_tokens + answer_tokens
        self._held_by_guild[member.guild_id] += tokens
        self._held_by_member[member] += tokens
        hold = Hold()
        try:
            try:
                await self._check(member, share)
            except BudgetSpent:
                await self._count(member, REFUSED, Usage(0, 0))
                raise
            try:
                yield hold
            except ModelError as error:
                hold.usage = error.usage or hold.usage
                raise
            except asyncio.CancelledError:
                hold.usage = Usage(prompt_tokens, 0)
                raise
            finally:
                if hold.usage.total:
                    await asyncio.shield(self._count(member, purpose, hold.usage))
        finally:
            self._held_by_guild[member.guild_id] -= tokens
            self._held_by_member[member] -= tokens
            self._held_by_guild += Counter()  # drops what has come down to zero
            self._held_by_member += Counter()

    async def count_unfit(self, member: Member) -> None:
        """Count an answer that was not given for its words; nothing of them is kept."""
        await self._count(member, UNFIT, Usage(0, 0))

    async def _check(self, member: Member, share: float) -> None:
        # Held before spent: a call that ends in between counts twice rather than not at all, and
        # of many that begin at once the first that fit go ahead.
        held, own_held = self._held_by_guild[member.guild_id], self._held_by_member[member]
        spent, own = await self._database.read(partial(self._spent, member=member))
        is_shared = member.guild_id != DIRECT_MESSAGES
        if is_shared and spent + held > self._daily_tokens:
            raise BudgetSpent
        if own + own_held > self._daily_tokens * share:
            raise BudgetSpent(is_share=True)

    def _spent(self, session: Session, member: Member) -> tuple[int, int]:
        day = self._clock.now().date()
        return (
            token_use.spent(session, member.guild_id, day),
            token_use.spent(session, member.guild_id, day, member.user_id),
        )

    async def _count(self, member: Member, purpose: str, usage: Usage) -> None:
        """Store what a call took; an answer is not lost because it could not be counted."""
        try:
            await self._database.write(
                partial(
                    token_use.add_use,
                    guild_id=member.guild_id,
                    day=self._clock.now().date(),
                    user_id=member.user_id,
                    purpose=purpose,
                    usage=usage,
                )
            )
        except DatabaseError as error:
            _log.warning("%d tokens could not be counted: %s", usage.total, type(error).__name__)

"""Linking two accounts of one person in a server, which both have to confirm.

Nothing is merged: recall looks at both, and each keeps its own consent and its own memories.
"""

from datetime import timedelta

from utils.clock import Clock
from utils.database import account_links, ledger, members
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.model.memory import Consent, Member
from utils.model.operator import Erasing, Erasure
from utils.model.transfer import Link

CONFIRM_WITHIN = timedelta(days=1)
LINKED_ALREADY = "This account is linked with another one already; `/kith unlink` ends that first."
NOTHING_STORED = (
    "I store nothing of this account here, so I can't link it with another; `/memory consent` "
    "changes what you chose."
)


class LinkBook:
    """Which accounts belong together, each change in one unit of work."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def link(self, member: Member, other_id: int) -> bool:
        """Note that a member calls another account theirs; True if that links the two, because
        the other has called this one theirs within a day.

        Raises BadInput where nothing may be stored of the member, or they are linked already. What
        the other account chose makes no difference to the answer.
        """
        now = self._clock.now()

        def unit(session: Session) -> bool:
            members.lock(session, member)
            if members.leave_to_store(session, member) is Consent.OFF:
                raise BadInput(NOTHING_STORED)
            named = account_links.named_by(session, member)
            if named == Link(other_id, is_confirmed=True):
                return True
            if named is not None and named.is_confirmed:
                raise BadInput(LINKED_ALREADY)
            return account_links.name(session, member, other_id, now, now - CONFIRM_WITHIN)

        return await self._database.write(unit)

    async def unlink(self, member: Member) -> bool:
        """End a member's link, and take back whom they named; False if there was nothing."""

        now = self._clock.now()

        def unit(session: Session) -> bool:
            members.lock(session, member)
            is_ended = account_links.end(session, member)
            if is_ended:
                erasure = Erasure(now, Erasing.UNLINKED, member.guild_id, member.user_id)
                ledger.note(session, erasure)
            return is_ended

        return await self._database.write(unit)

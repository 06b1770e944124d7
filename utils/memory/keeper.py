"""Keeper changes what a person asks to change: forget, consent, and a channel's working memory."""

from collections.abc import Sequence
from functools import partial

from utils.clock import Clock
from utils.database import events, forgetting, members
from utils.database.engine import Database, Session
from utils.memory import profile
from utils.model.memory import Consent, Member


class Keeper:
    """Carries out people's own wishes about what is remembered, each in one unit of work."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def forget(self, member: Member, memory_id: int) -> bool:
        """Erase one memory and the messages behind it; False if it is not this member's.

        A tombstone without text stays, so that the same message cannot teach it again.
        """
        now = self._clock.now()

        def unit(session: Session) -> bool:
            members.lock(session, member)
            forgotten = forgetting.forget(session, member, memory_id, now=now)
            if forgotten is None:
                return False
            events.erase(session, member.guild_id, forgotten.message_ids)
            events.erase_answers_about(session, member, since=forgotten.said_at)
            members.refresh_profile(session, member, profile.remaining, now)
            return True

        done = await self._database.write(unit)
        if done:
            await self._database.scrub()
        return done

    async def forget_all(self, member: Member) -> int:
        """Erase everything a member said and everything known of them in a server.

        Returns how many memories went. Their choice of consent stays.
        """
        now = self._clock.now()

        def unit(session: Session) -> int:
            members.lock(session, member)
            count = forgetting.forget_all(session, member, now=now)
            events.erase_member(session, member)
            members.save_profile(session, member, profile.render([]))
            return count

        count = await self._database.write(unit)
        await self._database.scrub()
        return count

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> int:
        """Let deleted messages take with them what only they supported; returns how many rows.

        Messages that were never heard change nothing and cost one look.
        """
        now = self._clock.now()

        def is_known(session: Session) -> bool:
            return events.is_any_known(session, guild_id, message_ids) or bool(
                forgetting.concerned(session, guild_id, message_ids)
            )

        if not await self._database.read(is_known):
            return 0

        def unit(session: Session) -> int:
            removed = 0
            for member in forgetting.concerned(session, guild_id, message_ids):
                members.lock(session, member)
                removed += len(forgetting.withdraw(session, member, message_ids, now=now))
                members.refresh_profile(session, member, profile.remaining, now)
            events.erase(session, guild_id, message_ids)
            return removed

        removed = await self._database.write(unit)
        await self._database.scrub()
        return removed

    async def set_consent(self, member: Member, choice: Consent) -> None:
        """Store how long a member lets Kith remember them in a server."""
        await self._database.write(partial(members.set_consent, member=member, choice=choice))

    async def reset(self, guild_id: int, channel_id: int) -> None:
        """Make a channel's working memory begin anew; what is remembered of people stays."""
        await self._database.write(
            partial(
                events.reset_working_memory,
                guild_id=guild_id,
                channel_id=channel_id,
            )
        )

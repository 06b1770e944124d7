"""Programs to which members of made-up servers talk; each case has a server of its own."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from tests.fakes.clock import ManualClock
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.models.conversation import Answer, Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.recall import Person

KITH_ID, MEMBER_ID, NAME = 2, 10, "Ada"


@dataclass(slots=True)
class PlayedProgram:
    """A program whose members all have lasting consent, and share one channel a server."""

    app: App
    clock: ManualClock
    _guilds: "count[int]" = field(default_factory=lambda: count(1), init=False)
    _ids: "count[int]" = field(default_factory=lambda: count(1000), init=False)

    async def new_server(self, user_ids: Iterable[int] = (MEMBER_ID,)) -> int:
        """Return the id of a server of its own with these members."""
        guild_id = next(self._guilds)
        for user_id in user_ids:
            await self.app.memory.editor.set_consent(Member(guild_id, user_id), Consent.LASTING)
        return guild_id

    def set_time(self, at: datetime) -> None:
        """Let it be that time."""
        self.clock.jump(at - self.clock.now())

    def event(
        self,
        guild_id: int,
        text: str,
        author_id: int = MEMBER_ID,
        name: str = NAME,
        reply_to_id: int | None = None,
    ) -> Event:
        """Return a message that is said now."""
        return Event(
            guild_id=guild_id,
            channel_id=guild_id,
            source_id=guild_id,
            message_id=next(self._ids),
            author_id=author_id,
            author_name=name,
            role=Role.KITH if author_id == KITH_ID else Role.MEMBER,
            text=text,
            created_at=self.clock.now(),
            reply_to_id=reply_to_id,
        )

    async def record(self, event: Event) -> None:
        """Record a message; it is read later."""
        await self.app.memory.recorder.record(event, _audience(event.guild_id))

    async def ask(self, question: Event) -> Answer:
        """Return the answer to a message to Kith."""
        turn = Turn(
            question,
            _audience(question.guild_id),
            (Person(question.author_id, question.author_name),),
            GuildSettings(question.guild_id, consent_default=Consent.LASTING),
        )
        answer = await self.app.conversation.answer(turn)
        assert answer is not None
        return answer

    async def record_answer(self, question: Event, answer: Answer) -> None:
        """Record that an answer was sent."""
        text = answer.text if answer.stored_text is None else answer.stored_text
        own_event = self.event(question.guild_id, text, KITH_ID, "Kith", question.message_id)
        await self.record(
            replace(own_event, about_ids=answer.about_ids, provenance=answer.provenance)
        )


def build_program(file: Path, clock: ManualClock, **given: Any) -> App:
    """Return the program over a SQLite file, with a budget that is never spent."""
    settings = load_settings(
        env_file=None,
        database_url=f"sqlite:///{file}",
        daily_token_budget=1_000_000_000,
        **given,
    )
    return build(settings, clock)


@asynccontextmanager
async def started(*programs: PlayedProgram) -> AsyncIterator[None]:
    """Run programs until the block ends."""
    for program in programs:
        await program.app.start()
    try:
        yield
    finally:
        for program in programs:
            await program.app.close()


def _audience(guild_id: int) -> Audience:
    return Audience(guild_id, guild_id, frozenset({guild_id}), is_open=True)

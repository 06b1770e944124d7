"""A running program without a model, and people who talk to it."""

from dataclasses import dataclass, field
from itertools import count

import pytest

from tests.conftest import forget_scrubbing
from tests.fakes.builders import ADA, BOB, GUILD, make_event
from tests.fakes.clock import ManualClock
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.models.conversation import Answer, Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.recall import Person

HERE = 100
KITH_ID = 999
PEOPLE = {ADA.user_id: "Ada", BOB.user_id: "Bob"}


@dataclass(slots=True)
class Talk:
    """A running program without a model."""

    app: App
    clock: ManualClock
    ids: "count[int]" = field(default_factory=lambda: count(50_000))
    last_answer: Answer | None = None

    async def say(
        self, text, user_id=ADA.user_id, channel_id=HERE, sources=None, *, has_notice=False
    ):
        """Say something to Kith; returns the answer, without the notice of the first one."""
        if not has_notice:
            self.app.conversation.skip_notice(Member(GUILD, user_id))
        event = make_event(
            text, channel_id=channel_id, author_id=user_id, message_id=next(self.ids),
            created_at=self.clock.now(),
        )  # fmt: skip
        audience = Audience(GUILD, channel_id, frozenset(sources or {channel_id}), is_open=True)
        settings = GuildSettings(GUILD, consent_default=Consent.LASTING)
        people = [Person(user_id, PEOPLE[user_id])]
        people += [
            Person(id, name) for id, name in PEOPLE.items() if id != user_id and name in text
        ]
        answer = await self.app.conversation.answer(Turn(event, audience, tuple(people), settings))
        self.last_answer = answer
        await self.app.conversation.note_sent(answer)
        told = Event(
            GUILD, channel_id, channel_id, next(self.ids), KITH_ID, "Kith", Role.KITH,
            answer.stored_text or answer.text, self.clock.now(), reply_to_id=event.message_id,
            about_ids=answer.about_ids, provenance=answer.provenance,
        )  # fmt: skip
        await self.app.memory.recorder.record(told, audience)
        return answer.text

    async def told(self, *texts, days=0, **given):
        """Say something, let it be read, and let days pass."""
        for text in texts:
            await self.say(text, **given)
            await self.app.memory.recorder.settle()
            self.clock.advance(days=days)

    async def rows(self):
        """Return Ada's memories."""
        return (await self.app.memory.member_data.show(ADA)).rows

    async def stored(self):
        """Return the texts of Ada's memories and stored messages."""
        messages = await self.app.memory.member_data.messages(ADA)
        return [*(row.text for row in await self.rows()), *(said.text for said in messages)]


@pytest.fixture
async def talk(sqlite_url, request):
    """Ada and Bob let Kith remember, and talk to it; a parameter is the embedding model."""
    clock, model = ManualClock(), getattr(request, "param", None)
    settings = load_settings(env_file=None, database_url=sqlite_url, embedding_model=model)
    app = build(settings, clock)
    await app.start()
    for member in (ADA, BOB):
        await app.memory.editor.set_consent(member, Consent.LASTING)
    yield Talk(app, clock)
    forget_scrubbing(app.database)
    await app.close()

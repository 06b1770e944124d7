"""A conversation of two weeks: the real bot, without a model, on the loopback Discord."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from docs.pictures.posts import ShownMessage
from tests.e2e.den import Den
from tests.fakes.discord import FakeDiscord, Member, Message
from tests.fakes.model_server import FakeModelServer

BEGIN = datetime(2026, 11, 9, 18, 4, tzinfo=UTC)
GREETING = "hello"  # said before the picture begins, so that it begins with Kith's notice
CHANNEL = "general"


class Utterance(NamedTuple):
    """What a member says, and when after the beginning."""

    after: timedelta
    text: str


LINES = (
    Utterance(timedelta(minutes=1), "I live in Lisbon and I have a cat named Miso"),
    Utterance(timedelta(minutes=2), "my first concert is on 21 November"),
    Utterance(timedelta(days=6, hours=2), "I moved to Porto last week"),
    Utterance(timedelta(days=9, minutes=40), "when is my concert?"),
    Utterance(timedelta(days=13, minutes=60), "where do I live?"),
    Utterance(timedelta(days=13, minutes=61), "what's my cat called?"),
)

FORGETTING = (
    Utterance(timedelta(days=13, minutes=63), "forget that I have a cat"),
    Utterance(timedelta(days=13, minutes=64), "what's my cat called?"),
)


class MadeUpServer:
    """A server whose time passes only when somebody says so."""

    def __init__(self, den: Den) -> None:
        self.den = den
        self.nora: Member = den.guild.add_member("Nora")

    def pass_until(self, after: timedelta) -> None:
        """Let the time come that is ``after`` the beginning."""
        _Time.passed = max(_Time.passed, after)

    async def converse(self) -> list[ShownMessage]:
        """Say the lines of two weeks, and return what stands in the channel after the greeting."""
        await self._say(GREETING)
        return await self._say_lines(LINES, after=self._newest() - 1)

    async def forget(self) -> list[ShownMessage]:
        """Ask what a memory rests on, and have it forgotten."""
        fake, channel = self.den.fake, self.den.general
        before = self._newest()
        offered = await fake.autocomplete(self.nora, channel, "memory why", "memory")
        (chosen,) = [choice for choice in offered if "Miso" in choice["name"]]
        why = await fake.slash(self.nora, channel, "memory why", {"memory": chosen["value"]})
        answer = self.post(await why.reply(), command="memory why")
        return [answer, *await self._say_lines(FORGETTING, after=before)]

    async def show_memory(self) -> list[ShownMessage]:
        """Have shown what Kith knows."""
        used = await self.den.fake.slash(self.nora, self.den.general, "memory show")
        return [self.post(await used.reply(), command="memory show")]

    async def _say_lines(self, lines: tuple[Utterance, ...], after: int) -> list[ShownMessage]:
        for line in lines:
            self.pass_until(line.after)
            await self._say(line.text)
        posts: dict[int, ShownMessage] = {}
        for message in self.den.fake.messages(self.den.general):
            if message.id > after and not message.ephemeral:
                posts[message.id] = self.post(message, posts.get(message.reply_to_id or 0))
        return list(posts.values())

    def _newest(self) -> int:
        return self.den.fake.messages(self.den.general)[-1].id

    async def _say(self, text: str) -> None:
        await self.den.talk(self.nora, text)
        await self.den.app.memory.recorder.settle()
        await self.den.calm()

    def post(
        self, message: Message, reply_to: ShownMessage | None = None, command: str = ""
    ) -> ShownMessage:
        """Return a message as its readers see it."""
        bot = self.den.fake.bot_user
        items = [item for row in message.components for item in row.get("components", [])]
        return ShownMessage(
            author="Kith" if message.author is bot else "Nora",
            at=message.created_at,
            text=message.sent.replace(f"<@{bot.id}>", "@Kith"),
            buttons=[item["label"] for item in items if "label" in item],
            cards=[embed["description"] for embed in message.embeds],
            selects=[item["placeholder"] for item in items if "placeholder" in item],
            reply_to=reply_to,
            command=command,
            is_private=message.ephemeral,
        )


class _Time:
    passed = timedelta()

    @classmethod
    def now(cls) -> datetime:
        return BEGIN + cls.passed


@asynccontextmanager
async def open_scene() -> AsyncIterator[MadeUpServer]:
    """Start the bot on a loopback Discord whose clock begins on a fixed day."""
    _Time.passed = timedelta()
    fake_discord = FakeDiscord(
        time_source=lambda: _Time.now().timestamp(), interaction_deadline_s=60
    )
    with TemporaryDirectory() as folder:
        async with FakeModelServer() as model, fake_discord as fake:
            database = f"sqlite:///{folder}/kith.db"
            den = Den(fake, model, database, Path(folder) / "erasures.jsonl")
            den.clock.now = _Time.now  # type: ignore[method-assign]
            async with den.awake(openai_base_url=None, openai_api_key=None):
                yield MadeUpServer(den)

"""A conversation of two weeks: the real bot on a loopback Discord, with the demo's played model."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from cogs.chat.note_marks import NoteMarkWorker
from cogs.demo.community import Community, Note, Scene, ScriptLine
from cogs.demo.scripted_model import CommunityModel
from cogs.memory.context_menus import NOTED, SOURCES
from docs.pictures.posts import ShownMessage
from tests.e2e.den import Den
from tests.fakes.discord import Channel, FakeDiscord, Member, Message, perms
from tests.fakes.model_server import FakeModelServer
from utils.conversation.tool_definitions import FORGET, WHO
from utils.models.llm import ChatMessage, Completion, ToolCall, Usage
from utils.models.memory import NotedMark

BEGIN = datetime(2026, 11, 9, 18, 4, tzinfo=UTC)
GREETING = "hello"  # said before the picture begins, so that it begins with Kith's notice
PARTY = "party"
SHOWN_AS = {PARTY: "party (private: Leo cannot read it)"}
LEO_ASKS = "is Nora up to anything on Saturday?"
WISH = "forget that I have a cat"
WHO_ELSE = "who else here has a cat?"


class Utterance(NamedTuple):
    """What a member says, and when after the beginning; what the played model answers and notes."""

    after: timedelta
    text: str
    reply: str
    notes: tuple[Note, ...] = ()
    author: str = "Nora"
    channel: str = "general"

    @property
    def line(self) -> ScriptLine:
        """The line of the model's script."""
        return ScriptLine(by=self.author, text=self.text, reply=self.reply, notes=self.notes)


LINES = (
    Utterance(
        timedelta(minutes=1),
        "I live in Lisbon and I have a cat named Miso",
        "Lisbon is a good city for a cat. Hello, Miso!",
        (
            Note(note="lives in Lisbon", attribute="home", topics="home, lisbon"),
            Note(note="has a cat named Miso", attribute="cat", topics="cat, miso"),
        ),
    ),
    Utterance(
        timedelta(minutes=2),
        "I'm throwing a surprise party for Leo on 28 November",
        "The 28th it is. Leo hears nothing from me.",
        (Note(note="throws a surprise party for Leo on 28 November", topics="party, leo"),),
        channel=PARTY,
    ),
    Utterance(
        timedelta(days=14, minutes=60),
        LEO_ASKS,
        "Not that I know of. Ask her, or her cat.",
        author="Leo",
    ),
    Utterance(
        timedelta(days=14, minutes=62),
        "I moved to Porto last week",
        "From Lisbon to Porto! Did Miso like the journey?",
        (
            Note(
                note="lives in Porto",
                attribute="home",
                topics="home, porto",
                replaces="lives in Lisbon",
            ),
        ),
    ),
    Utterance(
        timedelta(days=14, minutes=63),
        "what do I have to plan, and for when?",
        "Leo's surprise party, on Saturday. Will it be in Porto now?",
        channel=PARTY,
    ),
)

ASKING = Utterance(
    timedelta(days=14, minutes=64), WHO_ELSE, "Nora has a cat named Miso.", author="Leo"
)

FORGETTING = (
    Utterance(timedelta(days=14, minutes=65), WISH, "Gone, for good."),
    Utterance(
        timedelta(days=14, minutes=66),
        "what's my cat called?",
        "I don't know of a cat of yours.",
    ),
)


CALLS = {
    WISH: ToolCall("call_0", FORGET, {"what": "has a cat named Miso"}),
    WHO_ELSE: ToolCall("call_0", WHO, {"topic": "cat"}),
}


class PlayedModel(CommunityModel):
    """The demo's model with the script of the pictures. It keeps the prompts of its answers."""

    def __init__(self) -> None:
        greeting = ScriptLine(by="Nora", text=GREETING, reply="Hello!")
        lines = [utterance.line for utterance in (*LINES, ASKING, *FORGETTING)]
        scene = Scene(channel="general", lines=(*lines, greeting))
        super().__init__(Community.model_construct(scene=(scene,)), BEGIN)
        self.prompts: list[str] = []

    async def reply(self, messages: Sequence[ChatMessage], **options: Any) -> Completion:
        """Return the script's answer; for a wish to forget, and to find others, it calls tools."""
        self.prompts.append("\n".join(message.text for message in messages))
        asked = [message for message in messages if message.role == "user"][-1]
        for text, call in CALLS.items():
            if text in asked.text and asked is messages[-1]:
                return Completion("", Usage(0, 0), False, (call,))
        return await super().reply([asked], **options)


class MadeUpServer:
    """A server whose time passes only when somebody says so."""

    def __init__(self, den: Den, played: PlayedModel) -> None:
        self.den = den
        self.played = played
        names = ("Leo", "Nora")
        self.members: dict[str, Member] = {name: den.guild.add_member(name) for name in names}
        self._names = {member.id: name for name, member in self.members.items()}
        party = den.guild.add_text_channel(PARTY, private=True)
        for who in (self.members["Nora"], den.guild.me):
            party.overwrite(who, allow=perms("view_channel"))
        self.channels: dict[str, Channel] = {"general": den.general, PARTY: party}

    async def converse(self) -> list[ShownMessage]:
        """Say the lines of two weeks, and return what stands in the channels after the greeting."""
        await self.show_notes()
        for name in self.members:
            await self._say(Utterance(timedelta(), GREETING, "", author=name))
        return await self._say_lines(LINES, after=self._newest() - 1)

    async def forget(self) -> list[ShownMessage]:
        """Ask what a memory rests on, and have it forgotten."""
        fake, channel, nora = self.den.fake, self.den.general, self.members["Nora"]
        offered = await fake.autocomplete(nora, channel, "memory why", "memory")
        (chosen,) = [choice for choice in offered if "Miso" in choice["name"]]
        why = await fake.slash(nora, channel, "memory why", {"memory": chosen["value"]})
        answer = self.post(await why.reply(), command="/memory why")
        wish, question = FORGETTING
        asked = await self._say_lines([wish], after=self._newest())
        post = fake.messages(channel)[-1]
        pressed = self.post(await (await fake.click(nora, post, "Forget")).followup())
        await self.den.calm()
        answered = await self._say_lines([question], after=self._newest())
        return [answer, *asked, pressed, *answered]

    async def look_closer(self) -> list[ShownMessage]:
        """Ask who else has a cat. Nora looks where the answer comes from, and what was noted."""
        fake, channel = self.den.fake, self.den.general
        said = next(post for post in fake.messages(channel) if "Miso" in post.content)
        shown = await self._say_lines([ASKING], after=self._newest())
        for menu, target in ((SOURCES, fake.messages(channel)[-1]), (NOTED, said)):
            used = await fake.context_menu(self.members["Nora"], channel, menu, target)
            shown.append(self.post(await used.reply(), command=f"Apps › {menu}"))
        return shown

    async def show_memory(self) -> list[ShownMessage]:
        """Have shown what Kith knows."""
        used = await self.den.fake.slash(self.members["Nora"], self.den.general, "memory show")
        return [self.post(await used.reply(), command="/memory show")]

    async def _say_lines(self, lines: Sequence[Utterance], after: int) -> list[ShownMessage]:
        for line in lines:
            _Time.passed = max(_Time.passed, line.after)
            await self._say(line)
        posts: dict[int, ShownMessage] = {}
        said = [
            message for place in self.channels.values() for message in self.den.fake.messages(place)
        ]
        for message in sorted(said, key=lambda message: message.id):
            if message.id > after and not message.ephemeral:
                posts[message.id] = self.post(message, posts.get(message.reply_to_id or 0))
        return list(posts.values())

    def _newest(self) -> int:
        return max(
            self.den.fake.messages(channel)[-1].id
            for channel in self.channels.values()
            if self.den.fake.messages(channel)
        )

    async def _say(self, line: Utterance) -> None:
        channel = self.channels[line.channel]
        await self.den.talk(self.members[line.author], line.text, channel)
        await self.den.app.memory.recorder.settle()
        await self._marks().show_due()
        await self.den.calm()

    async def show_notes(self) -> None:
        """Have what is noted shown below the answers, each time before the next line."""
        await self.den.app.guilds.settings.set_values(self.den.guild.id, noted=NotedMark.LINE)
        for worker in self._marks().workers:
            await worker.close()

    def _marks(self) -> NoteMarkWorker:
        return cast(NoteMarkWorker, self.den.client.get_cog("NoteMarkWorker"))

    def post(
        self, message: Message, reply_to: ShownMessage | None = None, command: str = ""
    ) -> ShownMessage:
        """Return a message as its readers see it."""
        bot = self.den.fake.bot_user
        items = [item for row in message.components for item in row.get("components", [])]
        text = message.sent.replace(f"<@{bot.id}>", "@Kith")
        for user_id, name in self._names.items():
            text = text.replace(f"<@{user_id}>", f"<@{name}>")
        return ShownMessage(
            author="Kith" if message.author is bot else self._names[message.author.id],
            at=message.created_at,
            text=text,
            buttons=[item["label"] for item in items if "label" in item],
            cards=[embed["description"] for embed in message.embeds],
            selects=[item["placeholder"] for item in items if "placeholder" in item],
            reply_to=reply_to,
            command=command,
            is_private=message.ephemeral,
            channel=SHOWN_AS.get(message.channel.name, message.channel.name),
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
            played = PlayedModel()
            async with den.awake(language_model=played):
                yield MadeUpServer(den, played)

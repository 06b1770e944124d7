"""A server to talk in: a loopback Discord and model, and bot.py's own composition between them."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
)
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple, Self

import pytest
from discord.ext import commands
from fastapi import FastAPI
from pydantic import BaseModel

import bot
from cogs.bot.client import KithClient
from cogs.chat.chat import Chat
from cogs.chat.deletions import DeletionHandler
from cogs.dashboard.server import Dashboard
from cogs.maintenance.maintenance import Maintenance
from tests.fakes.builders import last_turns
from tests.fakes.discord import TOKEN, Channel, FakeDiscord, Guild, Member, Message, User, perms
from tests.fakes.discord.journal import PATIENCE_S
from tests.fakes.model_server import (
    ChatRequest,
    FakeModelServer,
    prompt_of,
    summarises,
    verifies,
    wants_arguments,
)
from tests.fakes.processes import start_program
from tests.leak_watch import API_KEY, WATCH
from utils.app import App
from utils.build import build
from utils.common import translation
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import KithError
from utils.common.program import as_called
from utils.llm.client import LanguageModel
from utils.models.memory import DIRECT_MESSAGES, Event
from utils.models.memory import Member as Known

ROOT = Path(__file__).resolve().parents[2]
NEVER_BY_ITSELF_S = 600.0
LATE_HOUR = 23
DAY_S = 86_400.0
WITHOUT_DISCORD = {("erase",), ("import-history",), ("migrate",), ("prune",)}
_SAID = re.compile(r"\bI (have|live|love|own|play|work) ([^.!?\n]+)")
_VERBS = {
    "have": "has",
    "live": "lives",
    "love": "loves",
    "own": "owns",
    "play": "plays",
    "work": "works",
}


async def _finalize_and_keep(bot: commands.Bot, module: ModuleType, name: str) -> None:
    """Unload an extension as discord.py does, but leave its modules imported: tests hold their
    classes and patch their constants."""
    if hasattr(module, "teardown"):
        await module.teardown(bot)
    bot._BotBase__extensions.pop(name, None)


commands.bot.BotBase._call_module_finalizers = _finalize_and_keep


class MovableClock(Clock):
    """The machine's clock; a test may let time pass at once, or stop it."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_s = 0.0
        self._stopped_at: datetime | None = None
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return (self._stopped_at or datetime.now(UTC)) + self._offset

    @property
    def was_moved(self) -> bool:
        """Whether it stands, or shows a time some minutes from the machine's."""
        return self._stopped_at is not None or abs(self._offset) > timedelta(minutes=10)

    def stop(self) -> None:
        """Let the wall clock stand: what ends at a time ends when a test says so, however slow the
        machine is."""
        self._stopped_at = datetime.now(UTC)

    def monotonic(self) -> float:
        return super().monotonic() + self._passed_s

    def pass_time(self, seconds: float) -> None:
        self._passed_s += max(0.0, seconds)  # a wall clock may be set back, a monotonic one not
        self.shift(timedelta(seconds=seconds))

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.get_running_loop().create_future()
        sleeper = (self.monotonic() + seconds, woken)
        self._sleepers.append(sleeper)
        try:
            await asyncio.wait([woken], timeout=seconds)
        finally:
            self._sleepers.remove(sleeper)

    def wake_after(self, seconds: float) -> None:
        """Let time pass, and wake who has slept long enough by then."""
        self.pass_time(seconds)
        for until, woken in self._sleepers:
            if until <= self.monotonic() and not woken.done():
                woken.set_result(None)


def memory(text: str, quote: str, **changes: Any) -> dict[str, Any]:
    """One memory as a model reports it."""
    return {
        "note": text,
        "message": "",
        "topics": ["life"],
        "importance": "medium",
        "kind": "fact",
        "attribute": re.sub(r"\W+", "_", text),
        "quote": quote,
        "until": "permanent",
        "confirms": None,
        "replaces": None,
        **changes,
    }


def attentive(request: ChatRequest) -> dict[str, Any]:
    """Answer an extraction as a diligent model would: it notes every "I have/live/love/…"."""
    said = prompt_of(request, "user").rpartition("\nSAID\n")[2]
    found = {f"{_VERBS[verb]} {what}": f"I {verb} {what}" for verb, what in _SAID.findall(said)}
    return {
        "memories": [memory(text, quote) for text, quote in found.items()],
        "profile_update": None,
    }


def is_notice(message: Message) -> bool:
    """Whether a message asks a member at first contact how long to be remembered."""
    return "You can change that here or with `/memory consent`" in message.content


class Place(NamedTuple):
    """A server with three people in it."""

    guild: Guild
    general: Channel
    alice: Member
    bob: Member
    moderator: Member


def make_place(fake: FakeDiscord) -> Place:
    """Make a server with one channel, two members and a moderator."""
    guild = fake.add_guild("Den")
    steers = guild.add_role("Moderator", perms("manage_guild", "manage_messages"))
    return Place(
        guild,
        guild.add_text_channel("general"),
        guild.add_member("Alice"),
        guild.add_member("Bob"),
        guild.add_member("Mia", roles=[steers]),
    )


class Den:
    """A server with a few people in it, and Kith, asleep until ``awake``."""

    def __init__(
        self, fake: FakeDiscord, model: FakeModelServer, database_url: str, ledger_file: Path
    ) -> None:
        self.fake = fake
        self.ledger_file = ledger_file
        self.model = model
        self.database_url = database_url
        self.clock = MovableClock()
        self._spare_places: list[Place] = []
        self._command_ids: dict[str, int] = {}
        self._go_to(make_place(fake))
        self.app: App
        self.cores: list[App] = []  # of all clients; ``core`` is the last one's
        self.client: KithClient
        self.clients: list[KithClient] = []  # ``client`` is the last one
        self.page_addresses: list[tuple[str, int]] = []  # of a site that a test runs
        self._markers = 0
        self._marker = fake.add_user("Marker", bot=True)
        model.extract_with(attentive)

    # --- sharing ------------------------------------------------------------------------------

    def add_spare_places(self, count: int) -> None:
        """Make servers for tests that share one running Kith; it must not run yet."""
        self._spare_places += [make_place(self.fake) for _ in range(count)]

    def begin_afresh(self) -> None:
        """Go to a server where nothing has happened, and let the fakes forget earlier tests."""
        self._go_to(self._spare_places.pop())
        self._command_ids = self._command_ids or dict(translation._command_ids)
        translation.set_command_ids(self._command_ids)  # a test's own Kith has cleared them
        self.model.start_over()
        self.model.extract_with(attentive)
        self.fake.rest.misfortunes.clear()
        self.fake.requests.clear()

    async def end_here(self) -> None:
        """Finish what a test began, so that the next one finds Kith at rest.

        Raises AssertionError if the test changed what is not its server's alone.
        """
        assert not self.clock.was_moved, "a test that moves the clock takes own_kith"
        assert not self.fake.clock.was_moved, "a test that moves Discord's clock takes own_kith"
        assert not self.model.refuse, "a test of what a model cannot do takes own_kith"
        await self.calm()
        await self.app.memory.recorder.settle()

    def _go_to(self, place: "Place") -> None:
        self.guild, self.general, self.alice, self.bob, self.moderator = place

    # --- running ------------------------------------------------------------------------------

    def settings(self, **chosen: Any) -> Settings:
        """Settings that suit a test: no cooldown, and nothing is read before ``settle``.

        They are checked as always, but the environment has no say: looking there takes 10 ms.
        """
        given: dict[str, Any] = {
            "database_url": self.database_url,
            "erasure_ledger": self.ledger_file,
            "discord_token": TOKEN,
            "openai_base_url": self.model.base_url,
            "openai_api_key": API_KEY,
            "line_pause_s": 0,
            "member_cooldown_s": 0,
            "burst_quiet_s": NEVER_BY_ITSELF_S,
            **chosen,
        }
        settings = Settings.__new__(Settings)
        BaseModel.__init__(settings, **given)
        return settings

    @asynccontextmanager
    async def awake(
        self,
        *,
        message_content: bool = True,
        clients: int = 1,
        language_model: LanguageModel | None = None,
        **chosen: Any,
    ) -> AsyncIterator[Self]:
        """Run Kith with these settings until the block ends, as bot.py does.

        A ``language_model`` is asked instead of the endpoint in the settings.

        Several clients are as many processes that have the same shards. What is done on the hour,
        or every minute, is only done when a test asks for it: either may strike at any moment.
        """
        async with AsyncExitStack() as stack:
            self.clients, self.cores = [], []
            for _ in range(clients):
                origins = [self.fake.world.base_url]  # attachments lie on the fake itself
                kith = build(
                    self.settings(**chosen),
                    self.clock,
                    origins=origins,
                    page_addresses=self.page_addresses,
                    model=language_model,
                )
                stack.push_async_callback(kith.close)
                await kith.start()
                self.cores.append(kith)
                self.clients.append(
                    KithClient(kith, message_content=message_content, guild_ready_timeout=0.05)
                )
            self.app, self.client = kith, self.clients[-1]
            await stack.enter_async_context(self.fake.running(*self.clients))
            for client in self.clients:
                _maintenance(client).jobs._scheduler.pause()  # or a full hour would be a surprise
            yield self

    @asynccontextmanager
    async def process(self, *arguments: str, **chosen: str) -> AsyncIterator["Process"]:
        """Run ``bot.py`` as a process of its own; it is killed if it still runs at the end."""
        script = str(ROOT / "bot.py")
        if arguments[:1] in WITHOUT_DISCORD:
            command = [sys.executable, script, *arguments]
        else:
            command = self.fake.command_line(script, *arguments)
        async with started(command, self.environment(**chosen)) as process:
            yield process

    async def command(self, *arguments: str, **chosen: Any) -> "Ended":
        """Run a command of ``bot.py`` in this process: a hundredth of the time of its own one."""
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                options = bot.command_line().parse_args(arguments)
                status = await bot.execute(options, self.settings(**chosen))
            except KithError as error:  # as main does
                status = 1
                print(as_called(error.for_operator), file=err)
        WATCH.examine(out.getvalue(), "a command's standard output", may_quote=True)
        WATCH.examine(err.getvalue(), "a command's standard error")
        return Ended(status, out.getvalue(), err.getvalue())

    def environment(self, **chosen: str) -> dict[str, str]:
        """Return the environment variables of a process of its own."""
        return {
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": self.database_url,
            "ERASURE_LEDGER": str(self.ledger_file),
            "OPENAI_BASE_URL": self.model.base_url,
            "OPENAI_API_KEY": API_KEY,
            "LINE_PAUSE_S": "0",
            "MEMBER_COOLDOWN_S": "0",
            "BURST_QUIET_S": str(NEVER_BY_ITSELF_S),
            **chosen,
        }

    # --- talking ------------------------------------------------------------------------------

    def dm(self, who: Member) -> Channel:
        return self.fake.dm(who)

    async def say(self, who: Member | User, text: str, channel: Channel | None = None) -> Message:
        """Let somebody say something to Kith: by mention, or directly."""
        channel = channel or self.general
        return await self.fake.say(who, channel, text if channel.is_dm else f"<@bot> {text}")

    async def talk(self, who: Member | User, text: str, channel: Channel | None = None) -> Message:
        """Let somebody say something to Kith, and return its answer."""
        return await self.answer_to(await self.say(who, text, channel))

    async def answer_to(self, asked: Message, within_s: float = PATIENCE_S) -> Message:
        """Return the answer to a message once it is there to its end, and recorded.

        Of a process of its own only the beginning is waited for.
        """
        answer = await self.fake.wait_message(
            asked.channel, after=asked, where=lambda m: m.reply_to is asked, timeout=within_s
        )
        async with asyncio.timeout(within_s):
            for client in self.clients:
                await chat_of(client).wait_for_reply(asked.id)
        return answer

    async def teach(self, who: Member, text: str, channel: Channel | None = None) -> Message:
        """Let somebody say something, have it answered and read, and return what they said."""
        said = await self.say(who, text, channel)
        await self.answer_to(said)
        await self.app.memory.recorder.settle()
        return said

    async def last_turns(self, channel: Channel | None = None) -> list[Event]:
        """Return the last ten turns of a channel as Kith has them."""
        channel_id = (channel or self.general).id
        return await last_turns(self.app.database, self.clock, self.guild.id, channel_id)

    async def calm(self) -> None:
        """Return when every client has handled everything dispatched so far, to the end."""
        await self.heard()
        while tasks := [task for task in asyncio.all_tasks() if handles_an_event(task)]:
            await asyncio.wait(tasks, timeout=10)

    async def heard(self) -> None:
        """Return when every client has received everything dispatched so far."""
        self._markers += 1
        words = f"marker {self._markers}"
        heard = [
            client.wait_for("message", check=lambda m: m.content == words)
            for client in self.clients
            if not client.is_closed()
        ]
        await self.fake.say(self._marker, self.fake.dm(self._marker), words)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*heard)

    async def caught_up(self) -> None:
        """Return when the jobs that were missed while Kith slept are done."""
        for client in self.clients:
            catching_up = _maintenance(client)._catching_up
            assert catching_up is not None
            await catching_up

    async def looked(self) -> None:
        """Return when what was missed without a connection has been looked for."""
        for client in self.clients:
            deletions = client.get_cog("DeletionHandler")
            assert isinstance(deletions, DeletionHandler)
            assert deletions._catching_up is not None
            await asyncio.wait([deletions._catching_up])

    def keep_off_midnight(self) -> None:
        """See to it that no new day begins for Kith in the next hour."""
        if self.clock.now().hour == LATE_HOUR:
            self.clock.shift(timedelta(hours=1))

    @property
    def dashboard(self) -> str:
        """Where the dashboard of the last client listens."""
        return self._dashboard().url

    @property
    def dashboard_app(self) -> FastAPI:
        """The dashboard's application."""
        return self._dashboard().app

    def _dashboard(self) -> Dashboard:
        cog = self.client.get_cog("Dashboard")
        assert isinstance(cog, Dashboard)
        return cog

    async def stays_silent(self, asked: Message) -> bool:
        """Whether nothing at all was said after a message, once all is handled."""
        await self.calm()
        return not any(message.id > asked.id for message in self.answers(asked.channel))

    # --- looking ------------------------------------------------------------------------------

    async def learnt_of(self, who: Member | User, *, direct: bool = False) -> list[str]:
        """Have everything read; return what is remembered of somebody then."""
        await self.app.memory.recorder.settle()
        return await self.known_of(who, direct=direct)

    async def known_of(self, who: Member | User, *, direct: bool = False) -> list[str]:
        """What is remembered of somebody here (or in direct messages), oldest first."""
        place = DIRECT_MESSAGES if direct else self.guild.id
        shown = await self.app.memory.member_data.show(Known(place, who.id))
        return [row.text for row in reversed(shown.rows)]

    def prompts(self) -> list[ChatRequest]:
        """The requests for an answer, as the model got them."""
        return [request for request in self.model.chats if not wants_arguments(request)]

    async def wait_prompts(self, count: int) -> None:
        """Wait until the model has been asked for that many answers, whatever else it was asked."""
        await self.model.wait_until(lambda: len(self.prompts()) >= count)

    def extractions(self) -> list[ChatRequest]:
        """The requests to read what was said."""
        wanted = [request for request in self.model.chats if wants_arguments(request)]
        return [one for one in wanted if not summarises(one) and not verifies(one)]

    def summaries(self) -> list[ChatRequest]:
        """The requests to write down a chapter."""
        return [request for request in self.model.chats if summarises(request)]

    def last_words(self) -> str:
        """The last message of the last prompt: what is known, and what is to be answered."""
        return self.prompts()[-1]["messages"][-1]["content"]

    def answers(self, channel: Channel | None = None) -> list[Message]:
        """What Kith said in a channel, but for its notices at first contact."""
        said = self.fake.messages(channel or self.general, author=self.fake.bot_user)
        return [message for message in said if not is_notice(message)]


@asynccontextmanager
async def open_den(database_url: str, **switches: bool) -> AsyncIterator[Den]:
    """Open a den; ``switches`` are the portal's, such as ``message_content=False``."""
    with TemporaryDirectory() as folder:
        patient = FakeDiscord(interaction_deadline_s=PATIENCE_S, **switches)
        async with FakeModelServer() as model, patient as fake:
            yield Den(fake, model, database_url, Path(folder) / "erasures.jsonl")


class Held:
    """A model's reply that waits until it is released; ``asked`` is set once Kith waits for it."""

    def __init__(self, words: str = "At last.") -> None:
        self._words = words
        self.asked, self._released = asyncio.Event(), asyncio.Event()

    async def __call__(self, request: ChatRequest) -> str:
        self.asked.set()
        await self._released.wait()
        return self._words

    def release(self) -> None:
        self._released.set()


@contextmanager
def hidden_from_nobody(den: Den) -> Iterator[None]:
    """Let everybody use every command until the block ends, as a server's moderators can."""
    commands = den.fake.commands.listed(None)
    before = [command["default_member_permissions"] for command in commands]
    for command in commands:
        command["default_member_permissions"] = None
    try:
        yield
    finally:
        for command, permissions in zip(commands, before, strict=True):
            command["default_member_permissions"] = permissions


@asynccontextmanager
async def broken_off(den: Den, who: Member) -> AsyncIterator[Message]:
    """Kith awake and answering somebody's question until the block ends, which breaks that off."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("utils.runtime.stopping.ANSWERS_S", 0.1)
        den.model.reply_with(Held())
        async with den.awake():
            question = await den.say(who, "tell me a story")
            await den.wait_prompts(1)
            yield question


class Ended(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


class Process:
    """A running program, and what it wrote."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._writing: asyncio.Task[tuple[bytes, bytes]] | None = None
        self.out = self.err = ""

    def tell(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    async def ends(self, given: bytes | None = None, within_s: float = 40.0) -> int:
        """Wait for the end, feeding it what it reads, and return its exit status."""
        async with asyncio.timeout(within_s):
            out, err = await self._process.communicate(given)
        self.out, self.err = out.decode(), err.decode()
        WATCH.examine(self.out, "a process's standard output", may_quote=True)
        WATCH.examine(self.err, "a process's standard error")
        assert self._process.returncode is not None
        return self._process.returncode

    async def read_until(
        self, words: str, within_s: float = PATIENCE_S, *, in_log: bool = False
    ) -> str:
        """Read its standard output, or its log, until these words were written."""
        stream = self._process.stderr if in_log else self._process.stdout
        assert stream is not None
        read = ""
        async with asyncio.timeout(within_s):
            while words not in read:
                line = await stream.readline()
                assert line, f"it ended before it wrote {words!r}: {read}"
                read += line.decode()
        return read


@asynccontextmanager
async def started(command: list[str], environment: Mapping[str, str]) -> AsyncIterator[Process]:
    """Start a program away from any .env; it is killed if it still runs at the end."""
    home = environment.get("HOME", "/nonexistent")
    async with start_program(
        *command,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": home, **environment},
        cwd=Path(sys.executable).anchor,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    ) as process:
        try:
            yield Process(process)
        except Exception as error:
            if process.returncode is None:
                process.kill()
            _, said = await process.communicate()
            error.add_note(f"the process said: {said.decode(errors='replace')}")
            raise


def chat_of(client: KithClient) -> Chat:
    """The cog that answers messages."""
    found = client.get_cog("Chat")
    assert isinstance(found, Chat)
    return found


def _maintenance(client: KithClient) -> Maintenance:
    found = client.get_cog("Maintenance")
    assert isinstance(found, Maintenance)
    return found


def handles_an_event(task: asyncio.Task[Any]) -> bool:
    """Whether a task is discord.py's, at work on something that it was told."""
    named = ("discord.py: ", "CommandTree-invoker", "discord-ui-")
    return task.get_name().startswith(named) and task is not asyncio.current_task()

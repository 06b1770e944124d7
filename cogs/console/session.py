"""One terminal session: who speaks, in which channel, and the answer to each line.

Each name is a person. Each channel is readable by everyone, in one made-up server.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from cogs.bot.texts import AWAY, ENDS_BEFORE, PRIVACY, UNWRITABLE
from cogs.console.ids import GUILD_ID, KITH_ID, OPEN_CHANNEL_ID, channel_id, person_id, snowflake
from cogs.console.memory_lines import MemoryLines
from utils.app import App
from utils.common.clock import SystemClock
from utils.common.errors import (
    BadInput,
    DatabaseError,
    DatabaseUnavailable,
    KithError,
    unexpected_error_message,
)
from utils.common.text import clean, clip, one_line
from utils.llm import prompts
from utils.models.conversation import Turn
from utils.models.guild import Purpose
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.recall import Person
from utils.models.transfer import Statement
from utils.runtime.metrics import MODEL, PLAIN

NAME_LIMIT = 80
SETTLE_TIMEOUT_S = 10.0
FIRST_YEAR, LAST_YEAR = 2015, 2083  # the years that a message id of 63 bits can encode
CONSOLE_HELP = """\
Type a message and press Enter, or one of these:
  :as NAME          speak as another person
  :channel NAME     speak in another channel
  :clock +8d        move time forward (m, h, d, w)
  :prompt           show the memory block of the last turn, exactly as the model received it
  :prune            remove what has expired, now
  :help             this help
  :quit             leave (so do Ctrl-D and Ctrl-C)
  /memory show [page] · search WORDS · why N · correct N TEXT · undo N · forget N|all
  /memory consent [lasting|temporary|off] · /memory export · /reset · /privacy
  /mode show · /mode set NAME · /config timezone NAME
  /config channel chat|game|log|never add|remove|list [CHANNEL] [topic,topic]"""
NO_MODEL_NOTICE = (
    "No language model is configured (OPENAI_API_KEY or OPENAI_BASE_URL in .env): answers are "
    "plain, and I understand simple statements about yourself. Memory works as usual."
)
_SHIFT = re.compile(r"([+-]?)(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Quit(Exception):
    """The person asked to leave."""


class Console:
    """One terminal session: the speaker, the channel, and the last memory block."""

    def __init__(self, app: App, clock: SystemClock, write: Callable[[str], None]) -> None:
        self._app = app
        self._clock = clock
        self._write = write
        self._name = "Guest"
        self._channel = "general"
        self._met: set[int] = set()
        self._names: dict[int, str] = {}
        self._last_block = ""
        self._memory_lines = MemoryLines(app)
        self._commands: dict[str, Callable[[list[str]], Awaitable[None]]] = {
            ":as": self._as,
            ":channel": self._in_channel,
            ":clock": self._move_clock,
            ":prompt": self._show_prompt,
            ":prune": self._prune,
            ":help": self._help,
            ":quit": self._quit,
            ":exit": self._quit,
            "/memory": self._memory,
            "/reset": self._reset,
            "/mode": self._mode,
            "/config": self._config,
            "/help": self._help,
            "/privacy": self._privacy,
        }

    @property
    def prompt(self) -> str:
        """The text before the line being typed."""
        return f"{self._name} #{self._channel}> "

    async def handle(self, line: str) -> None:
        """Answer one line: a command or a message. An error is written as one sentence.

        Raises Quit when the person wants to leave.
        """
        line = line.strip()
        word, *arguments = line.split() or [""]
        try:
            await self._settle()
            if word in self._commands:
                await self._commands[word](arguments)
            elif word.startswith((":", "/")) and re.fullmatch(r"[:/][a-z]{2,}", word):
                raise BadInput(f"There is no command {word}; :help lists all commands.")
            elif clean(line):
                await self._say(line)
        except KithError as error:
            self._write(str(error))
        except (Quit, OSError):
            raise
        except Exception as error:
            self._write(unexpected_error_message(error))

    async def _settle(self) -> None:
        """Wait a while for pending extractions, so that the next line can use them.

        While the database is away they wait for it, and the line goes on.
        """
        with suppress(TimeoutError, DatabaseError):
            async with asyncio.timeout(SETTLE_TIMEOUT_S):
                await self._app.memory.recorder.settle()

    # --- talking -------------------------------------------------------------------------------

    async def _say(self, text: str) -> None:
        now = self._clock.now()
        self._last_block = ""
        settings = await self._app.guilds.settings.get(GUILD_ID)
        if settings.never_answers(channel_id(self._channel)):
            self._write(
                "(I never answer in this channel; /config channel never remove changes that)"
            )
            return
        event = await self._event(text, now)
        people = self._app.guilds.members
        people.update_names(GUILD_ID, event.author_id, [event.author_name])
        named = await people.named(GUILD_ID, event.channel_id, text, exclude_ids=[event.author_id])
        turn = Turn(
            event=event,
            audience=_audience(event.channel_id),
            people=(Person(event.author_id, event.author_name), *named),
            settings=settings,
            channel_topics=settings.topics_of(event.channel_id, self._channel),
        )
        try:
            answer = await self._app.conversation.answer(turn)
        except KithError as error:
            self._app.runtime.metrics.count_reply(GUILD_ID, error)
            raise
        if answer is None:
            return
        self._last_block = answer.block
        self._write(answer.text)
        self._app.conversation.note_sent(answer)
        self._app.runtime.metrics.count_reply(GUILD_ID, PLAIN if self._app.model is None else MODEL)
        day = self._app.memory.end_notices.take(event.member, event.channel_id)
        if day is not None:
            self._write(plain(ENDS_BEFORE.format(day=f"{day.day} {day:%B %Y}")))
        if not (answer.has_memory and answer.is_stored):
            self._write(UNWRITABLE if answer.has_memory else AWAY)
        now = self._clock.now()
        reply = replace(
            event,
            message_id=snowflake(now),
            author_id=KITH_ID,
            author_name="Kith",
            role=Role.KITH,
            text=answer.text,
            created_at=now,
            reply_to_id=event.message_id,
            about_ids=answer.about_ids,
            provenance=answer.provenance,
        )
        await self._app.conversation.record_answer(reply, turn.audience)

    async def _event(self, text: str, now: datetime) -> Event:
        member = self._member()
        await self._meet(member)
        return Event(
            guild_id=GUILD_ID,
            channel_id=channel_id(self._channel),
            source_id=OPEN_CHANNEL_ID,
            message_id=snowflake(now),
            author_id=member.user_id,
            author_name=self._name,
            role=Role.MEMBER,
            text=text,
            created_at=now,
        )

    async def _meet(self, member: Member) -> None:
        """Set lasting consent for a new person who has not chosen; the terminal gave the notice.

        While the database is away, this is left to the first line after it is back.
        """
        if member.user_id in self._met:
            return
        self._app.conversation.skip_notice(member)
        with suppress(DatabaseUnavailable):
            overview = await self._app.memory.member_data.show(member)
            if overview.choices.consent is None:
                await self._app.memory.editor.set_consent(member, Consent.LASTING)
            self._met.add(member.user_id)

    def _member(self) -> Member:
        return Member(GUILD_ID, person_id(self._name))

    # --- commands ------------------------------------------------------------------------------

    async def _as(self, arguments: list[str]) -> None:
        self._name = _argument(arguments, "Give a name, such as :as Robin")
        self._write(f"You are now {self._name}.")

    async def _in_channel(self, arguments: list[str]) -> None:
        self._channel = _channel_name(arguments)
        self._write(f"You are now in #{self._channel}.")

    async def _move_clock(self, arguments: list[str]) -> None:
        shift = _SHIFT.fullmatch("".join(arguments))
        if shift is None:
            raise BadInput("Give a duration, such as :clock +8d or :clock +90m.")
        amount = int(shift[2]) * (-1 if shift[1] == "-" else 1)
        by = timedelta(**{_UNITS[shift[3]]: amount})
        try:
            is_within = FIRST_YEAR <= (self._clock.now() + by).year <= LAST_YEAR
        except OverflowError:
            is_within = False
        if not is_within:
            raise BadInput(f"The clock only works from {FIRST_YEAR} to {LAST_YEAR}.")
        self._clock.shift(by)
        self._write(f"It is now {self._clock.now():%A, %d %B %Y, %H:%M} UTC.")

    async def _show_prompt(self, arguments: list[str]) -> None:
        self._write(self._last_block or "(the last turn had no memory block)")

    async def _prune(self, arguments: list[str]) -> None:
        report = await self._app.admin.job_runs.prune_now(trusts_clock=True)
        self._write(f"Pruned: {report}." if report else "Another process is pruning already.")

    async def _help(self, arguments: list[str]) -> None:
        self._write(CONSOLE_HELP)

    async def _quit(self, arguments: list[str]) -> None:
        raise Quit

    async def _memory(self, arguments: list[str]) -> None:
        now = self._clock.now()

        def make_statement(text: str) -> Statement:
            return Statement(text, snowflake(now), channel_id(self._channel))

        member = self._member()
        await self._meet(member)
        answer = await self._memory_lines.answer(member, arguments, make_statement)
        self._write(answer if arguments[:1] == ["export"] else plain(answer))

    async def _reset(self, arguments: list[str]) -> None:
        await self._app.memory.editor.reset(GUILD_ID, channel_id(self._channel))
        self._write("I start fresh in this channel; what I know about people stays.")

    async def _mode(self, arguments: list[str]) -> None:
        action, *options = arguments or ["show"]
        if action == "set":
            name = _argument(options, f"Name a mode: {', '.join(prompts.modes())}")
            settings = await self._app.guilds.settings.set_mode(GUILD_ID, name)
        elif action == "show":
            settings = await self._app.guilds.settings.get(GUILD_ID)
        else:
            raise BadInput("There is /mode show and /mode set NAME.")
        self._write(f"Mode: {settings.mode} (there are {', '.join(prompts.modes())}).")

    async def _config(self, arguments: list[str]) -> None:
        match arguments:
            case ["timezone", name]:
                settings = await self._app.guilds.settings.set_time_zone(GUILD_ID, name)
                self._write(f"Time zone: {settings.time_zone}.")
            case ["channel", ("chat" | "game" | "log" | "never") as purpose, "list"]:
                settings = await self._app.guilds.settings.get(GUILD_ID)
                channels = settings.channels_for(Purpose(purpose))
                names = [self._names.get(channel.channel_id, "(another)") for channel in channels]
                self._write(f"{purpose} channels: {', '.join(names) or 'none'}.")
            case ["channel", ("chat" | "game" | "log" | "never") as purpose, "add", name, *topics]:
                name = _channel_name([name])
                await self._app.guilds.settings.add_channel(
                    GUILD_ID, channel_id(name), Purpose(purpose), " ".join(topics)
                )
                self._names[channel_id(name)] = f"#{name}"
                self._write(f"#{name} is now a {purpose} channel.")
            case ["channel", ("chat" | "game" | "log" | "never") as purpose, "remove", name]:
                name = _channel_name([name])
                if not await self._app.guilds.settings.remove_channel(
                    GUILD_ID, channel_id(name), Purpose(purpose)
                ):
                    raise BadInput(f"#{name} is not a {purpose} channel.")
                self._write(f"#{name} is no longer a {purpose} channel.")
            case _:
                raise BadInput(
                    "There is /config timezone NAME and /config channel chat|game|log|never "
                    "add|remove|list [CHANNEL]."
                )

    async def _privacy(self, arguments: list[str]) -> None:
        self._write(plain(PRIVACY))


def plain(text: str) -> str:
    """Return Discord's Markdown as plain text for a terminal."""
    text = re.sub(r"^-# ", "", text, flags=re.MULTILINE)
    return re.sub(r"\\([\\*_`~|>#\-+.\[])", r"\1", re.sub(r"(?<!\\)(\*\*|[*`])", "", text))


def _argument(arguments: list[str], missing: str) -> str:
    name = clip(one_line(clean(" ".join(arguments))), NAME_LIMIT, ellipsis="")
    if not name:
        raise BadInput(f"{missing}.")
    return name


def _channel_name(arguments: list[str]) -> str:
    words = clean(" ".join(arguments)).lstrip("# ").split()
    return _argument(words, "Name a channel, such as :channel general")


def _audience(place_id: int) -> Audience:
    sources = frozenset({place_id, OPEN_CHANNEL_ID})
    return Audience(GUILD_ID, place_id, sources, is_open=True)

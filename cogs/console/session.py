"""One terminal session: who speaks, in which channel, and the answer to each line.

Each name is a person of one made-up server. Everyone reads its channels, except private ones.
"""

import asyncio
import re
from contextlib import suppress
from datetime import timedelta

from cogs.bot.texts import AWAY, ENDS_BEFORE, PRIVACY, UNWRITABLE
from cogs.console.help import CONSOLE_HELP, command_in, completions, unknown_command
from cogs.console.ids import (
    FIRST_YEAR,
    GUILD_ID,
    LAST_YEAR,
    OPEN_CHANNEL_ID,
    answer_event,
    audience,
    channel_id,
    person_id,
    snowflake,
)
from cogs.console.memory_lines import MemoryLines
from cogs.console.memory_watch import MemoryWatch, own_name
from cogs.console.output import Output
from cogs.console.server_lines import channel_name, mode_line, name_of
from cogs.memory.display import day_in_words
from utils.app import App
from utils.common.clock import Clock, local_time_zone
from utils.common.errors import (
    UNEXPECTED_ERROR,
    BadInput,
    DatabaseError,
    DatabaseUnavailable,
    KithError,
    log_unexpected,
)
from utils.common.program import as_called
from utils.common.text import clean, one_line
from utils.common.translation import ENGLISH, languages, translate
from utils.conversation.answer_stream import AnswerStream
from utils.memory.extraction.own_statements import certain_language
from utils.models.conversation import Answer, Turn
from utils.models.memory import Consent, Event, Member, Role
from utils.models.provenance import AnswerOrigin
from utils.models.recall import Person
from utils.models.transfer import Statement
from utils.runtime.metrics import MODEL, PLAIN
from utils.without_model.texts import texts_in

_SHIFT = re.compile(r"([+-]?)(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Quit(Exception):
    """The person asked to leave."""


class Console:
    """One terminal session: the speaker, the channel, and the last memory block.

    ``language`` is the terminal's, until a person's first line or ``:language`` says otherwise.
    """

    def __init__(self, app: App, clock: Clock, output: Output, language: str = ENGLISH) -> None:
        self._app = app
        self._clock = clock
        self._output = output
        self._name = "Guest"
        self._member = Member(GUILD_ID, person_id(self._name))
        self._channel = "general"
        self._met: set[int] = set()
        self._people: dict[str, None] = {}
        self._channels = {"general": None}
        self._last_block = ""
        self._last_answer: tuple[Turn, Answer] | None = None
        self._language = language
        self._chosen_language: str | None = None
        self._languages: dict[Member, str] = {}
        self._watch = MemoryWatch(app, output, self.tr)
        self._memory_lines = MemoryLines(app, self.tr)

    @property
    def name(self) -> str:
        """The speaker's name: what they call themselves, else what was typed after ``:as``."""
        return self._watch.names.get(self._member.user_id, self._name)

    @property
    def prompt(self) -> str:
        """The text before the line being typed."""
        return f"{self.name} #{self._channel}> "

    def tr(self, text: str, /, **values: object) -> str:
        """Return an English text in the language of the person who speaks, and filled in."""
        language = self._languages.get(self._member, self._language)
        return translate(self._chosen_language or language, text, **values)

    async def open(self) -> int:
        """Look up who speaks first; returns how many memories there are about them.

        Days and hours are those of this machine's time zone.
        """
        if self._reads_behind:
            self._watch.tell_at_once()
        guild_settings, zone = self._app.guilds.settings, local_time_zone()
        if (await guild_settings.get(GUILD_ID)).time_zone != zone:
            await guild_settings.set_values(GUILD_ID, time_zone=zone)
        await self._meet()
        return self._watch.number_known(self._member)

    def completions(self, line: str) -> list[str]:
        """Return the words that the last word of a line may become."""
        return completions(line, list(self._people), list(self._channels))

    async def handle(self, line: str) -> None:
        """Answer one line: a command or a message. An error is written as one sentence.

        Raises Quit when the person wants to leave. If it is cancelled, the answer stops.
        """
        line = line.strip()
        command = command_in(line)
        try:
            if command is not None or not self._reads_behind:
                await self._watch.read()
            if command is None:
                if clean(line):
                    await self._say(line)
            else:
                await self._carry_out(*command)
            await self._look_again()
        except KithError as error:
            self._output.notice(self.tr(error.template, **error.values))
        except (Quit, OSError):
            raise
        except Exception as error:
            self._output.notice(self.tr(UNEXPECTED_ERROR, reference=log_unexpected(error)))

    async def close(self) -> None:
        """Wait, within limits, until what was said is read; a sentence says so."""
        await self._watch.close()

    @property
    def _reads_behind(self) -> bool:
        """Whether messages are read while the next line is typed: a model takes seconds."""
        return self._output.is_live and self._app.model is not None

    async def _look_again(self) -> None:
        """Tell what was learnt, corrected or forgotten, as soon as it is."""
        if self._reads_behind:
            self._watch.read_behind()
        elif self._output.is_aloud:
            await self._watch.read()

    # --- talking -------------------------------------------------------------------------------

    async def _say(self, text: str) -> None:
        self._last_block, self._last_answer = "", None
        settings = await self._app.guilds.settings.get(GUILD_ID)
        await self._meet()
        if self._member not in self._languages and (language := certain_language(text)):
            self._languages[self._member] = language
        now, readers = self._clock.now(), audience(self._channel)
        event = Event(
            guild_id=GUILD_ID,
            channel_id=readers.channel_id,
            source_id=OPEN_CHANNEL_ID if readers.is_open else readers.channel_id,
            message_id=snowflake(now),
            author_id=self._member.user_id,
            author_name=self.name,
            role=Role.MEMBER,
            text=text,
            created_at=now,
        )
        people = self._app.guilds.members
        people.update_names(GUILD_ID, event.author_id, [self.name, self._name])
        named = await people.resolve(readers, text, settings, [event.author_id])
        turn = Turn(
            event=event,
            audience=readers,
            people=(Person(event.author_id, event.author_name), *named.people),
            named=named,
            settings=settings,
            channel_topics=settings.topics_of(event.channel_id, self._channel),
        )
        try:
            answer = await self._answer(turn)
        except KithError as error:
            self._app.runtime.metrics.count_reply(GUILD_ID, error)
            raise
        if answer is not None:
            self._last_block = answer.block
            self._last_answer = turn, answer
            await self._deliver(answer, turn)

    async def _answer(self, turn: Turn) -> Answer | None:
        """Return the answer; what there is of it is written as it comes, and if it is stopped."""
        if self._app.model is None:
            return await self._app.conversation.answer(turn)
        stream = AnswerStream()
        try:
            async with self._output.writing(stream):
                return await self._app.conversation.answer(turn, stream=stream)
        except asyncio.CancelledError:
            self._output.stopped(stream.take(), self.tr("(stopped)"))
            await self._look_again()
            raise

    async def _deliver(self, answer: Answer, turn: Turn) -> None:
        member, place_id = turn.event.member, turn.event.channel_id
        self._output.answer(answer.text)
        if answer.question is not None:
            spoken = texts_in(
                certain_language(turn.event.text) or self._languages.get(member, ENGLISH)
            )
            labels = enumerate(spoken.choices(answer.question), start=1)
            numbered = (f"{n}" if label == f"{n}" else f"{n} {label}" for n, label in labels)
            self._output.notice(" · ".join(numbered))
        await self._app.conversation.note_sent(answer)
        self._app.runtime.metrics.count_reply(GUILD_ID, PLAIN if self._app.model is None else MODEL)
        day = self._app.memory.end_notices.take(member, place_id)
        if day is not None:
            self._output.notice(self.tr(ENDS_BEFORE, day=day_in_words(day, self.tr)))
        if not (answer.has_memory and answer.is_stored):
            self._output.notice(self.tr(UNWRITABLE if answer.has_memory else AWAY))
        reply = answer_event(turn.event, answer, self._clock.now())
        await self._app.memory.recorder.record(reply, turn.audience)

    async def _meet(self) -> None:
        """Set lasting consent for a new person who has not chosen; the terminal gave the notice.

        While the database is away, this is left to the first line after it is back.
        """
        member = self._member
        if member.user_id in self._met:
            return
        self._people[self._name] = None
        self._app.conversation.skip_notice(member)
        with suppress(DatabaseUnavailable):
            overview = await self._app.memory.member_data.show(member)
            if overview.choices.consent is None:
                await self._app.memory.editor.set_consent(member, Consent.LASTING)
            self._watch.begin(member, overview)
            self._met.add(member.user_id)

    # --- commands ------------------------------------------------------------------------------

    async def _carry_out(self, command: str, arguments: list[str]) -> None:
        match command:
            case ":as":
                await self._as(arguments)
            case ":channel":
                self._channel = channel_name(arguments)
                self._channels[self._channel] = None
                self._output.notice(self.tr("You are now in #{channel}.", channel=self._channel))
            case ":clock":
                await self._move_clock(arguments)
            case ":prompt":
                self._output.verbatim(
                    self._last_block or self.tr("(the last turn had no memory block)")
                )
            case ":why":
                await self._why()
            case ":prune":
                report = await self._app.admin.job_runs.prune(is_awaited=True, trusts_clock=True)
                if report is None:
                    self._output.notice(self.tr("Another process is pruning."))
                else:
                    self._output.notice(
                        self.tr("Pruned: {report}.", report=report.in_words(self.tr))
                    )
            case ":language":
                self._speak(" ".join(arguments).casefold())
            case ":help" | "/help":
                self._output.verbatim(as_called(self.tr(CONSOLE_HELP)))
            case ":quit" | ":exit":
                raise Quit
            case "/memory":
                await self._memory(arguments)
            case "/reset":
                await self._app.memory.editor.reset(GUILD_ID, channel_id(self._channel))
                self._output.notice(
                    self.tr("I start fresh in this channel; what I know about people stays.")
                )
            case "/mode":
                self._output.notice(await mode_line(self._app.guilds.settings, arguments, self.tr))
            case "/privacy":
                self._output.notice(self.tr(PRIVACY))
            case _:
                raise unknown_command(command)

    async def _as(self, arguments: list[str]) -> None:
        name = name_of(arguments, BadInput("Give a name, such as :as Robin."))
        self._member = await self._person(name)
        self._name = name
        await self._meet()
        self._output.notice(self.tr("You are now {name}.", name=self.name))

    async def _person(self, name: str) -> Member:
        """Return who a name means: who spoke under it, else who calls themselves that."""
        member = Member(GUILD_ID, person_id(name))
        data = self._app.memory
        with suppress(BadInput, DatabaseError):  # a name without words, or a database away
            if member.user_id in self._met or (await data.member_data.show(member)).rows:
                return member
            matches = await data.search.of_server(GUILD_ID, name, [OPEN_CHANNEL_ID])
            for row in matches.rows:
                if (own_name([row]) or "").casefold() == name.casefold():
                    return Member(GUILD_ID, row.user_id)
        return member

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
            raise BadInput(
                "The clock only works from {first} to {last}.", first=FIRST_YEAR, last=LAST_YEAR
            )
        self._clock.shift(by)
        settings = await self._app.guilds.settings.get(GUILD_ID)
        now = self._clock.now().astimezone(settings.zone)
        weekday, day = self.tr(f"{now:%A}"), day_in_words(now, self.tr)
        self._output.notice(
            self.tr(
                "It is now {weekday}, {day}, {time}.",
                weekday=weekday,
                day=day,
                time=f"{now:%H:%M %Z}",
            )
        )

    async def _why(self) -> None:
        origins: list[AnswerOrigin] = []
        if self._last_answer is not None:
            turn, answer = self._last_answer
            origins = await self._app.memory.member_data.origins_of_new(
                turn.event, answer.text, answer.provenance.sources, turn.audience.sources
            )
        zone = (await self._app.guilds.settings.get(GUILD_ID)).zone
        lines = []
        for origin in origins:
            without_text = "(its words are erased)" if origin.user_id else "(a summary)"
            day = day_in_words(origin.said_at.astimezone(zone), self.tr)
            lines.append(f"{day}: {one_line(origin.text) or self.tr(without_text)}")
        self._output.verbatim(
            "\n".join(lines)
            or self.tr("(nothing stored has two words in common with the last answer)")
        )

    def _speak(self, word: str) -> None:
        """Choose the language of what the terminal says, by its code or its own name."""
        names = {  # a translation of "English" is the language's own name
            code: translate(code, "English") for code in (ENGLISH, *languages())
        }
        chosen = [code for code, name in names.items() if word in (code, name.casefold())]
        if not chosen:
            raise BadInput("There is :language {languages}.", languages="|".join(names))
        self._chosen_language = chosen[0]
        self._output.notice(
            self.tr("I speak English now. What you tell me is understood in every language I know.")
        )

    async def _memory(self, arguments: list[str]) -> None:
        now = self._clock.now()

        def make_statement(text: str) -> Statement:
            return Statement(text, snowflake(now), channel_id(self._channel))

        await self._meet()
        answer = await self._memory_lines.answer(self._member, arguments, make_statement)
        write = self._output.verbatim if arguments[:1] == ["export"] else self._output.notice
        write(answer)

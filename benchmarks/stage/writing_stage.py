"""Plays the cases of benchmarks.writing on a real program, with a model played from the case."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from benchmarks.datasets.writing_cases import Case, CaseLine, Label
from benchmarks.stage.played_program import (
    KITH_ID,
    MEMBER_ID,
    PlayedProgram,
    build_program,
    started,
)
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import ChatRequest, FakeModelServer, prompt_of
from utils.common.text import clip, one_line
from utils.database.core.engine import Connection
from utils.database.core.queries import run
from utils.database.messages import events, said
from utils.database.schema.memory_tables import memory_event
from utils.memory.consolidation.wording import same_wording
from utils.memory.verification.sentences import normalised
from utils.models.memory import (
    MEMORY_LIMIT,
    Event,
    EventState,
    Form,
    Member,
    Memory,
)
from utils.nlp.dates.relative import with_dates

NO_MODEL = "without_a_model"
KITH = "kith"
DROPPED = "dropped: "  # for this reason
_NOTE = re.compile(r"^  (n\d+) (.*?)(?: \(KNOWN: .*\))?$")
_SENTENCE = re.compile(r"^(s\d+)\b")


@dataclass(frozen=True, slots=True)
class PlayedCase:
    """A case with what came of it.

    ``outcomes`` has for each candidate, or without a model for each read message, "note", "quote",
    or that it was dropped and why. If it asked something: ``answer`` is what was sent, ``block``
    and ``last_turns`` are what the prompt held of memory and of the turns before the question.
    """

    case: Case
    outcomes: tuple[str, ...]
    notes: tuple[str, ...]
    quotes: tuple[str, ...]
    answer: str = ""
    block: str = ""
    last_turns: str = ""

    @property
    def is_in_block(self) -> bool:
        """Whether the block of the answer holds every expected word."""
        return _holds(self.block, self.case.expect)

    @property
    def is_answered(self) -> bool:
        """Whether block or last turns, or without a model the answer, hold every expected word."""
        told_text = self.answer if self.case.candidates is None else self.last_turns
        return self.is_in_block or _holds(told_text, self.case.expect)


@dataclass(slots=True)
class PlayedModel:
    """Answers the extractions and verifications of the running case.

    ``verdicts`` overrides those of the cases.
    """

    verdicts: str | None = None
    case: Case | None = None

    def extract(self, _: ChatRequest) -> dict[str, Any]:
        """Return the arguments of ``extract_memories``: the case's candidates."""
        case = self.case
        assert case is not None
        ids = {read: f"s{number}" for number, read in enumerate(case.read, start=1)}
        memories = [
            {
                "note": candidate["note"],
                "quote": candidate["quote"],
                "message": ids.get(candidate.get("message", ""), ""),
                "kind": candidate["kind"],
                "attribute": candidate.get("attribute") or "",
                "topics": candidate.get("topics") or [],
                "importance": candidate.get("importance") or "medium",
                "until": candidate.get("until") or "permanent",
                "confirms": candidate.get("confirms"),
                "replaces": candidate.get("replaces"),
            }
            for candidate in case.candidates or ()
        ]
        return {"memories": memories, "profile_update": None}

    def verify(self, request: ChatRequest) -> dict[str, Any]:
        """Return the arguments of ``judge``; arguments without lists where there is no verdict."""
        own: set[str] = set()
        follows: list[str] = []
        sentence = words = ""
        for line in prompt_of(request, "user").partition("\nSAID")[2].splitlines():
            if match := _SENTENCE.match(line):
                sentence, words = match[1], normalised(line)
            elif match := _NOTE.match(line):
                judgement = self._judgement(match[2], words)
                if judgement == "fail":
                    return {}
                if judgement != "other":
                    own.add(sentence)
                if judgement == "supported":
                    follows.append(match[1])
        listed = " ".join(follows)
        return {"own": " ".join(sorted(own)), "follows": listed, "same": listed,
                "untrue": listed, "profile": False}  # fmt: skip

    def _judgement(self, note: str, sentence: str) -> str:
        """Return the verdict about a note of the case; ``sentence`` tells equal notes apart."""
        case = self.case
        assert case is not None
        verdicts = self.verdicts or case.verdicts
        if verdicts == "none":
            return "fail"
        if verdicts == "all":
            return "supported"
        indexes = [
            index
            for index, candidate in enumerate(case.candidates or ())
            if clip(one_line(str(candidate["note"])), MEMORY_LIMIT, at_word=True) == note
        ]
        if not indexes:
            return "unsupported"
        quotes = [normalised(str(candidate["quote"])) for candidate in case.candidates or ()]
        index = next((index for index in indexes if quotes[index] in sentence), indexes[0])
        if isinstance(verdicts, str):
            return "supported" if case.labels[index] is Label.HONEST else "unsupported"
        return verdicts[index]


@dataclass(slots=True)
class WritingStage(PlayedProgram):
    """A running program in which every case has a server of its own."""

    model: PlayedModel
    last_turns: str = ""

    async def play(self, case: Case) -> PlayedCase:
        """Hear a case's messages, extract those to be read, ask its question."""
        names = (line.author for line in case.lines if line.author.casefold() != KITH)
        members = {name: MEMBER_ID + index for index, name in enumerate(dict.fromkeys(names))}
        guild_id = await self.new_server(members.values())
        refused = self.app.memory.recorder.extraction.refused.copy()
        self.model.case = case
        message_ids: dict[str, int] = {}
        for line in case.lines:
            self.set_time(line.at)
            reply_to_id = message_ids.get(line.reply_to) if line.reply_to else None
            author_id = members.get(line.author, KITH_ID)
            event = self.event(guild_id, line.text, author_id, line.name, reply_to_id)
            message_ids[line.id] = event.message_id
            await self.record(event)
            if line.id not in case.read:
                await self.app.database.write(_leave_unread, event=event)
        await self.app.memory.recorder.settle()
        reader = next(line for line in reversed(case.lines) if line.id in case.read)
        member = Member(guild_id, members[reader.author])
        rows = (await self.app.memory.member_data.show(member)).rows
        behind = await self.app.database.read(run, query=said.source_messages(member))
        reasons = self.app.memory.recorder.extraction.refused - refused
        played = PlayedCase(
            case,
            tuple(_outcomes(case, rows, message_ids, behind, list(reasons.elements()))),
            tuple(row.text for row in rows if row.form is Form.NOTE),
            tuple(row.text for row in rows if row.form is Form.QUOTE),
        )
        return await self._asked(played, member, reader) if case.ask else played

    async def _asked(self, played: PlayedCase, member: Member, reader: CaseLine) -> PlayedCase:
        """Let the last read author ask the case's question, one minute later."""
        self.set_time(max(line.at for line in played.case.lines) + timedelta(minutes=1))
        question = self.event(member.guild_id, played.case.ask, member.user_id, reader.name)
        answer = await self.ask(question)
        await self.app.memory.recorder.settle()
        return replace(played, answer=answer.text, block=answer.block, last_turns=self.last_turns)

    def reply(self, request: ChatRequest) -> str:
        """Answer a question, and keep the turns before it that its prompt holds."""
        *earlier, _ = request["messages"]
        self.last_turns = "\n".join(
            str(message["content"]) for message in earlier if message["role"] != "system"
        )
        return "Here is my answer."


@asynccontextmanager
async def stages(
    folder: Path, verdicts: str | None
) -> AsyncIterator[tuple[WritingStage, WritingStage]]:
    """Open a program with a model that is played, and one without a model."""
    model = PlayedModel(verdicts)
    async with FakeModelServer() as server:
        clock = ManualClock()
        with_model = build_program(folder / "model.db", clock, openai_base_url=server.base_url)
        stage = WritingStage(with_model, clock, model)
        plain_clock = ManualClock()
        plain = WritingStage(build_program(folder / "plain.db", plain_clock), plain_clock, model)
        server.reply_with(stage.reply)
        server.extract_with(model.extract)
        server.verify_with(model.verify)
        async with started(stage, plain):
            yield stage, plain


def _leave_unread(connection: Connection, event: Event) -> None:
    """Mark a message that is only heard, so that nothing extracts it."""
    columns = memory_event.c
    stored = select(columns.Id).where(
        columns.GuildId == event.guild_id, columns.MessageId == event.message_id
    )
    ids = list(connection.execute(stored).scalars())
    events.finish(connection, ids, EventState.DONE)


def _outcomes(
    case: Case,
    rows: Sequence[Memory],
    message_ids: Mapping[str, int],
    behind: Mapping[int, Sequence[int]],
    reasons: list[str],
) -> Iterator[str]:
    """Yield what became of each candidate, or of each read message without a model.

    ``behind`` maps a row's id to the messages that it rests on. What left no row takes the next of
    the reasons for which something was refused.
    """
    for forms in _forms(case, rows, message_ids, behind):
        if forms:
            yield Form.NOTE if Form.NOTE in forms else Form.QUOTE
        else:
            yield DROPPED + (reasons.pop(0) if reasons else "not proposed")


def _forms(
    case: Case,
    rows: Sequence[Memory],
    message_ids: Mapping[str, int],
    behind: Mapping[int, Sequence[int]],
) -> Iterator[set[Form]]:
    """Yield the forms in which each item of a case is stored."""
    if case.candidates is None:
        for read in case.read:
            yield {row.form for row in rows if message_ids[read] in behind.get(row.id, ())}
        return
    for item in case.candidates:
        note, quote = str(item["note"]), normalised(str(item["quote"]))
        ahead = {"task": True, "episode": False}.get(str(item["kind"]))
        said_at = next((line.at for line in case.lines if line.id == item.get("message")), None)
        dated = said_at and with_dates(note, said_at, UTC, weekdays_ahead=ahead)
        wordings = [note, *([dated.text] if dated else [])]
        yield {
            row.form
            for row in rows
            if (
                any(same_wording(row.text, wording, same_attribute=False) for wording in wordings)
                if row.form is Form.NOTE
                else quote in normalised(row.text) or normalised(row.text) in quote
            )
        }


def _holds(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return bool(words) and all(word.casefold() in folded for word in words)

"""Plays conversations on a program without a model, and says which lines its answers quote."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path

from benchmarks.datasets.writing_cases import PlayedQuestion, SaidLine, SpokenConversation
from tests.fakes.clock import ManualClock
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.memory.verification.sentences import normalised
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.recall import Person

USER_ID = 10
NAME = "Ada"
_QUOTED = re.compile(r"[“„]([^“”„]+)[”“]")


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question of a conversation, its answer, and the ids of the lines that this quotes.

    "" among them stands for a quotation of none of the lines.
    """

    conversation: SpokenConversation
    question: PlayedQuestion
    answer: str
    quoted: frozenset[str]

    @property
    def is_right(self) -> bool:
        """Whether it quotes what answers; where nothing does, whether it quotes nothing."""
        gold = self.question.gold
        return not self.quoted if not gold else not self.quoted.isdisjoint(gold)

    @property
    def is_wrong(self) -> bool:
        """Whether it quotes something else than was asked, or only what is over."""
        is_other = not self.quoted.isdisjoint(self.question.wrong)
        return bool(self.quoted) and (is_other or not self.is_right)


@dataclass(slots=True)
class AnswerStage:
    """A running program in which every conversation has a server of its own."""

    app: App
    clock: ManualClock
    _guilds: "count[int]" = field(default_factory=lambda: count(1))
    _messages: "count[int]" = field(default_factory=lambda: count(1))

    async def play(self, conversation: SpokenConversation) -> list[AnsweredQuestion]:
        """Hear a conversation's lines and ask its questions."""
        guild_id = await self.hear(conversation.lines)
        lines = {line.id: line.text for line in conversation.lines}
        answered = []
        for question in conversation.questions:
            answer = await self.ask(guild_id, question.ask, question.at)
            ids = quoted(answer, lines)
            answered.append(AnsweredQuestion(conversation, question, answer, frozenset(ids)))
        return answered

    async def hear(self, lines: Sequence[SaidLine]) -> int:
        """Let a member say something; returns the server's id."""
        guild_id = next(self._guilds)
        await self.app.memory.editor.set_consent(Member(guild_id, USER_ID), Consent.LASTING)
        self.app.conversation.skip_notice(Member(guild_id, USER_ID))
        for line in lines:
            self._set_time(line.at)
            event = self._event(line.text, guild_id)
            await self.app.memory.recorder.record(event, _audience(guild_id))
            await self.app.memory.recorder.settle()
        return guild_id

    async def ask(self, guild_id: int, text: str, at: datetime) -> str:
        """Return the answer to a question."""
        self._set_time(at)
        event = self._event(text, guild_id)
        settings = GuildSettings(guild_id, consent_default=Consent.LASTING)
        turn = Turn(event, _audience(guild_id), (Person(USER_ID, NAME),), settings)
        answer = await self.app.conversation.answer(turn)
        assert answer is not None
        return answer.text

    def _set_time(self, at: datetime) -> None:
        self.clock.jump(at - self.clock.now())

    def _event(self, text: str, guild_id: int) -> Event:
        return Event(
            guild_id=guild_id,
            channel_id=guild_id,
            source_id=guild_id,
            message_id=next(self._messages),
            author_id=USER_ID,
            author_name=NAME,
            role=Role.MEMBER,
            text=text,
            created_at=self.clock.now(),
        )


def quoted(answer: str, lines: Mapping[str, str]) -> set[str]:
    """Return the ids of the lines that an answer quotes; "" stands for words of none of them."""
    ids: set[str] = set()
    for match in _QUOTED.finditer(answer):
        words = normalised(match[1].rstrip("…"))
        of = {line_id for line_id, text in lines.items() if words in normalised(text)}
        ids |= of or {""}
    return ids


def _audience(guild_id: int) -> Audience:
    return Audience(guild_id, guild_id, frozenset({guild_id}), is_open=True)


@asynccontextmanager
async def answer_stage(folder: Path) -> AsyncIterator[AnswerStage]:
    """Open a program without a model."""
    clock = ManualClock()
    url = f"sqlite:///{folder / 'answers.db'}"
    app = build(load_settings(env_file=None, database_url=url), clock)
    await app.start()
    try:
        yield AnswerStage(app, clock)
    finally:
        await app.close()

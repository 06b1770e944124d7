"""Plays conversations on a program without a model, and says which lines its answers quote."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.datasets.writing_cases import PlayedQuestion, SpokenConversation
from benchmarks.stage.played_program import MEMBER_ID, PlayedProgram, build_program, started
from tests.fakes.clock import ManualClock
from utils.memory.verification.sentences import normalised
from utils.models.memory import Member

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


class AnswerStage(PlayedProgram):
    """A running program in which every conversation has a server of its own."""

    async def play(self, conversation: SpokenConversation) -> list[AnsweredQuestion]:
        """Hear a conversation's lines and ask its questions."""
        guild_id = await self.new_server()
        self.app.conversation.skip_notice(Member(guild_id, MEMBER_ID))
        for line in conversation.lines:
            self.set_time(line.at)
            await self.record(self.event(guild_id, line.text))
            await self.app.memory.recorder.settle()
        lines = {line.id: line.text for line in conversation.lines}
        answered = []
        for question in conversation.questions:
            self.set_time(question.at)
            answer = (await self.ask(self.event(guild_id, question.ask))).text
            ids = quoted(answer, lines)
            answered.append(AnsweredQuestion(conversation, question, answer, frozenset(ids)))
        return answered


def quoted(answer: str, lines: Mapping[str, str]) -> set[str]:
    """Return the ids of the lines that an answer quotes; "" stands for words of none of them."""
    ids: set[str] = set()
    for match in _QUOTED.finditer(answer):
        words = normalised(match[1].rstrip("…"))
        of = {line_id for line_id, text in lines.items() if words in normalised(text)}
        ids |= of or {""}
    return ids


@asynccontextmanager
async def answer_stage(folder: Path) -> AsyncIterator[AnswerStage]:
    """Open a program without a model."""
    clock = ManualClock()
    stage = AnswerStage(build_program(folder / "answers.db", clock), clock)
    async with started(stage):
        yield stage

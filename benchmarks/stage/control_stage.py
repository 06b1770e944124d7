"""Plays wishes to forget, correct and remember on a real program, with and without a model."""

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.datasets.writing_cases import ControlCase
from benchmarks.stage.played_program import MEMBER_ID, PlayedProgram, build_program, started
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import Answer, ChatRequest, FakeModelServer, prompt_of, tools
from utils.memory.extraction.llm_extractor import FORGET
from utils.models.memory import Member

PAUSE = timedelta(minutes=2)
_CHOICE = re.compile(r"^(\d)\. (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlayedWish:
    """A case with the answer, what was asked back, and what is left of the member's words."""

    case: ControlCase
    answer: str
    is_asked: bool
    texts_left: tuple[str, ...]

    @property
    def is_done(self) -> bool:
        """Whether the wish was carried out; a question back counts once its yes did so."""
        texts_left = "\n".join(self.texts_left).casefold()
        has_kept = all(word.casefold() in texts_left for word in self.case.kept)
        new = self.case.kept[-1:] if self.case.kind == "correct" else ()
        old = [text for text in self.texts_left if not _has(text, new)]
        is_gone = not any(_has(text, self.case.gone) for text in old)
        return is_gone and has_kept and not (self.case.kind == "talk" and self.is_asked)


@dataclass(slots=True)
class ControlStage(PlayedProgram):
    """A running program; every case has a server of its own."""

    case: ControlCase | None = None
    is_wishing: bool = False

    def reply(self, request: ChatRequest) -> Answer | str:
        """Call the case's tool for its wish, and tell the memory block for other messages."""
        assert self.case is not None
        results = [message for message in request["messages"] if message["role"] == "tool"]
        if self.is_wishing and self.case.call and not results:
            arguments = {name: text for name, text in self.case.call.items() if name != "name"}
            return tools((self.case.call["name"], arguments))
        if results:
            return f"So: {results[-1]['content']}"
        text = prompt_of(request, "user").rstrip()
        answers = [line["answer"] for line in self.case.said if text.endswith(line["text"])]
        return answers[-1] or "I see." if answers and not self.is_wishing else "I see."

    def extract(self, request: ChatRequest) -> dict[str, Any]:
        """Return the notes of the case's lines that the burst has; the wish is marked as one."""
        assert self.case is not None
        burst = prompt_of(request, "user").partition("\nSAID")[2]
        lines = [(line["text"], line["note"], False) for line in self.case.said if line["note"]]
        if self.case.kind == "forget":
            lines.append((self.case.wish, self.case.wish, True))
        memories = [
            {
                "note": note, "quote": text, "message": "", "attribute": "", "topics": "",
                "kind": FORGET if is_wish else "fact", "importance": "medium",
                "until": "permanent", "confirms": "", "replaces": "",
            }
            for text, note, is_wish in lines
            if text in burst
        ]  # fmt: skip
        return {"memories": memories, "profile_update": None}

    async def play(self, case: ControlCase) -> PlayedWish:
        """Say the case's lines, then its wish; answer a question back with yes."""
        guild_id, self.case, self.is_wishing = await self.new_server(), case, False
        member = Member(guild_id, MEMBER_ID)
        for line in case.said:
            await self._say(guild_id, line["text"])
        self.is_wishing = True
        answer, is_asked = await self._say(guild_id, case.wish)
        self.is_wishing = False
        if is_asked:
            choices = dict(_CHOICE.findall(answer)) or {"1": answer}
            meant = [n for n, text in choices.items() if not case.gone or _has(text, case.gone)]
            if meant and case.kind != "talk":
                await self._say(guild_id, meant[0])
        rows = (await self.app.memory.member_data.show(member)).rows
        messages = await self.app.memory.member_data.messages(member)
        is_corrected = case.kind == "correct" and self.app.model is not None
        texts = [row.text for row in rows]
        texts += [] if is_corrected else [message.text for message in messages]
        return PlayedWish(case, answer, is_asked, tuple(texts))

    async def _say(self, guild_id: int, text: str) -> tuple[str, bool]:
        self.clock.jump(PAUSE)
        question = self.event(guild_id, text)
        answer = await self.ask(question)
        await self.record_answer(question, answer)
        await self.app.memory.recorder.settle()
        return answer.text, answer.question is not None


def _has(text: str, words: Iterable[str]) -> bool:
    return any(word.casefold() in text.casefold() for word in words)


@asynccontextmanager
async def control_stages(folder: Path) -> AsyncIterator[tuple[ControlStage, ControlStage]]:
    """Open a program with a model that is played, and one without a model."""
    async with FakeModelServer() as server:
        with_model, plain = stages = [
            ControlStage(build_program(folder / f"control_{name}.db", clock, **settings), clock)
            for name, clock, settings in (
                ("model", ManualClock(), {"openai_base_url": server.base_url}),
                ("plain", ManualClock(), {}),
            )
        ]
        server.reply_with(with_model.reply)
        server.extract_with(with_model.extract)
        async with started(*stages):
            yield with_model, plain

"""Plays a week of talk with Kith, and counts the calls and tokens that memory costs."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.stage.played_program import PlayedProgram, build_program, started
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import ChatRequest, FakeModelServer, support_all
from utils.common.text import estimate_tokens
from utils.memory.extraction.own_statements import own_statements

PAUSE = timedelta(minutes=3)


@dataclass(slots=True)
class PlayedTalk:
    """What a talk cost.

    Attributes:
        messages: what the member said.
        calls: how many extractions, verifications and answers.
        teaching: the prompt tokens of each burst that taught something: of memory, and of answers.
    """

    messages: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    teaching: list[tuple[int, int]] = field(default_factory=list)
    burst: Sequence[str] = ()
    tokens: Counter[str] = field(default_factory=Counter)

    @property
    def memory_calls(self) -> int:
        """How many calls were no answers."""
        return self.calls.total() - self.calls["answer"]

    def reply(self, request: ChatRequest) -> str:
        """Answer a message."""
        self._count("answer", request)
        return "I see."

    def extract(self, request: ChatRequest) -> dict[str, Any]:
        """Return a note of each sentence that tells something, as a model would."""
        self._count("extraction", request)
        notes = [
            {"note": sentence, "quote": sentence, "kind": "fact", "importance": "medium"}
            for text in self.burst
            for sentence in own_statements(text)
        ]
        return {"memories": notes, "profile_update": None}

    def verify(self, request: ChatRequest) -> dict[str, Any]:
        """Support every note."""
        self._count("verification", request)
        return support_all(request)

    def _count(self, call: str, request: ChatRequest) -> None:
        self.calls[call] += 1
        texts = [str(message["content"]) for message in request["messages"]]
        texts.append(json.dumps(request.get("tools") or [], ensure_ascii=False))
        self.tokens[call] += sum(map(estimate_tokens, texts))


async def play_talk(folder: Path, bursts: Sequence[Sequence[str]]) -> PlayedTalk:
    """Say each burst of a talk to a program with a model, and let it be read."""
    talk, clock = PlayedTalk(), ManualClock()
    async with FakeModelServer() as server:
        server.reply_with(talk.reply)
        server.extract_with(talk.extract)
        server.verify_with(talk.verify)
        app = build_program(folder / "talk.db", clock, openai_base_url=server.base_url)
        program = PlayedProgram(app, clock)
        async with started(program):
            guild_id = await program.new_server()
            for burst in bursts:
                clock.jump(PAUSE)
                talk.burst, talk.tokens = burst, Counter()
                for text in burst:
                    question = program.event(guild_id, text)
                    await program.record_answer(question, await program.ask(question))
                await app.memory.recorder.settle()
                talk.messages += len(burst)
                if talk.tokens["verification"]:
                    answers = talk.tokens.pop("answer")
                    talk.teaching.append((talk.tokens.total(), answers))
    return talk

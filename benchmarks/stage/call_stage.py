"""Plays a week of talk with Kith, and counts the calls and tokens that memory costs."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.stage.writing_stage import build_program
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import ChatRequest, FakeModelServer, support_all
from utils.common.text import estimate_tokens
from utils.memory.extraction.own_statements import own_statements
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.recall import Person

MEMBER = Member(1, 10)
KITH_ID = 2
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


def load_bursts(file: Path) -> list[list[str]]:
    """Return the bursts of a talk: lines that a member sends within seconds."""
    bursts: list[list[str]] = json.loads(file.read_text(encoding="utf-8"))["bursts"]
    return bursts


async def play_talk(folder: Path, bursts: Sequence[Sequence[str]]) -> PlayedTalk:
    """Say each burst of a talk to a program with a model, and let it be read."""
    talk, clock, ids = PlayedTalk(), ManualClock(), count(1000)
    audience = Audience(1, 1, frozenset({1}), is_open=True)
    settings = GuildSettings(1, consent_default=Consent.LASTING)
    async with FakeModelServer() as server:
        server.reply_with(talk.reply)
        server.extract_with(talk.extract)
        server.verify_with(talk.verify)
        app = build_program(folder / "talk.db", clock, openai_base_url=server.base_url)
        await app.start()
        await app.memory.editor.set_consent(MEMBER, Consent.LASTING)
        for burst in bursts:
            clock.jump(PAUSE)
            talk.burst, talk.tokens = burst, Counter()
            for text in burst:
                event = Event(1, 1, 1, next(ids), 10, "Ada", Role.MEMBER, text, clock.now())
                turn = Turn(event, audience, (Person(10, "Ada"),), settings)
                answer = await app.conversation.answer(turn)
                assert answer is not None
                told = Event(
                    1, 1, 1, next(ids), KITH_ID, "Kith", Role.KITH, answer.text, clock.now(),
                    reply_to_id=event.message_id, about_ids=answer.about_ids,
                    provenance=answer.provenance,
                )  # fmt: skip
                await app.memory.recorder.record(told, audience)
            await app.memory.recorder.settle()
            talk.messages += len(burst)
            if talk.tokens["verification"]:
                answers = talk.tokens.pop("answer")
                talk.teaching.append((talk.tokens.total(), answers))
        await app.close()
    return talk

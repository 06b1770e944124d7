"""A language model that knows the demo's script: it answers what ``community.toml`` says.

It stands where a real model would, so that everything it answers is checked, verified and stored
by the same services.
"""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from cogs.demo.community import Community, Scene, ScriptLine
from utils.common.errors import ModelUnreachable
from utils.common.text import estimate_tokens
from utils.llm.client import LanguageModel
from utils.llm.streaming import TextSink
from utils.memory.episodes import lore, summarizer
from utils.memory.extraction import llm_extractor
from utils.memory.verification import model_verifier
from utils.models.llm import ChatMessage, Completion, ToolDefinition, ToolResult, Usage
from utils.sentiment import llm_analysis

NAME = "demo-model"
CLAIM = re.compile(r"  (n\d+) (.*?)(?: \(KNOWN: .*\))?")
SENTENCE = re.compile(r"(s\d+)[ :]")
PERSON = re.compile(r"(p\d+) = (.*)")


class CommunityModel(LanguageModel):
    """Answers from the community's script; it needs no endpoint."""

    def __init__(self, community: Community, now: datetime) -> None:
        self.chat_model = self.triage_model = self.verify_model = NAME
        self._now = now
        self._scenes = community.scene
        self._lines = {line.text: line for scene in community.scene for line in scene.lines}
        notes = [note for line in self._lines.values() for note in line.notes]
        self._doubtful = {note.note for note in notes if note.doubtful}
        self._unjudged = {note.note for note in notes if note.unjudged}
        self._tools: dict[str, Callable[[str], dict[str, Any]]] = {
            llm_extractor.TOOL.name: self._extract,
            model_verifier.TOOL.name: self._judge,
            summarizer.SUMMARISE.name: self._summarise,
            summarizer.CLOSE.name: self._close_episode,
            lore.JUDGE.name: lambda prompt: {"kept": [1]},
            llm_analysis.TOOL.name: self._score,
        }

    @asynccontextmanager
    async def slot(
        self, before_waiting: Callable[[], Awaitable[None]]
    ) -> AsyncIterator[Callable[[], None]]:
        """Nobody waits for this model."""
        yield lambda: None

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolDefinition] = (),
        max_tokens: int = 1024,
        temperature: float = 0.7,
        stream: TextSink | None = None,
        prefer: Sequence[str] = (),
        model: str | None = None,
    ) -> Completion:
        """Return the script's reply to the last message."""
        line = next(line for text, line in self._lines.items() if text in messages[-1].text)
        return Completion(line.reply, _usage(messages, line.reply), truncated=False)

    async def call_tool(
        self,
        messages: Sequence[ChatMessage],
        tool: ToolDefinition,
        *,
        temperature: float = 0.2,
        max_tokens: int = 2048,
        model: str | None = None,
    ) -> ToolResult:
        """Return what the script says about the messages in a prompt.

        Raises ModelUnreachable where the script says that a note is not judged.
        """
        arguments = self._tools[tool.name](messages[-1].text)
        return ToolResult(arguments, _usage(messages, json.dumps(arguments)), NAME)

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _extract(self, prompt: str) -> dict[str, Any]:
        memory_texts = dict(re.findall(r"^(m\d+): (.*?)(?: \[[^\]]*\])?$", prompt, re.MULTILINE))
        ids = {text: short for short, text in memory_texts.items()}
        memories = [
            {
                "note": note.note,
                "quote": line.text,
                "message": message,
                "kind": note.kind.value,
                "attribute": note.attribute,
                "topics": note.topics.split(", "),
                "importance": note.importance,
                "until": "permanent"
                if note.until is None
                else (self._now - timedelta(days=note.until)).date().isoformat(),
                "confirms": ids.get(note.confirms or ""),
                "replaces": ids.get(note.replaces or ""),
            }
            for message, line in self._quoted(prompt, SENTENCE)
            for note in line.notes
        ]
        return {"memories": memories, "profile_update": None}

    def _judge(self, prompt: str) -> dict[str, Any]:
        lines = prompt.splitlines()
        claims = [match.groups() for line in lines if (match := CLAIM.fullmatch(line))]
        if any(note in self._unjudged for _, note in claims):
            raise ModelUnreachable
        every = " ".join(number for number, _ in claims)
        return {
            "own": " ".join(match[1] for line in lines if (match := SENTENCE.match(line))),
            "follows": " ".join(number for number, note in claims if note not in self._doubtful),
            "same": every,
            "untrue": every,
            "profile": True,
        }

    def _summarise(self, prompt: str) -> dict[str, Any]:
        return {"summary": self._scene(prompt).summary}

    def _close_episode(self, prompt: str) -> dict[str, Any]:
        scene = self._scene(prompt)
        people = {name: short for short, name in PERSON.findall(prompt)}
        story = scene.lore and {
            "text": scene.lore.text,
            "told": [
                {"person": people.get(quote.by), "quote": quote.quote}
                for quote in scene.lore.quotes
            ],
        }
        return {
            "summary": scene.summary,
            "topic": scene.topic,
            **{name: list(getattr(scene, name, ())) for name in summarizer.LISTS},
            "loops": [
                {
                    "person": people.get(loop.by),
                    "kind": loop.kind,
                    "text": loop.text,
                    "quote": loop.quote,
                }
                for loop in scene.loops
            ],
            "lore": [story] if story else None,
            "memories": [],
        }

    def _score(self, prompt: str) -> dict[str, Any]:
        reports = []
        for number, line in self._quoted(prompt, re.compile(r"\[(\d+)\]")):
            sentiment, toxicity, tension = line.score or (0.0, 0.0, 0.0)
            note = {"note": line.note, "durable": True, "quote": line.text} if line.note else None
            reports.append(
                {
                    "id": int(number),
                    "sentiment": sentiment,
                    "toxicity": toxicity,
                    "tension": tension,
                    "reason": line.reason,
                    "note_update": note,
                }
            )
        return {"messages": reports}

    def _quoted(self, prompt: str, number: re.Pattern[str]) -> list[tuple[str, ScriptLine]]:
        """Return the script's messages in a prompt, each with its number there."""
        return [
            (match[1], line)
            for prompt_line in prompt.splitlines()
            if (match := number.match(prompt_line))
            for text, line in self._lines.items()
            if prompt_line.endswith(f": {text}")
        ]

    def _scene(self, prompt: str) -> Scene:
        return next(
            scene for scene in self._scenes if any(line.text in prompt for line in scene.lines)
        )


def _usage(messages: Sequence[ChatMessage], answer: str) -> Usage:
    prompt_tokens = sum(estimate_tokens(message.text) for message in messages)
    return Usage(prompt_tokens, estimate_tokens(answer))

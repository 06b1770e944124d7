"""A model that writes summaries as it is told to, and keeps what it was asked."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from utils.models.llm import ChatMessage, ToolDefinition, ToolResult, Usage

Handler = Callable[[str], dict[str, Any]]


def lines_said(asked: str) -> list[str]:
    """What stands under SAID in a request for a summary, without times and short ids."""
    said = asked.rpartition("\nSAID\n")[2].removesuffix("\nEND OF WHAT WAS SAID")
    return [line.partition("] ")[2].partition(": ")[2] for line in said.splitlines()]


def word_for_word(asked: str) -> dict[str, Any]:
    """A summary of everything that was said, word for word."""
    lines = (line if line.endswith(("?", ".")) else f"{line}." for line in lines_said(asked))
    return {"summary": " ".join(lines)}


class Scribe:
    """Stands in for LanguageModel: ``failures`` are raised first, one a call."""

    triage_model = "fake-triage"
    verify_model = "fake-verify"

    def __init__(self, write: Handler = word_for_word) -> None:
        self.write = write
        self.failures: deque[Exception] = deque()
        self.gate: asyncio.Event | None = None
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.asked: list[tuple[str, str]] = []
        self.models: list[str] = []

    async def call_tool(
        self,
        messages: Sequence[ChatMessage],
        tool: ToolDefinition,
        *,
        temperature: float = 0.2,
        max_tokens: int,
        model: str | None = None,
    ) -> ToolResult:
        asked = messages[-1].text
        self.models.append(model or self.triage_model)
        self.asked.append((tool.name, asked))
        self.begun.put_nowait(asked)
        if self.gate is not None:
            await self.gate.wait()
        if self.failures:
            raise self.failures.popleft()
        least: dict[str, Any] = {name: [] for name in tool.parameters["properties"]}
        given = least | {"topic": ""} | self.write(asked)
        arguments = {name: given[name] for name in tool.parameters["properties"]}
        return ToolResult(arguments, Usage(100, 20), model or self.triage_model)

    @property
    def said(self) -> list[list[str]]:
        """What it was shown, call by call."""
        return [lines_said(asked) for _, asked in self.asked]

    @property
    def tools(self) -> list[str]:
        return [name for name, _ in self.asked]

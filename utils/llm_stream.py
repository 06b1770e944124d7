"""An answer that arrives in pieces (server-sent events), put together to one chat completion.

Pure: it is fed bytes, and opens no connection. What it puts together is read by
:mod:`utils.llm_wire` like an answer that came whole, and so is a body that is no stream at all.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from utils.llm_json import may_be_calls
from utils.llm_wire import read_usage, thinks_aloud, without_thoughts, words_of
from utils.model.llm import Usage, as_json

OnText = Callable[[str], None]
"""Hears the words of an answer so far; another call may begin anew, or with fewer of them."""


class Arriving:
    """What has come of an answer; ``is_whole`` once its end was told, not only its connection's.

    ``offers``: tools were offered, so that what looks like a call is no words to be heard.
    """

    def __init__(self, on_text: OnText, *, offers: bool = False) -> None:
        self.is_whole = False
        self._on_text = on_text
        self._offers = offers
        self._is_stream = False
        self._rest = self._other = b""
        self._said: dict[str, str] = {"content": "", "refusal": "", "reasoning_content": ""}
        self._calls: list[dict[str, str]] = []
        self._call_at: dict[int, int] = {}
        self._reason: str | None = None
        self._told: dict[str, Any] = {}

    def feed(self, data: bytes) -> None:
        """Take the next bytes, wherever they were cut."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._is_stream = True
                self._take(line[5:].strip())
            elif not self._is_stream:
                self._other += line

    def end(self) -> None:
        """Take note that all has come: a last line may lack its end, and a body is none."""
        self.feed(b"\n")
        self.is_whole |= bool(self._other) and not self._is_stream

    def body(self) -> object:
        """Return what came as the body of a chat completion; None if it is not JSON."""
        if not self._is_stream:
            return _parsed(self._other)
        message: dict[str, Any] = {**self._said, "tool_calls": self._tool_calls()}
        choice = {"message": message, "finish_reason": self._reason}
        is_anything = self._reason or self._calls or any(self._said.values())
        return {**self._told, "choices": [choice] if is_anything else []}

    def usage(self, request: Mapping[str, Any]) -> Usage:
        """Return about what it cost so far: nothing while nothing came."""
        written = "".join([*self._said.values(), *(one["arguments"] for one in self._calls)])
        return read_usage(self._told, request, written) if written else Usage()

    @property
    def has_thoughts_as_words(self) -> bool:
        """Whether thoughts came as words, and nothing told that they were thoughts."""
        return self._is_stream and thinks_aloud(self._said["content"])

    def _take(self, data: bytes) -> None:
        if data == b"[DONE]":
            self.is_whole = True
            return
        chunk = _parsed(data)
        if not isinstance(chunk, dict):
            return
        if chunk.get("error"):
            self.is_whole = True
        self._told |= {key: chunk[key] for key in ("error", "usage") if chunk.get(key)}
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if isinstance(choice, dict) and choice.get("index") in (0, None):
            self._choice(choice)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            self._delta(delta)
        if isinstance(reason := choice.get("finish_reason"), str):
            self._reason, self.is_whole = reason, True

    def _delta(self, delta: Mapping[str, Any]) -> None:
        thought = words_of(delta.get("reasoning_content") or delta.get("reasoning"))
        self._said["reasoning_content"] += thought
        self._said["refusal"] += words_of(delta.get("refusal"))
        if piece := words_of(delta.get("content")):
            self._said["content"] += piece
            self._hear()
        calls = delta.get("tool_calls")
        for call in (
            calls if isinstance(calls, list) else [{"function": delta.get("function_call")}]
        ):
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                self._call(call, call["function"])

    def _call(self, call: Mapping[str, Any], function: Mapping[str, Any]) -> None:
        """Add a piece to the call that it belongs to, or begin one.

        A piece names its call by a number; some endpoints give none, or all calls the same.
        """
        index, call_id = call.get("index"), words_of(call.get("id"))
        index = index if isinstance(index, int) else -1
        place = self._call_at.get(index)
        is_other = place is not None and call_id and self._calls[place]["id"] not in ("", call_id)
        if place is None or is_other or (index < 0 and call_id):
            place = self._call_at[index] = len(self._calls)
            self._calls.append({"id": "", "name": "", "arguments": ""})
        found = self._calls[place]
        found["id"] = found["id"] or call_id
        found["name"] = found["name"] or words_of(function.get("name"))
        found["arguments"] += as_json(function.get("arguments"))

    def _tool_calls(self) -> list[dict[str, Any]]:
        return [
            {"id": one["id"], "function": {"name": one["name"], "arguments": one["arguments"]}}
            for one in self._calls
        ]

    def _hear(self) -> None:
        """Let the words so far be heard, without thoughts and what may be a call."""
        words = self._said["content"]
        if words.lstrip()[:1] == "<" or "</think" in words:
            words = without_thoughts(words)
        if words.strip() and not (self._offers and may_be_calls(words)):
            self._on_text(words)


def _parsed(data: bytes) -> object:
    """Return what bytes say in JSON; None if they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None

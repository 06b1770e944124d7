"""Assemble a streamed answer (server-sent events) into one chat completion.

Pure: it is fed bytes. :mod:`utils.llm.chat_completions` parses the result like a complete answer,
and so it does a body that is no stream.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from utils.llm.capabilities import reported_error
from utils.llm.chat_completions import ending_of, read_usage, words_of
from utils.llm.json_reader import parsed
from utils.llm.json_repair import may_be_calls, without_marks
from utils.llm.repetition import end_before_circles
from utils.llm.thoughts import thinks_unmarked, without_thoughts
from utils.models.llm import Usage, as_json

EAGER = 6_000  # characters: all is read again with each piece, then ever more rarely
MAX_DOUBLED = 3  # characters: a text's second half may be its first again, as in "haha"


class TextSink(Protocol):
    """Receives an answer while the model writes it."""

    def push(self, text: str) -> None:
        """Take the whole text so far. Another request may start again, with less text."""


class StreamAccumulator:
    """Collects an answer.

    Attributes:
        is_whole: the model said that it ended, or goes round in circles: then nothing more counts.
        shown: the text that was pushed last.
        error: status and text of an error that the stream reports, or None.
        is_damaged: a chunk before its end is not JSON, so words or a part of a call are lost.
        is_closed: the stream's own last line came, also where the model never said that it ended,
            but not where it failed.

    Args:
        offers: tools were offered, so text that looks like a call is not pushed.
    """

    def __init__(self, sink: TextSink, *, offers: bool = False) -> None:
        self.is_whole = False
        self.shown = ""
        self.error: tuple[int, str] | None = None
        self.is_damaged = self.is_closed = False
        self._sink = sink
        self._offers = offers
        self._is_stream = self._is_circling = False
        self._rest = self._other = b""
        self._next_push = 0
        self._texts: dict[str, str] = {"content": "", "refusal": "", "reasoning_content": ""}
        self._calls: list[dict[str, str]] = []
        self._call_at: dict[int, int] = {}
        self._reason: str | None = None
        self._metadata: dict[str, Any] = {}

    def feed(self, data: bytes) -> bool | None:
        """Add the next bytes, cut anywhere. Returns whether they are more than signs of life.

        None: the model goes round in circles, and need not go on.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        goes_on = False
        for line in lines:
            if self._is_circling:
                break
            if line.startswith(b"data:"):
                self._is_stream = goes_on = True
                self._take(line[5:].strip())
            elif not self._is_stream:
                self._other += line
        return None if self._is_circling else goes_on

    def shown_in_all(self) -> str:
        """Push what of a long text was not pushed yet. Returns the text that was pushed last."""
        self._next_push = 0
        self._push()
        return self.shown

    def cut(self) -> None:
        """End an answer at what was shown of it."""
        self._texts["content"], self._calls, self._reason = self.shown, [], "length"

    def end(self) -> None:
        """Mark the end of the input; the last line may lack its line break."""
        self.feed(b"\n")
        self.is_whole |= bool(self._other) and not self._is_stream

    def body(self) -> object:
        """Return the input as the body of a chat completion; None if it is not JSON."""
        if not self._is_stream:
            return parsed(self._other)
        message: dict[str, Any] = {
            **self._texts,
            "tool_calls": [
                {
                    "id": call["id"],
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for call in self._calls
            ],
        }
        choice = {"message": message, "finish_reason": self._reason}
        is_anything = self._reason or self._calls or any(self._texts.values())
        return {**self._metadata, "choices": [choice] if is_anything else []}

    def usage(self, request: Mapping[str, Any]) -> Usage:
        """Return an estimate of the cost so far; zero before the first text."""
        output = "".join([*self._texts.values(), *(call["arguments"] for call in self._calls)])
        return read_usage(self._metadata, request, output) if output else Usage()

    @property
    def has_thoughts_as_text(self) -> bool:
        """Whether reasoning was streamed as text, without a mark at its start."""
        return self._is_stream and thinks_unmarked(self._texts["content"])

    def _take(self, data: bytes) -> None:
        chunk = parsed(data)
        if not isinstance(chunk, dict):
            self.is_damaged |= data.startswith(b"{") and not self._reason
            self.is_closed |= data == b"[DONE]" and self._reason != "error"
            return
        self.error = self.error or reported_error(chunk)
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        in_choice = choice.get("usage") if isinstance(choice, dict) else None  # Moonshot's place
        if usage := chunk.get("usage") or in_choice:
            self._metadata["usage"] = usage
        if isinstance(choice, dict) and choice.get("index") in (0, None):
            self._choice(choice)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            before, piece = self._texts["content"], words_of(delta.get("content"))
            is_whole = ending_of(choice) and piece.startswith(before)
            if is_whole and not choice.get("delta"):  # MiniMax repeats all of it at its end
                self._texts = dict.fromkeys(self._texts, "")
                if delta.get("tool_calls"):
                    self._calls, self._call_at = [], {}
            elif is_whole and len(before) > MAX_DOUBLED:  # Rapid-MLX its text
                self._texts["content"] = ""
            thought = words_of(
                delta.get("reasoning_content") or delta.get("reasoning") or delta.get("thinking")
            )
            self._texts["reasoning_content"] += thought
            self._texts["refusal"] += words_of(delta.get("refusal"))
            if piece:
                if self._calls and (self._reason or "").startswith("tool_call") and piece.strip():
                    # An agent such as Haystack's went on after calls, so it ran them itself.
                    self._calls, self._call_at, self._reason, self.is_whole = [], {}, None, False
                self._texts["content"] += piece
                self._push()
            calls = delta.get("tool_calls")
            for call in (
                calls if isinstance(calls, list) else [{"function": delta.get("function_call")}]
            ):
                if isinstance(call, dict) and isinstance(call.get("function"), dict):
                    self._call(call, call["function"])
        if reason := ending_of(choice):
            self._reason, self.is_whole = reason, reason != "error"

    def _call(self, call: Mapping[str, Any], function: Mapping[str, Any]) -> None:
        """Add a piece to its call, or start a new call.

        A piece has its call's index; some endpoints send none, or the same for all calls.
        """
        index, call_id = call.get("index"), words_of(call.get("id"))
        index = index if isinstance(index, int) else -1
        place = self._call_at.get(index)
        is_other = place is not None and call_id and self._calls[place]["id"] not in ("", call_id)
        if place is None or is_other or (index < 0 and call_id):
            place = self._call_at[index] = len(self._calls)
            self._calls.append({"id": "", "name": "", "arguments": ""})
        target = self._calls[place]
        target["id"] = target["id"] or call_id
        target["name"] = target["name"] or words_of(function.get("name"))
        target["arguments"] += as_json(function.get("arguments"))

    def _push(self) -> None:
        """Push the text so far, without reasoning and without what may be a call."""
        content = self._texts["content"]
        if len(content) < self._next_push:
            return
        self._next_push = len(content) + max(0, len(content) - EAGER) // 16
        words = without_marks(without_thoughts(content, is_growing=True))
        if words not in ("", self.shown) and not (self._offers and may_be_calls(words)):
            self.shown = words
            self._sink.push(words)
            if end_before_circles(words) is not None:
                self._is_circling = self.is_whole = True

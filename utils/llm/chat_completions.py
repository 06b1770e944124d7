"""Build chat completion requests and parse their answers. Pure functions."""

import base64
import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from utils.common.text import estimate_tokens
from utils.llm.capabilities import Feature
from utils.llm.json_repair import (
    known_name,
    parse_arguments,
    parse_call,
    without_lone_surrogates,
    written_calls,
)
from utils.llm.thoughts import holds_thoughts, without_thoughts
from utils.models.llm import (
    ChatMessage,
    Picture,
    ToolCall,
    ToolDefinition,
    Usage,
    alternating,
    as_json,
    in_words,
)

TOKENS_PER_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class CompletionChoice:
    """One choice of a completion: text, the arguments of a required tool call, and the usage.

    ``calls`` are the calls of offered tools.
    """

    text: str
    call: str | None
    usage: Usage
    truncated: bool
    filtered: bool
    refused: bool = False
    calls: tuple[ToolCall, ...] = ()

    @property
    def final(self) -> bool:
        """Whether asking in another form is pointless: a call, a refusal, or cut off."""
        return self.call is not None or self.refused or self.truncated

    @property
    def is_nothing(self) -> bool:
        """Whether it ended with neither text nor call, without saying why."""
        return not (self.text or self.call or self.calls or self.truncated or self.filtered)

    @property
    def runs_on(self) -> bool:
        """Whether it is text that was cut off where a call was wanted."""
        return self.truncated and bool(self.text) and not (self.call or self.filtered)

    def lacks_room(self, tool: ToolDefinition | None) -> bool:
        """Whether thoughts took its room: it is empty, or a required call was cut off."""
        is_empty = not (self.text or self.call or self.calls)
        is_short = self.truncated and not self.filtered
        return is_short and (is_empty or (tool is not None and self.usage.thought_tokens > 0))

    def arguments(self, tool: ToolDefinition) -> dict[str, Any]:
        """Return the arguments of a required call, repaired if needed. Raises ValueError."""
        written = self.call or self.text
        _, calls = written_calls(written, {tool.name: tool.parameters})
        own = ",".join(arguments for _, arguments in calls if arguments.startswith("{"))
        return parse_arguments(f"[{own}]" if own else written, tool.parameters)

    def fits(self, tool: ToolDefinition | None) -> bool:
        """Whether it has usable arguments of a required call."""
        try:
            return tool is not None and bool(self.arguments(tool))
        except ValueError:
            return False


# -- requests -------------------------------------------------------------------------------


def build_request(
    model: str,
    messages: Sequence[ChatMessage],
    tool: ToolDefinition | None,
    *,
    offered: Sequence[ToolDefinition],
    max_tokens: int,
    temperature: float,
    without: Set[Feature],
    streams: bool = False,
    effort: str = "",
) -> dict[str, Any]:
    """Return the body of a chat completion request without the features of ``without``.

    The model must call ``tool``, or may call any of ``offered``. ``streams`` requests a stream,
    ``effort`` how much a model thinks that can do so.
    """
    written: ToolDefinition | None = None  # its arguments are wanted as text
    if tool is not None and Feature.TOOLS in without:
        messages, tool, written = _with_schema(messages, tool), None, tool
    if {Feature.OFFERED_TOOLS, Feature.TOOL_MESSAGES} & without:
        messages = in_words(messages)
    if Feature.SYSTEM in without:  # such models know turns of two roles only
        messages = [replace(m, role="user") if m.role == "system" else m for m in messages]
    if {Feature.REPEATED_ROLES, Feature.SYSTEM} & without:
        messages = alternating(messages)
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in messages],
    }
    if Feature.MAX_TOKENS not in without:
        body["max_tokens"] = max_tokens
    elif Feature.MAX_COMPLETION_TOKENS not in without:
        body["max_completion_tokens"] = max_tokens
    if Feature.TEMPERATURE not in without:
        body["temperature"] = temperature
    if effort and Feature.EFFORT not in without:
        body["reasoning_effort"] = effort
    if written is not None and Feature.SCHEMA not in without:
        schema = {"name": written.name, "schema": written.parameters}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if tool is not None:
        body |= _required(tool, without)
    elif offered and Feature.OFFERED_TOOLS not in without:
        is_strict = Feature.STRICT not in without
        body["tools"] = [_tool(definition, is_strict) for definition in offered]
        if not {Feature.AUTO_CHOICE, Feature.TOOL_CHOICE} & without:
            body["tool_choice"] = "auto"
    if streams and Feature.STREAM not in without:
        body["stream"] = True
        if Feature.STREAM_USAGE not in without:
            body["stream_options"] = {"include_usage": True}
    return body


def _required(tool: ToolDefinition, without: Set[Feature]) -> dict[str, Any]:
    body: dict[str, Any] = {"tools": [_tool(tool, Feature.STRICT not in without)]}
    if Feature.TOOL_CHOICE not in without:
        named = {"type": "function", "function": {"name": tool.name}}
        body["tool_choice"] = "required" if Feature.NAMED_TOOL in without else named
    if Feature.PARALLEL not in without:
        body["parallel_tool_calls"] = False
    return body


def _tool(tool: ToolDefinition, is_strict: bool) -> dict[str, Any]:
    """Return a tool as requests hold it."""
    function: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    if is_strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def _message(message: ChatMessage) -> dict[str, Any]:
    text = without_lone_surrogates(message.text)
    body: dict[str, Any] = {"role": str(message.role), "content": shown(text, message.pictures)}
    if message.role == "tool":
        return {**body, "tool_call_id": message.call_id or ""}
    if message.calls:
        body["content"] = text or None
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": _plain_name(call.name) or "unknown",
                    "arguments": without_lone_surrogates(as_json(call.arguments)),
                },
            }
            for call in message.calls
        ]
    return body


def _plain_name(name: str) -> str:
    """Return the name in the letters that endpoints accept in one; it may be empty."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")[:64]


def _with_schema(messages: Sequence[ChatMessage], tool: ToolDefinition) -> list[ChatMessage]:
    """Ask for the arguments as plain JSON, in the first system message."""
    instruction = (
        f"Answer with one JSON object and no other words. It holds the arguments of "
        f"`{tool.name}` ({tool.description}) and matches this JSON Schema:\n"
        f"{json.dumps(tool.parameters, ensure_ascii=False)}"
    )
    if messages and messages[0].role == "system":
        first = replace(messages[0], text=f"{messages[0].text}\n\n{instruction}")
        return [first, *messages[1:]]
    return [ChatMessage("system", instruction), *messages]


# -- answers --------------------------------------------------------------------------------

_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
_TEXT_PARTS = (None, "text", "output_text", "refusal")  # not "reasoning_text"
_ENDINGS = {  # in OpenAI's words; of Mistral, DeepSeek, gateways to Gemini and Claude
    **dict.fromkeys(("max_tokens", "model_length"), "length"),
    **dict.fromkeys(("safety", "prohibited_content", "recitation"), "content_filter"),
    **dict.fromkeys(("insufficient_system_resource", "abort"), "error"),
    **dict.fromkeys(("null", "none"), ""),
}


def read_answer(
    body: object, request: Mapping[str, Any], offered: Sequence[ToolDefinition]
) -> CompletionChoice | None:
    """Return the first choice of a chat completion; None if there is none, or the model failed.

    Missing token counts are estimated from ``request`` and the answer. ``offered`` are the tools
    that the model may call.
    """
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return None
    content, refusal = words_of(message.get("content")), words_of(message.get("refusal"))
    all_arguments = [arguments for *_, arguments in _calls(message)]
    is_several = len(all_arguments) > 1  # written as one list
    call = f"[{','.join(all_arguments)}]" if is_several else next(iter(all_arguments), None)
    thoughts = next(filter(None, (words_of(message.get(name)) for name in _THOUGHT_FIELDS)), "")
    output = content + refusal + (call or "") + thoughts
    reason = ending_of(choice)
    answer = without_thoughts(content, is_cut=reason == "length")
    if holds_thoughts(content):
        thoughts += content[: len(content) - len(answer)]
    text = without_lone_surrogates(answer or refusal.strip())
    text, calls = _chosen(message, text, request, offered) if offered else (text, ())
    if reason == "error" and not (text or call or calls):
        return None
    return CompletionChoice(
        text=text,
        call=call,
        usage=read_usage(body, request, output, thoughts),
        truncated=reason in ("length", "content_filter") or (reason == "error" and bool(text)),
        filtered=reason == "content_filter",
        refused=bool(refusal) and not content,
        calls=calls,
    )


def read_usage(body: object, request: Mapping[str, Any], output: str, thoughts: str = "") -> Usage:
    """Return the endpoint's own count of tokens; where it is missing, an estimate.

    ``output`` is all that the model wrote, ``thoughts`` what of it is no answer.
    """
    reported = body.get("usage") if isinstance(body, dict) else None
    usage: dict[str, Any] = reported if isinstance(reported, dict) else {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    is_reported = type(prompt) is int and prompt > 0
    if type(prompt) is not int or prompt <= 0:
        messages: list[dict[str, Any]] = request["messages"]
        extra = [request.get("tools"), *(message.get("tool_calls") for message in messages)]
        prompt = sum(TOKENS_PER_MESSAGE + tokens_of(m["content"]) for m in messages)
        prompt += sum(estimate_tokens(json.dumps(e, ensure_ascii=False)) for e in extra if e)
    if type(completion) is not int or completion < 0 or (completion == 0 and output):
        completion = estimate_tokens(output)
    details = usage.get("completion_tokens_details")
    thought = details.get("reasoning_tokens") if isinstance(details, dict) else None
    if type(thought) is not int or thought <= 0:
        thought = estimate_tokens(thoughts)
    return Usage(prompt, completion, is_reported, thought_tokens=thought)


def ending_of(choice: Mapping[str, Any]) -> str:
    """Return why an answer ended, in OpenAI's words or as "error"; "" if it did not."""
    reason = words_of(choice.get("finish_reason")).strip().casefold()
    return _ENDINGS.get(reason, reason)


def words_of(content: object) -> str:
    """Return the text of a message's content, which may be null, a string or parts.

    A part of another kind, such as a thought, is none of it.
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (
        part.get("text", part.get("refusal")) if isinstance(part, dict) else part
        for part in parts
        if not isinstance(part, dict)
        or (part.get("type") in _TEXT_PARTS and not part.get("thought"))
    )
    return "".join(text for text in texts if isinstance(text, str))


def _calls(message: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the message's tool calls: ids and names, which may be empty, and arguments."""
    listed = message.get("tool_calls")
    calls = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    return [
        (
            without_lone_surrogates(words_of(call.get("id"))),
            without_lone_surrogates(words_of(function.get("name"))),
            as_json(function.get("arguments")),
        )
        for call in calls or [{"function": message.get("function_call")}]
        if isinstance(function := call.get("function"), dict)
    ]


def _chosen(
    message: Mapping[str, Any],
    text: str,
    request: Mapping[str, Any],
    offered: Sequence[ToolDefinition],
) -> tuple[str, tuple[ToolCall, ...]]:
    """Return an answer's text and calls; some models write their calls as text.

    An id that is missing, or was used before, is replaced by one that every endpoint accepts.
    """
    schemas = {tool.name: tool.parameters for tool in offered}
    requested = [
        (call_id, known_name(name, schemas), arguments)
        for call_id, name, arguments in _calls(message)
    ]
    if not requested:
        text, calls_in_text = written_calls(text, schemas)
        requested = [("", name, arguments) for name, arguments in calls_in_text]
    used_ids = {call["id"] for sent in request["messages"] for call in sent.get("tool_calls", ())}
    calls = []
    for index, (call_id, name, arguments) in enumerate(requested, start=len(used_ids)):
        fresh = f"call{index:05}" if not call_id or call_id in used_ids else call_id
        used_ids.add(fresh)
        schema = schemas.get(name, {"type": "object"})
        try:
            calls.append(ToolCall(fresh, name, parse_call(arguments, schema)))
        except ValueError:
            calls.append(ToolCall(fresh, name, {}, malformed=True))
    return text, tuple(calls)


PICTURE_TOKENS = 1_500
"""What one of at most 1,568 pixels a side costs about, with the models that count most for it."""


def shown(text: str, pictures: Sequence[Picture]) -> str | list[dict[str, Any]]:
    """Return a message's content: its text alone, or in parts where pictures come with it."""
    if not pictures:
        return text
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}]
    for picture in pictures:
        data = base64.b64encode(picture.data).decode()
        url = f"data:{picture.media_type};base64,{data}"
        parts.append({"type": "image_url", "image_url": {"url": url, "detail": "auto"}})
    return parts


def tokens_of(content: str | list[dict[str, Any]] | None) -> int:
    """Estimate what a message's content costs."""
    if not isinstance(content, list):
        return estimate_tokens(content or "")
    return sum(
        estimate_tokens(part["text"]) if part["type"] == "text" else PICTURE_TOKENS
        for part in content
    )

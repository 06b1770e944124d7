"""What an OpenAI-compatible endpoint is sent, and how its answers and refusals are read.

Pure functions: nothing here opens a connection, and nothing quotes a message or a key.
"""

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from utils.errors import ModelError, ModelRefused, ModelUnreachable
from utils.llm_json import without_lone_surrogates
from utils.model.llm import ChatMessage, ToolDefinition, Usage
from utils.text import estimate_tokens

TOKENS_PER_MESSAGE = 4


class Feature(StrEnum):
    """Something a request may use and an endpoint may refuse."""

    STRICT = "strict"
    PARALLEL = "parallel_tool_calls"
    NAMED_TOOL = "tool_choice by name"
    TOOL_CHOICE = "tool_choice"
    TOOLS = "tools"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    NAMES = "name"


@dataclass(frozen=True, slots=True)
class Answer:
    """One choice as it came: words, a tool call's arguments, and what was spent."""

    text: str
    call: str | None
    usage: Usage
    truncated: bool = False
    filtered: bool = False
    refused: bool = False

    @property
    def final(self) -> bool:
        """Whether asking in another form is pointless: a call, a refusal, or cut off."""
        return self.call is not None or self.refused or self.truncated


# -- requests -------------------------------------------------------------------------------


def build_request(
    model: str,
    messages: Sequence[ChatMessage],
    tool: ToolDefinition | None,
    *,
    max_tokens: int,
    temperature: float,
    without: Set[Feature],
) -> dict[str, Any]:
    """Write the body of a chat completion request that does not use ``without``."""
    if tool is not None and Feature.TOOLS in without:
        messages, tool = _with_schema(messages, tool), None
    limit = "max_completion_tokens" if Feature.MAX_TOKENS in without else "max_tokens"
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, Feature.NAMES not in without) for message in messages],
        limit: max_tokens,
    }
    if Feature.TEMPERATURE not in without:
        body["temperature"] = temperature
    if tool is None:
        return body
    function: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    if Feature.STRICT not in without:
        function["strict"] = True
    body["tools"] = [{"type": "function", "function": function}]
    if Feature.TOOL_CHOICE not in without:
        named = {"type": "function", "function": {"name": tool.name}}
        body["tool_choice"] = "required" if Feature.NAMED_TOOL in without else named
    if Feature.PARALLEL not in without:
        body["parallel_tool_calls"] = False
    return body


def _message(message: ChatMessage, named: bool) -> dict[str, str]:
    written = {"role": str(message.role), "content": without_lone_surrogates(message.text)}
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", message.name or "").strip("_")[:64]
    if named and name:
        written["name"] = name
    return written


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

_THOUGHTS = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_THOUGHTS_END = re.compile(r"^.*?^\s*</think(?:ing)?>[ \t]*$", re.DOTALL | re.MULTILINE)


def read_answer(body: object, request: Mapping[str, Any]) -> Answer | None:
    """Read the first choice of a chat completion; None when it is not one or has no choice.

    What the endpoint does not count is estimated from ``request`` and the answer.
    """
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return None
    content, refusal = _words(message.get("content")), _words(message.get("refusal"))
    call = _call(message)
    written = content + refusal + (call or "") + _words(message.get("reasoning_content"))
    reason = choice.get("finish_reason")
    return Answer(
        text=without_lone_surrogates(without_thoughts(content) or refusal.strip()),
        call=call,
        usage=read_usage(body, request, written),
        truncated=reason in ("length", "content_filter"),
        filtered=reason == "content_filter",
        refused=bool(refusal) and not content,
    )


def reported_error(body: object) -> tuple[int, str] | None:
    """Return the status and words of an error that came with status 200, as some routers do."""
    error = body.get("error") if isinstance(body, dict) else None
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    return (code if type(code) is int and 400 <= code < 600 else 502), str(error)


def without_thoughts(text: str) -> str:
    """Cut the reasoning that some models write in front of their answer."""
    while match := _THOUGHTS.match(text):
        text = text[match.end() :]
    return _THOUGHTS_END.sub("", text, count=1).strip()


def read_usage(body: object, request: Mapping[str, Any], written: str) -> Usage:
    """Return the endpoint's own count of tokens; where it is missing, an estimate."""
    reported = body.get("usage") if isinstance(body, dict) else None
    usage: dict[str, Any] = reported if isinstance(reported, dict) else {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(prompt) is not int or prompt <= 0:
        messages: list[dict[str, str]] = request["messages"]
        prompt = sum(TOKENS_PER_MESSAGE + estimate_tokens(m["content"]) for m in messages)
        if tools := request.get("tools"):
            prompt += estimate_tokens(json.dumps(tools, ensure_ascii=False))
    if type(completion) is not int or completion < 0 or (completion == 0 and written):
        completion = estimate_tokens(written)
    return Usage(prompt, completion)


def _words(content: object) -> str:
    """Join what is text in a message's content, which may be null, a string or parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (
        part.get("text", part.get("refusal")) if isinstance(part, dict) else part for part in parts
    )
    return "".join(text for text in texts if isinstance(text, str))


def _call(message: Mapping[str, Any]) -> str | None:
    """Return the arguments of the message's tool call as text, several calls as one list."""
    calls = message.get("tool_calls")
    functions = [call.get("function") for call in _dicts(calls)] or [message.get("function_call")]
    written = [_dump(function.get("arguments")) for function in _dicts(functions)]
    if len(written) > 1:
        return f"[{','.join(written)}]"
    return written[0] if written else None


def _dicts(items: object) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _dump(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


# -- refusals -------------------------------------------------------------------------------

_GIVING_UP = (
    Feature.STRICT,
    Feature.PARALLEL,
    Feature.NAMED_TOOL,
    Feature.TOOL_CHOICE,
    Feature.TOOLS,
)
_BLAMED = (
    (
        Feature.MAX_TOKENS,
        r"use .?max_completion_tokens|max_tokens\W.{0,40}(support|permit|unknown)",
    ),
    (Feature.TEMPERATURE, r"temperature"),
    (Feature.PARALLEL, r"parallel"),
    (Feature.STRICT, r"\bstrict\b|invalid schema|additionalproperties"),
    (Feature.NAMED_TOOL, r"tool[_ ]choice"),
    (Feature.TOOL_CHOICE, r"tool[_ ]choice"),
    (Feature.TOOLS, r"support(s|ed|ing)? (for )?(tool|function)|tools param|[\"']tools[\"']"),
    (Feature.NAMES, r"messages\W+\d+\W.{0,30}\bname\b"),
)
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|too (long|large|many tokens)|reduce the length"
)
_QUOTA = re.compile(
    r"insufficient.?(quota|credit|balance|funds)|billing|exceeded your current quota"
)


def features_used(request: Mapping[str, Any]) -> set[Feature]:
    """Return the features that a request body makes use of."""
    used = {feature for feature in Feature if feature.value in request}
    if isinstance(request.get("tool_choice"), dict):
        used.add(Feature.NAMED_TOOL)
    if any("strict" in tool["function"] for tool in request.get("tools", ())):
        used.add(Feature.STRICT)
    if any("name" in message for message in request["messages"]):
        used.add(Feature.NAMES)
    return used


def blamed_feature(status: int, said: str, used: Set[Feature]) -> Feature | None:
    """Return which of the features used to give up after a refusal, or None.

    ``said`` is what the endpoint said of it; it is read, never quoted.
    """
    said = said[:1000].lower()
    if status not in (400, 404, 422, 500, 501) or _TOO_LONG.search(said):
        return None
    for feature, pattern in _BLAMED:
        if feature in used and re.search(pattern, said):
            return feature
    if status in (400, 422, 501) and re.search("tool|function", said):
        return next((feature for feature in _GIVING_UP if feature in used), None)
    return None


def refusal(status: int, said: str) -> ModelError:
    """Return the error that an endpoint's status means; ``said`` is read, never quoted."""
    said = said[:1000].lower()
    if status == 402 or (status in (403, 429) and _QUOTA.search(said)):
        return ModelRefused(
            "My language model's quota is used up. Whoever runs me has to add credit there."
        )
    if status == 429:
        return ModelUnreachable(
            "My language model has too many requests right now; please ask again in a minute."
        )
    if status in (408, 409, 425) or status >= 500:
        return ModelUnreachable()
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(said)):
        return ModelRefused("That is too long for my language model; please ask with less text.")
    reason = _REASONS.get(status)
    return ModelRefused(f"{reason} {_DOCTOR}" if reason else None)


_DOCTOR = "Whoever runs me can check it with `python bot.py doctor`."
_REASONS = {
    401: "My language model does not accept my key (OPENAI_API_KEY).",
    403: "My key (OPENAI_API_KEY) may not use this language model.",
    404: "My language model does not exist there (CHAT_MODEL, TRIAGE_MODEL, OPENAI_BASE_URL).",
}

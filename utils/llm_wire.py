"""What an OpenAI-compatible endpoint is sent, and how its answers and refusals are read.

Pure functions: nothing here opens a connection, and nothing quotes a message or a key.
"""

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from utils.errors import ModelError, ModelRefused, ModelUnreachable, RequestRefused
from utils.llm_json import parse_call, without_lone_surrogates, written_calls
from utils.llm_pictures import shown, tokens_of
from utils.model.llm import ChatMessage, ToolCall, ToolDefinition, Usage, as_json, in_words
from utils.text import estimate_tokens

TOKENS_PER_MESSAGE = 4


class Feature(StrEnum):
    """Something a request may use and an endpoint may refuse.

    Tools that are offered are not the same as one that is asked for: some endpoints do only one.
    """

    STRICT = "strict"
    PARALLEL = "parallel_tool_calls"
    NAMED_TOOL = "tool_choice by name"
    TOOL_CHOICE = "tool_choice"
    TOOLS = "tools"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    NAMES = "name"
    AUTO_CHOICE = "tool_choice auto"
    OFFERED_TOOLS = "offered tools"
    TOOL_MESSAGES = "tool messages"


@dataclass(frozen=True, slots=True)
class Answer:
    """One choice as it came: words, the arguments of a tool call, and what was spent.

    ``calls`` is what was called of the tools that were offered.
    """

    text: str
    call: str | None
    usage: Usage
    truncated: bool = False
    filtered: bool = False
    refused: bool = False
    calls: tuple[ToolCall, ...] = ()

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
    offered: Sequence[ToolDefinition] = (),
    max_tokens: int,
    temperature: float,
    without: Set[Feature],
) -> dict[str, Any]:
    """Write the body of a chat completion request that does not use ``without``.

    ``tool`` must be called; of those ``offered`` instead, any may be.
    """
    if tool is not None and Feature.TOOLS in without:
        messages, tool = _with_schema(messages, tool), None
    if {Feature.OFFERED_TOOLS, Feature.TOOL_MESSAGES} & without:
        messages = in_words(messages)
    limit = "max_completion_tokens" if Feature.MAX_TOKENS in without else "max_tokens"
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, Feature.NAMES not in without) for message in messages],
        limit: max_tokens,
    }
    if Feature.TEMPERATURE not in without:
        body["temperature"] = temperature
    if tool is not None:
        body |= _required(tool, without)
    elif offered and Feature.OFFERED_TOOLS not in without:
        body["tools"] = [_tool(one, without) for one in offered]
        if not {Feature.AUTO_CHOICE, Feature.TOOL_CHOICE} & without:
            body["tool_choice"] = "auto"
    return body


def _required(tool: ToolDefinition, without: Set[Feature]) -> dict[str, Any]:
    body: dict[str, Any] = {"tools": [_tool(tool, without)]}
    if Feature.TOOL_CHOICE not in without:
        named = {"type": "function", "function": {"name": tool.name}}
        body["tool_choice"] = "required" if Feature.NAMED_TOOL in without else named
    if Feature.PARALLEL not in without:
        body["parallel_tool_calls"] = False
    return body


def _tool(tool: ToolDefinition, without: Set[Feature]) -> dict[str, Any]:
    function: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    if Feature.STRICT not in without:
        function["strict"] = True
    return {"type": "function", "function": function}


def _message(message: ChatMessage, named: bool) -> dict[str, Any]:
    text = without_lone_surrogates(message.text)
    written: dict[str, Any] = {"role": str(message.role), "content": shown(text, message.pictures)}
    if message.role == "tool":
        return {**written, "tool_call_id": message.call_id or ""}
    if message.calls:
        written["content"] = text or None
        written["tool_calls"] = [
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
    if named and (name := _plain_name(message.name)):
        written["name"] = name
    return written


def _plain_name(name: str | None) -> str:
    """Return the name in the letters that endpoints accept in one; it may be empty."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name or "").strip("_")[:64]


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


def read_answer(
    body: object, request: Mapping[str, Any], offered: Sequence[ToolDefinition] = ()
) -> Answer | None:
    """Read the first choice of a chat completion; None when it is not one or has no choice.

    What the endpoint does not count is estimated from ``request`` and the answer. ``offered`` are
    the tools whose calls are wanted.
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
    text = without_lone_surrogates(without_thoughts(content) or refusal.strip())
    text, calls = _chosen(message, text, request, offered) if offered else (text, ())
    return Answer(
        text=text,
        call=call,
        usage=read_usage(body, request, written),
        truncated=reason in ("length", "content_filter"),
        filtered=reason == "content_filter",
        refused=bool(refusal) and not content,
        calls=calls,
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
    is_reported = type(prompt) is int and prompt > 0
    if type(prompt) is not int or prompt <= 0:
        messages: list[dict[str, Any]] = request["messages"]
        extra = [request.get("tools"), *(message.get("tool_calls") for message in messages)]
        prompt = sum(TOKENS_PER_MESSAGE + tokens_of(m["content"]) for m in messages)
        prompt += sum(estimate_tokens(json.dumps(e, ensure_ascii=False)) for e in extra if e)
    if type(completion) is not int or completion < 0 or (completion == 0 and written):
        completion = estimate_tokens(written)
    return Usage(prompt, completion, is_reported)


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
    written = [arguments for *_, arguments in _calls(message)]
    return f"[{','.join(written)}]" if len(written) > 1 else next(iter(written), None)


def _calls(message: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the message's tool calls: ids and names, which may be empty, and arguments."""
    listed = message.get("tool_calls")
    calls = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    return [
        (
            without_lone_surrogates(_words(call.get("id"))),
            without_lone_surrogates(_words(function.get("name"))),
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
    """Return the words of an answer and its calls, which are sometimes written as the words.

    An id that is missing, or was used before, is replaced by one that every endpoint accepts.
    """
    schemas = {tool.name: tool.parameters for tool in offered}
    written = _calls(message)
    if not written and (told := written_calls(text, schemas)):
        text, written = "", [("", name, arguments) for name, arguments in told]
    taken = {call["id"] for sent in request["messages"] for call in sent.get("tool_calls", ())}
    calls = []
    for index, (call_id, name, arguments) in enumerate(written, start=len(taken)):
        fresh = f"call{index:05}" if not call_id or call_id in taken else call_id
        taken.add(fresh)
        schema = schemas.get(name, {"type": "object"})
        try:
            calls.append(ToolCall(fresh, name, parse_call(arguments, schema)))
        except ValueError:
            calls.append(ToolCall(fresh, name, {}, malformed=True))
    return text, tuple(calls)


# -- refusals -------------------------------------------------------------------------------

_GIVING_UP = (
    Feature.TOOL_MESSAGES,
    Feature.STRICT,
    Feature.PARALLEL,
    Feature.NAMED_TOOL,
    Feature.TOOL_CHOICE,
    Feature.TOOLS,
    Feature.AUTO_CHOICE,
    Feature.OFFERED_TOOLS,
)
_FAILED_CALL = r"tool_use_failed|failed_generation"
_OUT_OF_ORDER = r"must be (?:a response|followed by)"
_NO_TOOLS = r"support(s|ed|ing)? (for )?(tool|function)|tools param|[\"']tools[\"']"
_BLAMED = (
    (Feature.TOOL_MESSAGES, _OUT_OF_ORDER),
    (Feature.TOOLS, _FAILED_CALL),
    (Feature.OFFERED_TOOLS, _FAILED_CALL),
    (
        Feature.MAX_TOKENS,
        r"use .?max_completion_tokens|max_tokens\W.{0,40}(support|permit|unknown)",
    ),
    (Feature.TEMPERATURE, r"temperature"),
    (Feature.PARALLEL, r"parallel"),
    (Feature.STRICT, r"\bstrict\b|invalid schema|additionalproperties"),
    (Feature.NAMED_TOOL, r"tool[_ ]choice"),
    (Feature.TOOL_CHOICE, r"tool[_ ]choice"),
    (Feature.AUTO_CHOICE, r"tool[_ ]choice"),
    (Feature.NAMES, r"messages\W+\d+\W.{0,30}\bname\b"),
    (
        Feature.TOOL_MESSAGES,
        r"messages?\W{1,4}\d|tool_call|\broles?\b|reasoning_content|single tool|signature",
    ),
    (Feature.TOOLS, _NO_TOOLS),
    (Feature.OFFERED_TOOLS, rf"{_NO_TOOLS}|tool[_ ]choice"),
)
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|too (long|large|many tokens)|reduce the length"
)
_QUOTA = re.compile(
    r"insufficient.?(quota|credit|balance|funds)|billing|exceeded your current quota"
)


_OF_OFFERS = {Feature.TOOLS: Feature.OFFERED_TOOLS, Feature.TOOL_CHOICE: Feature.AUTO_CHOICE}


def features_used(request: Mapping[str, Any], *, offers: bool = False) -> set[Feature]:
    """Return the features that a request body makes use of; ``offers``: its tools are optional."""
    used = {feature for feature in Feature if feature.value in request}
    if offers:
        used = {_OF_OFFERS.get(feature, feature) for feature in used}
    if isinstance(request.get("tool_choice"), dict):
        used.add(Feature.NAMED_TOOL)
    if any("strict" in tool["function"] for tool in request.get("tools", ())):
        used.add(Feature.STRICT)
    if any("name" in message for message in request["messages"]):
        used.add(Feature.NAMES)
    if any(message["role"] == "tool" or "tool_calls" in message for message in request["messages"]):
        used.add(Feature.TOOL_MESSAGES)
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


def is_passing(said: str) -> bool:
    """Tell whether a refusal is of one answer or conversation, and of no feature as such."""
    return bool(re.search(f"{_FAILED_CALL}|{_OUT_OF_ORDER}", said[:1000].lower()))


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
        return RequestRefused("That is too long for my language model; please ask with less text.")
    if status in (400, 422):
        return RequestRefused()
    reason = _REASONS.get(status)
    return ModelRefused(f"{reason} {_DOCTOR}" if reason else None)


_DOCTOR = "Whoever runs me can check it with `python bot.py doctor`."
_REASONS = {
    401: "My language model does not accept my key (OPENAI_API_KEY).",
    403: "My key (OPENAI_API_KEY) may not use this language model.",
    404: "My language model does not exist there (CHAT_MODEL, TRIAGE_MODEL, OPENAI_BASE_URL).",
}

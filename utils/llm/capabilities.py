"""Endpoint capabilities: which refused feature to omit, and which error a refusal means.

Pure functions. They read an endpoint's error text and never quote it.
"""

import re
from collections.abc import Mapping, Set
from enum import StrEnum
from itertools import pairwise
from typing import Any

from utils.common.errors import ModelError, ModelRefused, ModelUnreachable, RequestRefused


class Feature(StrEnum):
    """Something a request may use and an endpoint may refuse.

    Offered tools (optional) and a required tool differ: some endpoints support only one of them.
    """

    STRICT = "strict"
    PARALLEL = "parallel_tool_calls"
    NAMED_TOOL = "tool_choice by name"
    TOOL_CHOICE = "tool_choice"
    TOOLS = "tools"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    EFFORT = "reasoning_effort"
    AUTO_CHOICE = "tool_choice auto"
    OFFERED_TOOLS = "offered tools"
    TOOL_MESSAGES = "tool messages"
    STREAM = "stream"
    STREAM_USAGE = "stream_options"
    SCHEMA = "response_format"
    REPEATED_ROLES = "turns that do not alternate"
    SYSTEM = "system messages"


def reported_error(body: object) -> tuple[int, str] | None:
    """Return status and text of an error that came with status 200, else None."""
    error = body.get("error") if isinstance(body, dict) else None
    if not error or (isinstance(error, dict) and not any(error.values())):
        return None
    fields: dict[str, Any] = error if isinstance(error, dict) else {}
    code, kind = str(fields.get("code")), str(fields.get("type"))
    for status in (code, str(fields.get("upstream_status"))):  # the latter: earcon
        if re.fullmatch("[45][0-9][0-9]", status):
            return int(status), str(error)
    if said := re.search(r"\berror code: ([45]\d\d)\b", str(error), re.IGNORECASE):
        return int(said[1]), str(error)  # of the openai package, which a gateway asks with
    return _STATUSES.get(code) or _STATUSES.get(kind, 502), str(error)


_STATUSES = {  # of OpenAI's codes and kinds of errors; some gateways stream them with status 200
    "invalid_api_key": 401,
    "model_not_found": 404,
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "invalid_request_error": 400,
}
_OMISSION_ORDER = (
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
_MISSED_SCHEMA = r"does not match the expected [\w-]+ format"  # llama.cpp: cut off, or no UTF-8
_NO_REASON = (  # of a template (`transformers serve`), or of each stream (anymodel; Portkey)
    "^error code: 500 internal server error$|^error code: 500.{0,99}something went wrong"
)
_OUT_OF_ORDER = r"must be (?:a response|followed by)"
_NO_LIMIT = r"max_(?:completion_)?tokens\W.{0,40}(support|permit|unknown)"
_NO_TOOLS = r"support(s|ed|ing)? (for )?(tool|function)|tools param|[\"']tools[\"']"
# Gemma behind Google's endpoint; Gemma 2's template on vLLM; o1-mini; older Mistral templates.
_NO_SYSTEM = (
    r"developer instruction is not enabled|system (?:role|messages?)\W{1,3}(?:is |are )?"
    r"not support|not support .?system\b|only user and assistant roles"
)
_BLAMED = (
    (Feature.SYSTEM, _NO_SYSTEM),
    (Feature.REPEATED_ROLES, rf"roles? must alternate|alternating|roles in a row|{_NO_REASON}"),
    (Feature.SCHEMA, rf"response.?format|json.?(?:schema|mode)|{_MISSED_SCHEMA}"),
    (Feature.STREAM_USAGE, r"stream_options|include_usage"),
    (
        Feature.STREAM,
        rf"\bstream(?:ing|ed|_options)?\b|include_usage|{_NO_REASON}",
    ),  # added by a gateway
    (Feature.TOOL_MESSAGES, _OUT_OF_ORDER),
    (Feature.TOOLS, _FAILED_CALL),
    (Feature.OFFERED_TOOLS, _FAILED_CALL),
    (Feature.MAX_TOKENS, rf"use .?max_completion_tokens|{_NO_LIMIT}"),
    (Feature.MAX_COMPLETION_TOKENS, _NO_LIMIT),
    (Feature.EFFORT, r"reasoning.?effort|\bthink(?:ing)?\b"),
    (Feature.TEMPERATURE, r"temperature"),
    (Feature.PARALLEL, r"parallel"),
    (Feature.STRICT, r"\bstrict\b|invalid schema|additionalproperties"),
    (Feature.NAMED_TOOL, r"tool[_ ]choice"),
    (Feature.TOOL_CHOICE, r"tool[_ ]choice"),
    (Feature.AUTO_CHOICE, r"tool[_ ]choice"),
    (
        Feature.TOOL_MESSAGES,
        r"messages?\W{1,4}\d|tool_call|\broles?\b|reasoning_content|single tool|signature",
    ),
    (Feature.TOOLS, _NO_TOOLS),
    (Feature.OFFERED_TOOLS, rf"{_NO_TOOLS}|tool[_ ]choice"),
)
_TOO_LONG = re.compile(
    r"context.?(length|window|size|limit)|too (long|large|many tokens)|reduce the length|"
    r"exceed_context|model context is|maximum (?:context|prompt length|input length)|"
    r"prompt is \d+ tokens|maximum number of tokens allowed|model token limit|"
    r"range of input length|超长|`inputs` (?:tokens|must have less)|"
    r"longer than the maximum model|(?:than|exceed\w*).{0,5}max_(?:seq_len|kv_size)|"
    r"fewer output tokens"  # vLLM: what is asked for is more than its whole context
)
_NO_SUCH_MODEL = re.compile(
    r"invalid model|no such model|(unknown|unavailable) model|model_not_found|not a valid model|"
    r"server is pinned to|"  # `transformers serve`
    r"model identifier is invalid|模型不存在|no models? loaded|"
    r"model\W.{0,80}(not found|(does not|doesn't|not) exist|not supported by|not available)|"
    r"model\W{1,3}(?:[\w./:-]+\W{1,3})?has been (decommissioned|deprecated)"
)
_WRONG_KEY = re.compile(
    r"(invalid|incorrect|no|missing|wrong|bad).{0,12}(api.?key|auth|token|credential)|"
    r"no connected db|unauthori[sz]ed|authentication|"
    r"api.?key.{0,5}(not valid|invalid)"  # Google, with 400
)
_MEANINGS = (
    (_TOO_LONG, 413),
    (re.compile("credit balance is too low|arrearage"), 402),  # Anthropic, Alibaba
    (re.compile("location is not supported"), 403),  # Google
    (_NO_SUCH_MODEL, 404),
    (_WRONG_KEY, 401),
)
_FILTERED_PROMPT = re.compile(
    r"content.?(filter|management|policy)|responsibleai|moderation|flagged|prohibited_content"
)
_NO_PICTURES = re.compile(r"image|vision|multimodal|mmproj|picture")
_QUOTA = re.compile(
    r"insufficient.?(quota|credit|balance|funds)|billing|exceeded your current quota"
)
_NOT_ALTERNATING = {("user", "user"), ("assistant", "assistant"), ("system", "assistant")}
_OF_OFFERS = {Feature.TOOLS: Feature.OFFERED_TOOLS, Feature.TOOL_CHOICE: Feature.AUTO_CHOICE}


def features_used(request: Mapping[str, Any], *, offers: bool) -> set[Feature]:
    """Return the features that a request body uses; ``offers``: its tools are optional."""
    used = {feature for feature in Feature if feature.value in request}
    if offers:
        used = {_OF_OFFERS.get(feature, feature) for feature in used}
    if isinstance(request.get("tool_choice"), dict):
        used.add(Feature.NAMED_TOOL)
    if any("strict" in tool["function"] for tool in request.get("tools", ())):
        used.add(Feature.STRICT)
    if any(message["role"] == "tool" or "tool_calls" in message for message in request["messages"]):
        used.add(Feature.TOOL_MESSAGES)
    if any(message["role"] == "system" for message in request["messages"]):
        used.add(Feature.SYSTEM)
    turns = pairwise(message["role"] for message in request["messages"])
    if any(turn in _NOT_ALTERNATING for turn in turns):
        used.add(Feature.REPEATED_ROLES)
    return used


def blamed_feature(status: int, text: str, used: Set[Feature]) -> Feature | None:
    """Return which of the ``used`` features to omit after a refusal, or None.

    ``text`` is the endpoint's error text.
    """
    text = text[:1000].lower()
    if status not in (400, 404, 422, 500, 501) or _TOO_LONG.search(text):
        return None
    for feature, pattern in _BLAMED:
        if feature in used and re.search(pattern, text):
            return feature
    if status in (400, 422, 501) and re.search("tool|function", text):
        return next((feature for feature in _OMISSION_ORDER if feature in used), None)
    return None


def is_temporary(text: str) -> bool:
    """Whether a refusal concerns one answer or conversation only, not the feature as such."""
    passing = f"{_FAILED_CALL}|{_OUT_OF_ORDER}|{_MISSED_SCHEMA}|{_NO_REASON}"
    return bool(re.search(passing, text[:1000].lower()))


_DOCTOR = "Whoever runs me can check it with `python bot.py doctor`."


def is_too_long(text: str) -> bool:
    """Whether an error text says that prompt and answer do not fit into the model's context."""
    return bool(_TOO_LONG.search(text[:1000].lower()))


def refusal(status: int, text: str, *, has_pictures: bool = False) -> ModelError:
    """Return the error that an endpoint's status means; ``text`` is its error text.

    Some answer with 400 or 500 where others have a status of its own: then the text decides.
    ``has_pictures``: the request has some.
    """
    lowered = text[:1000].lower()
    if status in (400, 403, 422, 500, 501):
        if has_pictures and _NO_PICTURES.search(lowered):
            error: ModelError = RequestRefused("My language model cannot look at pictures.")
            error.status = status
            return error
        meant = next((of for pattern, of in _MEANINGS if pattern.search(lowered)), status)
        status = 403 if (status, meant) == (403, 401) else meant
    error = _refusal(status, lowered)
    error.status = status
    return error


def _refusal(status: int, text: str) -> ModelError:
    if status == 402 or (status in (403, 429) and _QUOTA.search(text)):
        return _refused(
            "My language model's quota is used up.", "Whoever runs me has to add credit there."
        )
    if status == 429:
        return ModelUnreachable(
            "My language model has too many requests right now; please ask again in a few minutes."
        )
    if status == 501:
        return _refused("My language model's server does not offer what I ask it for.")
    if status in (408, 409, 425) or status >= 500:
        return ModelUnreachable()
    if status == 413:
        return RequestRefused("That is too long for my language model; please ask with less text.")
    if status in (400, 403, 422) and _FILTERED_PROMPT.search(text):
        return RequestRefused(
            "My language model's content filter does not let me answer that; please ask "
            "differently."
        )
    if status in (400, 422):
        return RequestRefused()
    return _refused(reason) if (reason := _REASONS.get(status)) else ModelRefused()


def _refused(reason: str, advice: str = _DOCTOR) -> ModelRefused:
    """Return a refusal; members read the advice too."""
    sentence = f"{reason} {advice}"
    error = ModelRefused(sentence)
    error.reason = reason
    return error


_REASONS = {
    401: "My language model does not accept my key (OPENAI_API_KEY).",
    403: "My key (OPENAI_API_KEY) may not use this language model.",
    404: "My language model does not exist there (CHAT_MODEL, TRIAGE_MODEL, OPENAI_BASE_URL).",
}

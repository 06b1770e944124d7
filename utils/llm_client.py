"""The one door to a language model: any endpoint that speaks OpenAI's chat completions.

What is sent and how answers are read is in :mod:`utils.llm_wire`, the connection in
:mod:`utils.llm_endpoint`. Nothing here logs a message, a key or what an endpoint said, and only the
errors of :mod:`utils.errors` leave this module.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from utils.config import Settings
from utils.errors import (
    ModelError,
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
)
from utils.llm_endpoint import Endpoint, EndpointRefused
from utils.llm_json import parse_arguments
from utils.llm_refusals import (
    Feature,
    blamed_feature,
    features_used,
    is_passing,
    refusal,
    reported_error,
)
from utils.llm_stream import Arriving, OnText
from utils.llm_wire import Answer, build_request, read_answer, read_usage
from utils.model.llm import ChatMessage, Completion, ToolDefinition, ToolResult, Usage

CHECK_TIMEOUT_S = 20.0
CHECK_TOKENS = 16
TOOL_ATTEMPTS = 2
LONGEST_WAIT_S = 15.0  # for an answer to begin; whoever waits longer is told that it is too much

_log = logging.getLogger(__name__)

_FILTERED = "My language model's content filter stopped the answer; please ask differently."
_NO_ROOM = "My language model ran out of room before it said anything; please ask again."
_NOT_CHAT = (
    "What answers at my language model's address does not speak chat completions. Whoever runs "
    "me can check OPENAI_BASE_URL; it usually ends in /v1."
)
_REMARK = (
    "Your last answer was unusable: {reason}. Answer once more, shorter if it was cut off, with "
    "nothing but the complete arguments of `{tool}` as JSON that matches its schema."
)


@dataclass(frozen=True, slots=True)
class _Call:
    """What is wanted of which model, how long one request may take, and how long of that wait."""

    model: str
    timeout_s: float
    max_tokens: int
    temperature: float
    tool: ToolDefinition | None = None
    offered: tuple[ToolDefinition, ...] = ()
    wait_s: float | None = None
    on_text: OnText | None = None


class _BrokeOff(Exception):
    """A streamed answer ended before its end; ``usage`` is about what it cost."""

    def __init__(self, usage: Usage) -> None:
        super().__init__()
        self.usage = usage


class LanguageModel:
    """A language model behind one client, with bounded time, concurrency and attempts.

    Every request has its kind's timeout as a deadline, in which waiting for a free place, the
    client's own retries and the answer must fit. What an endpoint refuses to support (strict
    tools, a temperature, …) is left out from then on, for that model, until the process ends.
    ``chat_model`` and ``triage_model`` are the names of the models asked.
    """

    def __init__(
        self,
        *,
        chat_model: str,
        triage_model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        chat_timeout_s: float = 60.0,
        triage_timeout_s: float = 45.0,
        concurrency: int = 8,
        max_retries: int = 2,
    ) -> None:
        self.chat_model = chat_model
        self.triage_model = triage_model or chat_model
        self._chat_timeout_s = chat_timeout_s
        self._triage_timeout_s = triage_timeout_s
        self._without: defaultdict[str, set[Feature]] = defaultdict(set)
        self._endpoint = Endpoint(
            api_key, base_url, concurrency=concurrency, max_retries=max_retries
        )

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Build the process's one client. Raises SettingsError for an impossible key or address."""
        key = settings.openai_api_key
        return cls(
            chat_model=settings.chat_model,
            triage_model=settings.extraction_model,
            api_key=key.get_secret_value() if key else None,
            base_url=settings.openai_base_url,
            chat_timeout_s=settings.chat_timeout_s,
            triage_timeout_s=settings.triage_timeout_s,
            concurrency=settings.model_concurrency,
        )

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolDefinition] = (),
        max_tokens: int = 1024,
        temperature: float = 0.7,
        on_text: OnText | None = None,
    ) -> Completion:
        """Ask the chat model for an answer in words; a model's refusal in words is one too.

        ``on_text`` hears the answer while it is written, where the endpoint can do that. It may
        call any of ``tools``, also several at once, with or without words; where the
        endpoint refuses tools, it is asked without them, and told of earlier calls in words.

        Raises ModelUnreachable, ModelRefused, or ModelMalformed when nothing was said; ``usage``
        on the error is what was spent.
        """
        timeout_s, offered = self._chat_timeout_s, tuple(tools)
        call = _Call(
            self.chat_model,
            timeout_s,
            max_tokens,
            temperature,
            offered=offered,
            wait_s=LONGEST_WAIT_S,
            on_text=on_text,
        )
        answer = await self._ask(call, messages)
        if answer.text or answer.calls:
            return Completion(answer.text, answer.usage, answer.truncated, answer.calls)
        sentence = _FILTERED if answer.filtered else _NO_ROOM if answer.truncated else None
        raise _spent(ModelMalformed(sentence), answer.usage)

    async def call_tool(
        self,
        messages: Sequence[ChatMessage],
        tool: ToolDefinition,
        *,
        temperature: float = 0.2,
        max_tokens: int = 2048,
        model: str | None = None,
    ) -> ToolResult:
        """Make a model (the triage model) call ``tool``, and return the arguments it gave.

        Arguments are repaired where possible, asked for once more where not. Raises
        ModelUnreachable, ModelRefused or ModelMalformed; ``usage`` on the error is what was spent.
        """
        model = model or self.triage_model
        call = _Call(model, self._triage_timeout_s, max_tokens, temperature, tool)
        asked, spent, failure = messages, Usage(), ModelMalformed()
        for _ in range(TOOL_ATTEMPTS):
            try:
                answer = await self._ask_tool(call, asked)
            except ModelMalformed as error:
                failure = error
                spent += error.usage or Usage()
                continue
            except ModelError as error:
                raise _spent(error, spent) from None
            spent += answer.usage
            try:
                return ToolResult(_arguments(answer, tool), spent)
            except ValueError as error:
                remark = _REMARK.format(reason=error, tool=tool.name)
                asked = [*messages, ChatMessage("user", remark)]
                failure = ModelMalformed(_FILTERED if answer.filtered else None)
        failure.usage = spent
        raise failure

    async def check(self) -> str:
        """Ask each model for a word and say that it answered, for ``doctor``.

        Raises ModelUnreachable, ModelRefused or ModelMalformed.
        """
        hello = [ChatMessage("user", "Answer with the word: ready")]
        timeout_s = min(CHECK_TIMEOUT_S, self._chat_timeout_s)
        models = dict.fromkeys((self.chat_model, self.triage_model))
        for model in models:
            await self._ask(_Call(model, timeout_s, CHECK_TOKENS, temperature=0.0), hello)
        return f"{' and '.join(models)} at {self._endpoint.host} answered."

    async def probe(self, timeout_s: float) -> None:
        """See whether the endpoint is there, by asking for no word of any model.

        Raises ModelUnreachable, or ModelRefused where it does not take the key.
        """
        try:
            await self._endpoint.knock(timeout_s)
        except EndpointRefused as error:
            if error.status == 401:  # 403 may be for the list alone
                raise ModelRefused from None
            if error.status >= 500:
                raise ModelUnreachable from None

    async def open(self) -> None:
        """Load what the first call would have to wait for."""
        await self._endpoint.open()

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        await self._endpoint.close()

    async def _ask_tool(self, call: _Call, messages: Sequence[ChatMessage]) -> Answer:
        """Ask for a tool call; when words come instead, ask for the arguments in words."""
        answer = await self._ask(call, messages)
        calls_tools = Feature.TOOLS not in self._without[call.model]
        if not calls_tools or answer.final or _is_usable(answer, call.tool):
            return answer
        try:
            second = await self._ask(call, messages, without=frozenset({Feature.TOOLS}))
        except ModelError as error:
            raise _spent(error, answer.usage) from None
        if _is_usable(second, call.tool):
            self._remember(call.model, {Feature.TOOLS})
        return replace(second, usage=answer.usage + second.usage)

    async def _ask(
        self,
        call: _Call,
        messages: Sequence[ChatMessage],
        *,
        without: frozenset[Feature] = frozenset(),
    ) -> Answer:
        """Send one request, without what the endpoint refuses, and read its answer.

        Each refusal takes a feature away, so there are never more requests than features. An
        answer that broke off is asked for once more, whole.
        """
        refused: set[Feature] = set()
        passing: set[Feature] = set()
        lost = Usage()
        while True:
            request = build_request(
                call.model,
                messages,
                call.tool,
                offered=call.offered,
                max_tokens=call.max_tokens,
                temperature=call.temperature,
                without=self._without[call.model] | without | refused | passing,
                streams=call.on_text is not None,
            )
            try:
                body = await self._send(call, request)
                break
            except _BrokeOff as error:
                lost += error.usage
                passing.add(Feature.STREAM)
                continue
            except ModelError as error:
                raise _spent(error, lost) from None
            except EndpointRefused as error:
                status, said = error.status, error.said
            used = features_used(request, offers=bool(call.offered))
            feature = blamed_feature(status, said, used)
            if feature is None:
                raise _spent(refusal(status, said), lost)
            (passing if is_passing(said) else refused).add(feature)
        self._remember(call.model, refused)
        answer = read_answer(body, request, call.offered if "tools" in request else ())
        if answer is None:
            raise _spent(_no_answer(body, request), lost)
        return replace(answer, usage=lost + answer.usage)

    async def _send(self, call: _Call, request: dict[str, Any]) -> object:
        """Send a request and return the body of its answer, heard while it comes if it streams."""
        if "stream" not in request or call.on_text is None:
            return await self._endpoint.chat(request, call.timeout_s, call.wait_s)
        coming = Arriving(call.on_text, offers="tools" in request)
        try:
            if await self._endpoint.stream(request, call.timeout_s, call.wait_s, coming.feed):
                coming.end()
        except ModelUnreachable as error:
            raise _spent(error, coming.usage(request)) from None
        if not coming.is_whole:
            raise _BrokeOff(coming.usage(request))
        if coming.has_thoughts_as_words:  # nobody should read along with those
            self._remember(call.model, {Feature.STREAM})
        return coming.body()

    def _remember(self, model: str, refused: set[Feature]) -> None:
        for feature in sorted(refused - self._without[model]):
            self._without[model].add(feature)
            _log.info("The model %s is asked without %s from now on.", model, feature)


def _arguments(answer: Answer, tool: ToolDefinition) -> dict[str, Any]:
    return parse_arguments(answer.call or answer.text, tool.parameters)


def _is_usable(answer: Answer, tool: ToolDefinition | None) -> bool:
    try:
        return tool is not None and bool(_arguments(answer, tool))
    except ValueError:
        return False


def _no_answer(body: object, request: dict[str, Any]) -> ModelError:
    """Return the error for a body with status 200 that holds no answer."""
    if reported := reported_error(body):
        return refusal(*reported)
    if not isinstance(body, dict) or "choices" not in body:
        return ModelRefused(_NOT_CHAT)
    return _spent(ModelMalformed(), read_usage(body, request, ""))


def _spent(error: ModelError, usage: Usage) -> ModelError:
    error.usage = (error.usage or Usage()) + usage
    return error

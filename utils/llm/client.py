"""LanguageModel: the only way to a language model, over OpenAI's chat completions API.

Requests and answers are built and parsed in :mod:`utils.llm.chat_completions`, the connection in
:mod:`utils.llm.endpoint`. Nothing here logs a message, a key or what an endpoint said, and only the
errors of :mod:`utils.common.errors` leave this module.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from utils.common.config import Settings
from utils.common.errors import ModelError, ModelMalformed, ModelRefused, ModelUnreachable
from utils.llm.capabilities import (
    Feature,
    blamed_feature,
    features_used,
    is_temporary,
    refusal,
    reported_error,
)
from utils.llm.chat_completions import CompletionChoice, build_request, read_answer, read_usage
from utils.llm.endpoint import Endpoint, EndpointRefused
from utils.llm.json_repair import parse_arguments
from utils.llm.streaming import StreamAccumulator, TextSink
from utils.models.llm import ChatMessage, Completion, ToolDefinition, ToolResult, Usage

CHECK_TIMEOUT_S = 20.0
CHECK_TOKENS = 16
TOOL_ATTEMPTS = 2
MAX_RETRIES = 2
MAX_WAIT_S = 15.0  # for a free place; after that, the person is told that Kith is busy

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
    """One call: the model, its limits in seconds, and what it must or may answer with."""

    model: str
    timeout_s: float
    max_tokens: int
    temperature: float
    tool: ToolDefinition | None = None
    offered: tuple[ToolDefinition, ...] = ()
    wait_s: float | None = None
    stream: TextSink | None = None


class _StreamBroken(Exception):
    """A streamed answer stopped early; ``usage`` estimates what it cost."""

    def __init__(self, usage: Usage) -> None:
        super().__init__()
        self.usage = usage


class LanguageModel:
    """A language model behind one client, with bounded time, concurrency and attempts.

    The timeout of a call covers the wait for a free place, the client's retries and the answer.
    A feature that an endpoint refuses (strict tools, a temperature, …) is omitted from that
    model's later requests until the process ends. ``chat_model``, ``triage_model`` and
    ``verify_model`` are model names.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        chat_model: str,
        triage_model: str | None = None,
        verify_model: str | None = None,
        chat_timeout_s: float = 60.0,
        triage_timeout_s: float = 45.0,
    ) -> None:
        self.chat_model = chat_model
        self.triage_model = triage_model or chat_model
        self.verify_model = verify_model or self.triage_model
        self._chat_timeout_s = chat_timeout_s
        self._triage_timeout_s = triage_timeout_s
        self._without: defaultdict[str, set[Feature]] = defaultdict(set)
        self._endpoint = endpoint

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Build the process's one client. Raises SettingsError for an impossible key or address."""
        key = settings.openai_api_key
        endpoint = Endpoint(
            key.get_secret_value() if key else None,
            settings.openai_base_url,
            concurrency=settings.model_concurrency,
            max_retries=MAX_RETRIES,
        )
        return cls(
            endpoint,
            chat_model=settings.chat_model,
            triage_model=settings.extraction_model,
            verify_model=settings.verify_model,
            chat_timeout_s=settings.chat_timeout_s,
            triage_timeout_s=settings.triage_timeout_s,
        )

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolDefinition] = (),
        max_tokens: int = 1024,
        temperature: float = 0.7,
        stream: TextSink | None = None,
    ) -> Completion:
        """Return the chat model's answer; a refusal in words is an answer, too.

        ``stream`` receives the answer while it is written, where the endpoint can do that. It may
        call any of ``tools``, also several at once, with or without text. If the endpoint refuses
        tools, it is asked without them, and earlier calls are sent as text.

        Raises ModelUnreachable, ModelRefused, or ModelMalformed when the answer is empty; ``usage``
        on the error is what the call cost.
        """
        timeout_s, offered = self._chat_timeout_s, tuple(tools)
        call = _Call(
            self.chat_model,
            timeout_s,
            max_tokens,
            temperature,
            offered=offered,
            wait_s=MAX_WAIT_S,
            stream=stream,
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
        """Make a model (default: the triage model) call ``tool``. Returns the call's arguments.

        Broken arguments are repaired if possible, else requested once more. Raises
        ModelUnreachable, ModelRefused or ModelMalformed; ``usage`` on the error is the cost.
        """
        model = model or self.triage_model
        call = _Call(model, self._triage_timeout_s, max_tokens, temperature, tool)
        prompt, spent, failure = messages, Usage(), ModelMalformed()
        for _ in range(TOOL_ATTEMPTS):
            try:
                answer = await self._ask_tool(call, prompt)
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
                prompt = [*messages, ChatMessage("user", remark)]
                failure = ModelMalformed(_FILTERED if answer.filtered else None)
        failure.usage = spent
        raise failure

    @property
    def host(self) -> str | None:
        """The host name of the endpoint."""
        return self._endpoint.host

    async def check(self) -> str:
        """Ask each model for one word. Returns ``doctor``'s sentence that they answered.

        Raises ModelUnreachable, ModelRefused or ModelMalformed.
        """
        hello = [ChatMessage("user", "Answer with the word: ready")]
        timeout_s = min(CHECK_TIMEOUT_S, self._chat_timeout_s)
        models = dict.fromkeys((self.chat_model, self.triage_model, self.verify_model))
        for model in models:
            await self._ask(_Call(model, timeout_s, CHECK_TOKENS, temperature=0.0), hello)
        return f"{' and '.join(models)} at {self.host} answered."

    async def probe(self, timeout_s: float) -> None:
        """Check that the endpoint answers, without asking any model.

        Raises ModelUnreachable, or ModelRefused if it rejects the key.
        """
        try:
            await self._endpoint.list_models(timeout_s)
        except EndpointRefused as error:
            if error.status == 401:  # 403 may concern the list of models only
                raise ModelRefused from None
            if error.status >= 500:
                raise ModelUnreachable from None

    async def open(self) -> None:
        """Load the client, so that the first call need not wait for it."""
        await self._endpoint.open()

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        await self._endpoint.close()

    async def _ask_tool(self, call: _Call, messages: Sequence[ChatMessage]) -> CompletionChoice:
        """Ask for a tool call. If the model answers with text, ask for the arguments as text."""
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
    ) -> CompletionChoice:
        """Send one request without the features that the endpoint refuses. Returns its answer.

        Each refusal removes a feature, so there are never more requests than features. After a
        broken stream, the answer is requested once more without streaming.
        """
        refused: set[Feature] = set()
        temporary: set[Feature] = set()
        wasted = Usage()
        while True:
            request = build_request(
                call.model,
                messages,
                call.tool,
                offered=call.offered,
                max_tokens=call.max_tokens,
                temperature=call.temperature,
                without=self._without[call.model] | without | refused | temporary,
                streams=call.stream is not None,
            )
            try:
                body = await self._send(call, request)
                break
            except _StreamBroken as error:
                wasted += error.usage
                temporary.add(Feature.STREAM)
                continue
            except ModelError as error:
                raise _spent(error, wasted) from None
            except EndpointRefused as error:
                status, text = error.status, error.text
            used = features_used(request, offers=bool(call.offered))
            feature = blamed_feature(status, text, used)
            if feature is None:
                raise _spent(refusal(status, text), wasted)
            (temporary if is_temporary(text) else refused).add(feature)
        self._remember(call.model, refused)
        answer = read_answer(body, request, call.offered if "tools" in request else ())
        if answer is None:
            raise _spent(_no_answer(body, request), wasted)
        return replace(answer, usage=wasted + answer.usage)

    async def _send(self, call: _Call, request: dict[str, Any]) -> object:
        """Send a request, streamed if the call wants that. Returns the body of its answer."""
        if "stream" not in request or call.stream is None:
            return await self._endpoint.chat(request, call.timeout_s, call.wait_s)
        accumulator = StreamAccumulator(call.stream, offers="tools" in request)
        try:
            if await self._endpoint.stream(request, call.timeout_s, call.wait_s, accumulator.feed):
                accumulator.end()
        except ModelUnreachable as error:
            raise _spent(error, accumulator.usage(request)) from None
        if not accumulator.is_whole:
            raise _StreamBroken(accumulator.usage(request))
        if accumulator.has_thoughts_as_text:  # people should not read them while they arrive
            self._remember(call.model, {Feature.STREAM})
        return accumulator.body()

    def _remember(self, model: str, refused: set[Feature]) -> None:
        for feature in sorted(refused - self._without[model]):
            self._without[model].add(feature)
            _log.info("The model %s refuses %s; later requests omit it.", model, feature)


def _arguments(answer: CompletionChoice, tool: ToolDefinition) -> dict[str, Any]:
    return parse_arguments(answer.call or answer.text, tool.parameters)


def _is_usable(answer: CompletionChoice, tool: ToolDefinition | None) -> bool:
    try:
        return tool is not None and bool(_arguments(answer, tool))
    except ValueError:
        return False


def _no_answer(body: object, request: dict[str, Any]) -> ModelError:
    """Return the error for a body with status 200 that contains no answer."""
    if reported := reported_error(body):
        return refusal(*reported)
    if not isinstance(body, dict) or "choices" not in body:
        return ModelRefused(_NOT_CHAT)
    return _spent(ModelMalformed(), read_usage(body, request, ""))


def _spent(error: ModelError, usage: Usage) -> ModelError:
    error.usage = (error.usage or Usage()) + usage
    return error

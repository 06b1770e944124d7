"""LanguageModel: the only way to a language model, over OpenAI's chat completions API.

Requests and answers are built and parsed in :mod:`utils.llm.chat_completions`, the connection in
:mod:`utils.llm.endpoint`. Nothing here logs a message, a key or what an endpoint said, and only the
errors of :mod:`utils.common.errors` leave this module.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Self

from utils.common.clock import Clock, SystemClock
from utils.common.config import Settings
from utils.common.errors import (
    KithError,
    ModelError,
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
)
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
from utils.llm.routes import MAX_WAIT_S, ModelRoutes
from utils.llm.streaming import StreamAccumulator, TextSink
from utils.models.llm import (
    MAIN_ENDPOINT,
    ChatMessage,
    Completion,
    ModelEntry,
    ToolDefinition,
    ToolResult,
    Usage,
)

CHECK_TIMEOUT_S = 20.0
CHECK_TOKENS = 16
TOOL_ATTEMPTS = 2
MAX_RETRIES = 2

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
    """One call: the model, its limits in seconds, and what it must or may answer with.

    ``retries`` replaces the client's own number.
    """

    model: ModelEntry
    timeout_s: float
    max_tokens: int
    temperature: float
    tool: ToolDefinition | None = None
    offered: tuple[ToolDefinition, ...] = ()
    wait_s: float | None = None
    stream: TextSink | None = None
    retries: int | None = None


class _StreamBroken(Exception):
    """A streamed answer stopped early; ``usage`` estimates what it cost."""

    def __init__(self, usage: Usage) -> None:
        super().__init__()
        self.usage = usage


class LanguageModel:
    """Language models behind one client an endpoint, with bounded time, concurrency and attempts.

    The timeout of a call covers the wait for a free place, the client's retries and the answer.
    A feature that an endpoint refuses (strict tools, a temperature, …) is omitted from that
    model's later requests until the process ends.

    Args:
        chat_model: a list of models as in the settings, like ``triage_model`` and
            ``verify_model``; the next is asked where one does not answer.
        others: further endpoints by name. Each listed model has the timeout for itself.
        observe: see :class:`ModelRoutes`.
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
        others: Mapping[str, Endpoint] | None = None,
        clock: Clock | None = None,
        observe: Callable[[str, str], None] | None = None,
    ) -> None:
        self.chat_model = chat_model
        self.triage_model = triage_model or chat_model
        self.verify_model = verify_model or self.triage_model
        self._chat_timeout_s = chat_timeout_s
        self._triage_timeout_s = triage_timeout_s
        self._without: defaultdict[ModelEntry, set[Feature]] = defaultdict(set)
        endpoints = {MAIN_ENDPOINT: endpoint, **(others or {})}
        self._routes = ModelRoutes(endpoints, clock or SystemClock(), observe)

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        clock: Clock | None = None,
        observe: Callable[[str, str], None] | None = None,
    ) -> Self:
        """Build the clients. Raises SettingsError for an impossible key or address."""

        def client(key: str | None, base_url: str | None) -> Endpoint:
            places = settings.model_concurrency
            return Endpoint(key, base_url, concurrency=places, max_retries=MAX_RETRIES)

        key, keys = settings.openai_api_key, settings.endpoint_keys
        addresses = settings.model_endpoints or {}
        return cls(
            client(key.get_secret_value() if key else None, settings.openai_base_url),
            others={name: client(keys.get(name), url) for name, url in addresses.items()},
            clock=clock,
            observe=observe,
            chat_model=settings.chat_model,
            triage_model=settings.extraction_model,
            verify_model=settings.verify_model,
            chat_timeout_s=settings.chat_timeout_s,
            triage_timeout_s=settings.triage_timeout_s,
        )

    def slot(
        self, before_waiting: Callable[[], Awaitable[None]]
    ) -> AbstractAsyncContextManager[Callable[[], None]]:
        """Wait until a prompt is worth preparing; see :meth:`ModelRoutes.slot`."""
        return self._routes.slot(before_waiting)

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolDefinition] = (),
        max_tokens: int = 1024,
        temperature: float = 0.7,
        stream: TextSink | None = None,
        prefer: Sequence[str] = (),
    ) -> Completion:
        """Return the chat model's answer; a refusal in words is an answer, too.

        After a failure, the next model of the list answers; those in ``prefer`` are asked first.

        ``stream`` receives the answer while it is written, where the endpoint can do that. It may
        call any of ``tools``, also several at once, with or without text. If the endpoint refuses
        tools, it is asked without them, and earlier calls are sent as text.

        Raises ModelUnreachable, ModelRefused, or ModelMalformed when the answer is empty; ``usage``
        on the error is what the call cost.
        """

        async def ask(model: ModelEntry, retries: int | None) -> Completion:
            call = _Call(
                model,
                self._chat_timeout_s,
                max_tokens,
                temperature,
                offered=tuple(tools),
                wait_s=MAX_WAIT_S,
                stream=stream,
                retries=retries,
            )
            return await self._reply(call, messages)

        return await self._routes.ask(self.chat_model, ask, prefer)

    async def _reply(self, call: _Call, messages: Sequence[ChatMessage]) -> Completion:
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

        ``model`` is a list as in the settings; after a failure, its next entry is asked. Broken
        arguments are repaired if possible, else requested once more. Raises ModelUnreachable,
        ModelRefused or ModelMalformed; ``usage`` on the error is the cost.
        """

        async def ask(entry: ModelEntry, retries: int | None) -> ToolResult:
            timeout_s = self._triage_timeout_s
            call = _Call(entry, timeout_s, max_tokens, temperature, tool, retries=retries)
            return await self._call_tool(call, messages, tool)

        return await self._routes.ask(model or self.triage_model, ask)

    async def _call_tool(
        self, call: _Call, messages: Sequence[ChatMessage], tool: ToolDefinition
    ) -> ToolResult:
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
                return ToolResult(answer.arguments(tool), spent, call.model.name)
            except ValueError as error:
                remark = _REMARK.format(reason=error, tool=tool.name)
                prompt = [*messages, ChatMessage("user", remark)]
                failure = ModelMalformed(_FILTERED if answer.filtered else None)
        failure.usage = spent
        raise failure

    @property
    def host(self) -> str | None:
        """The host name of the endpoint that is asked first for answers."""
        return self._host(self._routes.entries(self.chat_model)[0])

    async def check(self, *more: str) -> str:
        """Ask each listed model for one word. Returns ``doctor``'s sentence that they answered.

        ``more``: further lists. Raises ModelError, or KithError that names a list's failures.
        """
        texts = (self.chat_model, self.triage_model, self.verify_model, *more)
        lists = [self._routes.entries(text) for text in texts]
        models = dict.fromkeys(entry for entries in lists for entry in entries)
        answered: dict[str | None, list[str]] = {}
        failed = []
        for model in models:
            try:
                await self._check(model)
            except ModelError as error:
                if all(len(entries) == 1 for entries in lists):
                    raise
                is_away = str(error) == ModelUnreachable.sentence
                reason = "nothing answers there." if is_away else error
                failed.append(f"{model} at {self._host(model)}: {reason}")
            else:
                answered.setdefault(self._host(model), []).append(model.name)
        if failed:
            raise KithError(" ".join(failed))
        places = (f"{' and '.join(names)} at {host}" for host, names in answered.items())
        return f"{', '.join(places)} answered."

    async def _check(self, model: ModelEntry) -> None:
        hello = [ChatMessage("user", "Answer with the word: ready")]
        timeout_s = min(CHECK_TIMEOUT_S, self._chat_timeout_s)
        await self._ask(_Call(model, timeout_s, CHECK_TOKENS, temperature=0.0), hello)

    def _host(self, model: ModelEntry) -> str | None:
        return self._routes.endpoints[model.endpoint].host

    async def probe(self, timeout_s: float) -> None:
        """Check that an endpoint of the chat models answers; see :meth:`ModelRoutes.probe`."""
        await self._routes.probe(self.chat_model, timeout_s)

    async def open(self) -> None:
        """Load the clients, so that the first call need not wait for them."""
        for endpoint in self._routes.endpoints.values():
            await endpoint.open()

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        for endpoint in self._routes.endpoints.values():
            await endpoint.close()

    async def _ask_tool(self, call: _Call, messages: Sequence[ChatMessage]) -> CompletionChoice:
        """Ask for a tool call. If the model answers with text, ask for the arguments as text."""
        answer = await self._ask(call, messages)
        calls_tools = Feature.TOOLS not in self._without[call.model]
        if not calls_tools or answer.final or answer.fits(call.tool):
            return answer
        try:
            second = await self._ask(call, messages, without=frozenset({Feature.TOOLS}))
        except ModelError as error:
            raise _spent(error, answer.usage) from None
        if second.fits(call.tool):
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
                call.model.name,
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
        endpoint = self._routes.endpoints[call.model.endpoint]
        limits = (call.timeout_s, call.wait_s)
        if "stream" not in request or call.stream is None:
            return await endpoint.chat(request, *limits, call.retries)
        accumulator = StreamAccumulator(call.stream, offers="tools" in request)
        try:
            if await endpoint.stream(request, *limits, accumulator.feed, call.retries):
                accumulator.end()
        except ModelUnreachable as error:
            raise _spent(error, accumulator.usage(request)) from None
        if not accumulator.is_whole:
            raise _StreamBroken(accumulator.usage(request))
        if accumulator.has_thoughts_as_text:  # people should not read them while they arrive
            self._remember(call.model, {Feature.STREAM})
        return accumulator.body()

    def _remember(self, model: ModelEntry, refused: set[Feature]) -> None:
        for feature in sorted(refused - self._without[model]):
            self._without[model].add(feature)
            _log.info("The model %s refuses %s; later requests omit it.", model, feature)


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

"""LanguageModel: the only way to a language model, over OpenAI's chat completions API.

Requests and answers are built and parsed in :mod:`utils.llm.chat_completions`, the connection in
:mod:`utils.llm.endpoint`. Nothing here logs a message, a key or what an endpoint said, and only the
errors of :mod:`utils.common.errors` leave this module.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, Self

from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import (
    ModelError,
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    ModelUnusable,
    OutOfRoom,
)
from utils.llm.capabilities import (
    Feature,
    blamed_feature,
    features_used,
    is_temporary,
    is_too_long,
    refusal,
    reported_error,
)
from utils.llm.chat_completions import CompletionChoice, build_request, read_answer, read_usage
from utils.llm.endpoint import CHAT, Endpoint, EndpointRefused, is_slow
from utils.llm.json_repair import without_marks
from utils.llm.model_state import THOUGHT_TOKENS, ModelState
from utils.llm.repetition import end_before_circles
from utils.llm.routes import MAX_RETRIES, MAX_WAIT_S, ModelRoutes
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

TOOL_ATTEMPTS = 2
FIRST_RETRY_S, MAX_RETRY_AFTER_S = 0.5, 5.0
MAX_REST_S = 600.0  # of a model whose endpoint names a time to ask again

_log = logging.getLogger(__name__)

_FILTERED = "My language model's content filter stopped the answer; please ask differently."
_REMARK = (
    "Your last answer was unusable: {reason}. Answer once more, shorter if it was cut off, with "
    "nothing but the complete arguments of `{tool}` as JSON that matches its schema."
)


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: the model, its limits in seconds, and what it must or may answer with.

    ``max_tokens`` is how long the answer may be, without thoughts.
    """

    model: ModelEntry
    timeout_s: float
    max_tokens: int
    temperature: float
    tool: ToolDefinition | None = None
    offered: tuple[ToolDefinition, ...] = ()
    wait_s: float | None = None
    stream: TextSink | None = None
    retries: int = 0


class _StreamBroken(Exception):
    """A streamed answer stopped early; ``usage`` estimates its cost, ``shown`` is what it said.

    ``is_closed``: the endpoint closed the stream as if the model had ended.
    """

    def __init__(self, usage: Usage, shown: str, *, is_closed: bool) -> None:
        super().__init__()
        self.usage = usage
        self.shown = shown
        self.is_closed = is_closed


@dataclass(eq=False, repr=False, slots=True)
class _Requests:
    """What the requests for one answer showed so far.

    ``omitted`` are the features that the next ones omit, ``partial`` what a broken stream said.
    ``had_room``: the last one had room for thoughts.
    """

    omitted: set[Feature]
    usage: Usage = field(default_factory=Usage)
    partial: str = ""
    had_room: bool = False


class LanguageModel:
    """Language models behind one client an endpoint, with bounded time, concurrency and attempts.

    The timeout of a call covers the wait for a free place and the answer; of a streamed answer the
    first word, and each after it. A feature that an endpoint refuses (strict tools, a temperature,
    …) is omitted from that model's later requests until the process ends. A model that thinks gets
    more tokens than the answer needs. One whose endpoint says when to ask again rests until then.

    Args:
        efforts: how much models think, by their names; "" stands for all others.
        max_retries: of a request that fails for now, while no other model is left.
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
        efforts: Mapping[str, str] | None = None,
        max_retries: int = MAX_RETRIES,
        clock: Clock | None = None,
        observe: Callable[[str, str], None] | None = None,
    ) -> None:
        self.chat_model = chat_model
        self.triage_model = triage_model or chat_model
        self.verify_model = verify_model or self.triage_model
        self._chat_timeout_s = chat_timeout_s
        self._triage_timeout_s = triage_timeout_s
        self._efforts = efforts or {}
        self._states: dict[ModelEntry, ModelState] = {}
        self._clock = clock or Clock()
        endpoints = {MAIN_ENDPOINT: endpoint, **(others or {})}
        self._routes = ModelRoutes(endpoints, self._clock, observe, max_retries)

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        clock: Clock | None = None,
        observe: Callable[[str, str], None] | None = None,
    ) -> Self:
        """Build the clients. Raises SettingsError for an impossible key or address."""
        client = partial(Endpoint, concurrency=settings.model_concurrency)
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
            efforts=settings.reasoning_effort,
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
        model: str | None = None,
    ) -> Completion:
        """Return an answer of a model (default: the chat model); a refusal in words is one, too.

        ``model`` is a list as in the settings. After a failure, its next entry answers; those in
        ``prefer`` are asked first.

        ``stream`` receives the answer while it is written, where the endpoint can do that. It may
        call any of ``tools``, also several at once, with or without text. If the endpoint refuses
        tools, it is asked without them, and earlier calls are sent as text. If a stream stands
        still or breaks off, and no model can write the answer anew, it is what was shown.

        Raises ModelUnreachable, ModelRefused, OutOfRoom, or ModelMalformed when the answer is
        empty; ``usage`` on the error is what the call cost.
        """

        async def ask(entry: ModelEntry, retries: int) -> Completion:
            call = _Call(
                entry,
                self._chat_timeout_s,
                max_tokens,
                temperature,
                offered=tuple(tools),
                wait_s=MAX_WAIT_S,
                stream=stream,
                retries=retries,
            )
            answer = await self._ask(call, messages)
            text = without_marks(answer.text).strip()
            end = end_before_circles(text)
            if end is not None:
                _log.warning("%s repeated itself in an answer, which was ended there", entry)
            if text or answer.calls:
                is_cut = answer.truncated or end is not None
                return Completion(text[:end], answer.usage, is_cut, answer.calls)
            raise _spent(ModelMalformed(_FILTERED if answer.filtered else None), answer.usage)

        try:
            return await self._routes.ask(model or self.chat_model, ask, prefer)
        except ModelError as error:
            if not error.partial:
                raise
            return Completion(error.partial.strip(), error.usage or Usage(), truncated=True)

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
        arguments are repaired if possible, else requested once more. A model that never wrote any
        is asked for none for a day. Raises ModelUnreachable, ModelRefused,
        OutOfRoom or ModelMalformed; ``usage`` on the error is the cost.
        """

        async def ask(entry: ModelEntry, retries: int) -> ToolResult:
            timeout_s = self._triage_timeout_s
            call = _Call(entry, timeout_s, max_tokens, temperature, tool, retries=retries)
            return await self._call_tool(call, messages, tool)

        return await self._routes.ask(model or self.triage_model, ask)

    async def _call_tool(
        self, call: _Call, messages: Sequence[ChatMessage], tool: ToolDefinition
    ) -> ToolResult:
        prompt, spent, failure, is_prose = messages, Usage(), ModelMalformed(), False
        state = self._state(call.model)
        if state.useless_until is not None and self._clock.now() < state.useless_until:
            raise ModelUnusable
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
                result = ToolResult(answer.arguments(tool), spent, call.model.name)
                state.writes_calls = True
                return result
            except ValueError as error:
                remark = _REMARK.format(reason=error, tool=tool.name)
                prompt = [*messages, ChatMessage("user", remark)]
                failure = ModelMalformed(_FILTERED if answer.filtered else None)
                is_prose = not (answer.filtered or answer.refused or answer.truncated)
        if is_prose and state.note_useless_call(self._clock.now()):
            failure = ModelUnusable()
            _log.warning("%s: %s", call.model, failure.for_operator)
        failure.usage = spent
        raise failure

    def entries(self, models: str) -> tuple[ModelEntry, ...]:
        """Return the models of a list as in the settings."""
        return self._routes.entries(models)

    @property
    def host(self) -> str | None:
        """The host name of the endpoint that is asked first for answers."""
        return self.host_of(self.entries(self.chat_model)[0])

    def host_of(self, model: ModelEntry) -> str | None:
        """Return the host name of a model's endpoint."""
        return self._routes.endpoints[model.endpoint].host

    def omitted(self, model: ModelEntry) -> list[str]:
        """Return what a model's endpoint refused so far, in words."""
        return sorted(self._state(model).refused)

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
        """Ask for a tool call. If the model answers with text, ask for the arguments as text.

        So is a small model whose server drops tools in silence: its text may run on until the end.
        """
        state = self._state(call.model)
        answer = await self._ask(call, messages)
        runs_on = answer.runs_on and not state.writes_calls
        if (
            Feature.TOOLS in state.refused
            or (answer.final and not runs_on)
            or answer.fits(call.tool)
        ):
            return answer
        try:
            second = await self._ask(call, messages, without=frozenset({Feature.TOOLS}))
        except ModelError as error:
            raise _spent(error, answer.usage) from None
        if second.fits(call.tool):
            state.refuse({Feature.TOOLS})
        return replace(second, usage=answer.usage + second.usage)

    async def _ask(
        self,
        call: _Call,
        messages: Sequence[ChatMessage],
        *,
        without: frozenset[Feature] = frozenset(),
    ) -> CompletionChoice:
        """Ask, and once more with more room for thoughts if an answer ended in them.

        Raises OutOfRoom if that is no better.
        """
        state = self._state(call.model)
        state.require_rested(self._clock.monotonic())
        requests = _Requests(set(without))
        answer = await self._ask_as_possible(call, messages, requests)
        if not answer.lacks_room(call.tool):
            return answer
        state.widen(had_room=requests.had_room)
        answer = await self._ask_as_possible(call, messages, requests)
        if answer.lacks_room(call.tool) and not (answer.text or answer.call):
            raise _spent(OutOfRoom(), requests.usage)
        return answer

    async def _ask_as_possible(
        self, call: _Call, messages: Sequence[ChatMessage], requests: _Requests
    ) -> CompletionChoice:
        """Ask without the features that the endpoint refuses. Returns the answer, with all usage.

        Each refusal removes a feature, so there are never more requests than features. After a
        broken stream, or one with neither text nor call, the answer is requested once more without
        streaming.
        """
        state = self._state(call.model)
        refused: set[Feature] = set()
        is_lost = False
        while True:
            lost_ends, requests.had_room = state.lost_ends, state.thought_tokens > 0
            request = build_request(
                call.model.name,
                messages,
                call.tool,
                offered=call.offered,
                max_tokens=call.max_tokens + state.thought_tokens,
                temperature=call.temperature,
                without=state.refused | refused | requests.omitted,
                streams=call.stream is not None,
                effort=self._efforts.get(str(call.model))
                or self._efforts.get(call.model.name)
                or self._efforts.get("", ""),
            )
            try:
                body = await self._send(call, request)
                answer = read_answer(body, request, call.offered if "tools" in request else ())
                if answer is None:
                    raise self._no_answer(body, request)
            except _StreamBroken as error:
                requests.usage += error.usage
                requests.partial = error.shown or requests.partial
                state.lost_ends = lost_ends + error.is_closed  # at once: counts once
                state.end_lossy_streams()
                requests.omitted.add(Feature.STREAM)
                continue
            except ModelError as error:
                error.partial = requests.partial
                raise _spent(error, requests.usage) from None
            except EndpointRefused as error:
                if is_too_long(error.text) and state.thought_tokens:
                    state.narrow()
                    continue
                used = features_used(request, offers=bool(call.offered))
                feature = blamed_feature(error.status, error.text, used)
                if feature is None:
                    meant = self._refusal(call.model, error, request)
                    meant.partial = requests.partial
                    raise _spent(meant, requests.usage) from None
                (requests.omitted if is_temporary(error.text) else refused).add(feature)
                continue
            state.refuse(refused)
            requests.usage += answer.usage
            if not is_lost and answer.is_nothing and {"stream", "tools"} <= request.keys():
                is_lost = True  # lm-proxy streams texts only: a call may have been dropped
                requests.omitted.add(Feature.STREAM)
                continue
            if is_lost:
                state.lost_calls = state.lost_calls + 1 if answer.calls else 0
                state.end_lossy_streams()
            elif answer.calls and "stream" in request:
                state.lost_calls = 0
            if answer.usage.thought_tokens:
                state.thought_tokens = state.thought_tokens or THOUGHT_TOKENS
            return replace(answer, usage=requests.usage)

    def _state(self, model: ModelEntry) -> ModelState:
        return self._states.setdefault(model, ModelState(str(model)))

    def _refusal(
        self, model: ModelEntry, error: EndpointRefused, request: Mapping[str, Any]
    ) -> ModelError:
        meant = refusal(
            error.status,
            error.text,
            has_pictures=any(isinstance(sent["content"], list) for sent in request["messages"]),
        )
        meant.endpoint_text = self._routes.endpoints[model.endpoint].without_keys(error.message)
        rest_s = min(error.retry_after_s or 0.0, MAX_REST_S)
        if isinstance(meant, ModelUnreachable) and rest_s > MAX_RETRY_AFTER_S:
            state = self._state(model)
            state.rests_until = self._clock.monotonic() + rest_s
            state.rest_sentence = meant.template
        return meant

    @staticmethod
    def _no_answer(body: object, request: dict[str, Any]) -> ModelError | EndpointRefused:
        """Return the error for a body with status 200 that contains no answer."""
        if reported := reported_error(body):
            return EndpointRefused(*reported)
        if not isinstance(body, dict) or "choices" not in body:
            return ModelRefused(
                "What answers at my language model's address does not speak chat completions. "
                "Whoever runs me can check OPENAI_BASE_URL; it usually ends in /v1."
            )
        return _spent(
            ModelUnreachable() if body["choices"] else ModelMalformed(),
            read_usage(body, request, ""),
        )

    async def _send(self, call: _Call, request: dict[str, Any]) -> object:
        """Send a request, again after what passes by itself. Returns the body of its answer."""
        ends_at = self._clock.monotonic() + call.timeout_s
        used = features_used(request, offers=bool(call.offered))
        for attempt in count():
            left_s = ends_at - self._clock.monotonic()
            try:
                return await self._send_once(call, request, left_s)
            except (EndpointRefused, ModelUnreachable) as error:
                pause_s = _retry_pause_s(error, attempt, used)
                left_s = ends_at - self._clock.monotonic()
                if pause_s is None or attempt == call.retries or pause_s >= left_s:
                    raise
            await self._clock.sleep(pause_s)
        raise AssertionError("the last attempt returns or raises")

    async def _send_once(self, call: _Call, request: dict[str, Any], timeout_s: float) -> object:
        """Send a request, streamed if the call wants that. Returns the body of its answer."""
        endpoint = self._routes.endpoints[call.model.endpoint]
        if "stream" not in request or call.stream is None:
            return await endpoint.post(CHAT, request, timeout_s, call.wait_s)
        accumulator = StreamAccumulator(call.stream, offers="tools" in request)
        try:
            if await endpoint.stream(request, timeout_s, call.wait_s, accumulator.feed):
                accumulator.end()
        except ModelUnreachable as error:
            if is_slow(error) and accumulator.shown_in_all():
                accumulator.cut()
                return accumulator.body()
            raise _spent(error, accumulator.usage(request)) from None
        spent = accumulator.usage(request)
        if accumulator.error is not None and not spent.total:
            raise EndpointRefused(*accumulator.error)
        is_reported = accumulator.error is not None or accumulator.is_damaged
        if is_reported or not accumulator.is_whole:
            is_closed = accumulator.is_closed and not is_reported
            raise _StreamBroken(spent, accumulator.shown_in_all(), is_closed=is_closed)
        state = self._state(call.model)
        state.lost_ends = 0
        if accumulator.has_thoughts_as_text:  # people should not read them while they arrive
            state.refuse({Feature.STREAM})
        return accumulator.body()


def _retry_pause_s(
    error: EndpointRefused | ModelUnreachable, attempt: int, used: Set[Feature]
) -> float | None:
    """Return the seconds before a request is sent again; None: that does not help, or too late."""
    pause_s = FIRST_RETRY_S * 2**attempt
    if isinstance(error, ModelUnreachable):
        return None if error.template != ModelUnreachable.sentence else pause_s
    if blamed_feature(error.status, error.text, used) or is_too_long(error.text):
        return None
    if not isinstance(refusal(error.status, error.text), ModelUnreachable):
        return None
    if error.retry_after_s is not None:
        pause_s = error.retry_after_s
    return pause_s if pause_s <= MAX_RETRY_AFTER_S else None


def _spent(error: ModelError, usage: Usage) -> ModelError:
    error.usage = (error.usage or Usage()) + usage
    return error

"""A loopback model server that speaks OpenAI's protocol, and is strict where OpenAI is.

    async with FakeModelServer() as server:
        server.reply_with("Hello!")
        server.extract_with(lambda request: {"memories": []})
        server.script(error(503), text("second try"))

Who answers a chat request: ``on_chat`` if set, else the next scripted answer, else the extract
handler when a tool call is wanted, else the reply handler, also when tools are merely offered
(``tool_choice: "auto"``). Handlers may be async and may return an Answer, for example
``tools(("remember", {...}))``. With ``thought_tokens``, the model thinks so much before each
answer, and its thoughts count into the limit; the variable TEST_MODEL_THOUGHTS sets it for all.
``refuse`` holds keys of REFUSABLE: ``"tools"`` for every tool,
``"offered_tools"`` for those in chat only. Texts to embed get vectors that lie close where they
share words, unless ``on_embeddings`` says otherwise: an Answer, or the vectors. Nothing here sleeps
to synchronise; latency is only what a test asks for.
"""

import asyncio
import base64
import hashlib
import inspect
import json
import math
import os
import re
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

ChatRequest = dict[str, Any]

ROLES = {"system", "developer", "user", "assistant", "tool"}
ARGUMENTS = {
    *("model", "messages", "tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p"),
    *("n", "stop", "seed", "stream", "stream_options", "max_tokens", "max_completion_tokens"),
    *("response_format", "user", "metadata", "store", "presence_penalty", "frequency_penalty"),
    *("logit_bias", "logprobs", "reasoning_effort"),
}
REFUSABLE = {
    "strict": "'strict' is not supported by this model's tool parser.",
    "named_tool": (
        "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    ),
    "tool_choice": "tool_choice is not supported by this server.",
    "parallel_tool_calls": "Unsupported parameter: 'parallel_tool_calls' is not supported here.",
    "temperature": (
        "Unsupported value: 'temperature' does not support {temperature} with this model. Only "
        "the default (1) value is supported."
    ),
    "max_tokens": (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead."
    ),
    "max_completion_tokens": "max_completion_tokens: Extra inputs are not permitted",
    "tools": "registry.fake/library/{model} does not support tools",
    "offered_tools": (
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    ),
    "tool_messages": "messages.{told}.role: Input should be 'system', 'user' or 'assistant'",
    "system": "Developer instruction is not enabled for models/{model}",
    "repeated_roles": "Conversation roles must alternate user/assistant/user/assistant/...",
    "stream": "Streaming is not supported for this model.",
    "stream_options": "Unrecognized request argument supplied: stream_options",
    "images": "{model} does not support image input",
}
PICTURE_TOKENS = 1000
THOUGHTS_VARIABLE = "TEST_MODEL_THOUGHTS"
DATA_URL = re.compile(r"data:image/(?:png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+=*)")


# -- answers --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server does with one request."""

    content: Any = None
    calls: tuple[tuple[str, str], ...] = ()
    finish_reason: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    usage: dict[str, Any] | str | None = "counted"
    choices: Any = "one"
    status: int = 200
    body: Any = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: str = "answer"
    after_s: float = 0.0
    writing: "Writing | None" = None
    ran: str = ""  # a tool that the server ran by itself before it answered

    def with_usage(self, prompt_tokens: int, completion_tokens: int) -> "Answer":
        """The same answer, with these figures for usage."""
        return replace(self, usage=_usage(prompt_tokens, completion_tokens))

    def after(self, seconds: float) -> "Answer":
        """The same answer, later."""
        return replace(self, after_s=seconds)


def text(words: str | None, finish_reason: str = "stop") -> Answer:
    """An answer in words."""
    return Answer(content=words, finish_reason=finish_reason)


def parts(*texts: str) -> Answer:
    """An answer whose content is a list of parts."""
    return Answer(content=[{"type": "text", "text": part} for part in texts], finish_reason="stop")


def refused(words: str) -> Answer:
    """The model's own refusal."""
    return Answer(extra={"refusal": words}, finish_reason="stop")


def filtered(words: str | None = None) -> Answer:
    """An answer that the endpoint's content filter stopped."""
    return Answer(content=words, finish_reason="content_filter")


def cut_off(words: str) -> Answer:
    """An answer that ran out of tokens."""
    return Answer(content=words, finish_reason="length")


def reasoning_only(thoughts: str = "Let me think about it.") -> Answer:
    """A turn that holds nothing but reasoning."""
    return Answer(content="", extra={"reasoning_content": thoughts}, finish_reason="stop")


def tool(name: str, arguments: Mapping[str, Any]) -> Answer:
    """A tool call."""
    return Answer(calls=((name, json.dumps(arguments, ensure_ascii=False)),))


def tools(*calls: tuple[str, Mapping[str, Any]], words: str | None = None) -> Answer:
    """Several tool calls in one answer, with words beside them if wanted."""
    written = tuple((name, json.dumps(arguments)) for name, arguments in calls)
    return Answer(content=words, calls=written)


def raw_tool_arguments(arguments: str, name: str = "", finish_reason: str = "tool_calls") -> Answer:
    """A tool call with its arguments as they stand; the tool's name is the one asked for."""
    return Answer(calls=((name, arguments),), finish_reason=finish_reason)


def in_code_fence(value: Any) -> Answer:
    """JSON in the words of an answer, in a code fence, with some talk around it."""
    return text(f"Here it is:\n```json\n{json.dumps(value, indent=2)}\n```\nAnything else?")


def empty_choices(choices: Any = None) -> Answer:
    """An answer with ``choices: null``, or with whatever is given."""
    return Answer(choices=choices)


def error(
    status: int,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
    *,
    message: str = "The server had an error.",
    code: str | None = None,
    param: str | None = None,
) -> Answer:
    """An error; the client's retries, if any, come at once unless ``headers`` say otherwise.

    A 429 also has the headers in which OpenAI tells of its limits.
    """
    if status == 429 and headers is None:
        headers = limits(0.001)
    if body is None:
        kind = "server_error" if status >= 500 else "invalid_request_error"
        body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return Answer(status=status, body=body, headers=headers or {"retry-after-ms": "1"})


def limits(retry_after_s: float) -> dict[str, str]:
    """The headers of a 429, as OpenAI sends them: when to ask again, and what is used up."""
    return {
        "retry-after": str(math.ceil(retry_after_s)),
        "retry-after-ms": str(round(retry_after_s * 1000)),
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": f"{round(retry_after_s * 1000)}ms",
        "x-ratelimit-limit-tokens": "30000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": f"{round(retry_after_s * 1000)}ms",
    }


def rate_limited(retry_after_s: float) -> Answer:
    """A 429 that asks to wait so long."""
    message = f"Rate limit reached. Please try again in {round(retry_after_s * 1000)}ms."
    return error(429, None, limits(retry_after_s), message=message, code="rate_limit_exceeded")


def raw_body(body: str, content_type: str = "application/json") -> Answer:
    """A body of any text, with status 200."""
    return Answer(body=body, content_type=content_type)


def hang() -> Answer:
    """No answer at all, until the client gives up or the server stops."""
    return Answer(manner="hang")


def drop_connection() -> Answer:
    """The connection closes before a byte is sent."""
    return Answer(manner="drop")


class Writing:
    """An answer that is written piece by piece, as a test says; whole where none is streamed."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self._pieces: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def __call__(self, _: ChatRequest) -> Answer:
        """Be the handler of a request, or the next of them."""
        return Answer(writing=self)

    def write(self, words: str) -> None:
        """Write on."""
        self._pieces.put_nowait({"delta": {"content": words}, "finish_reason": None})

    def call(self, name: str, arguments: Mapping[str, Any], call_id: str = "call_0") -> None:
        """Call a tool."""
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"index": 0, "id": call_id, "type": "function", "function": function}
        self._pieces.put_nowait({"delta": {"tool_calls": [call]}, "finish_reason": None})

    def end(self, reason: str = "stop") -> None:
        """Come to the end."""
        self._pieces.put_nowait({"delta": {}, "finish_reason": reason})

    def finish(self, words: str) -> None:
        """Write the last words, and come to the end."""
        self.write(words)
        self.end()

    def break_off(self) -> None:
        """Drop the connection."""
        self._pieces.put_nowait(None)

    async def pieces(self) -> AsyncIterator[dict[str, Any] | None]:
        """Yield the choices of the chunks, to the last one; None: the connection is dropped."""
        self.begun.set()
        while True:
            piece = await self._pieces.get()
            yield piece
            if piece is None or piece["finish_reason"]:
                return


Handler = Callable[[ChatRequest], Any]


# -- the server -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request as it arrived."""

    path: str
    body: Any
    headers: Mapping[str, str]


class FakeModelServer:
    """An OpenAI-compatible endpoint on 127.0.0.1; see the module's first lines."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        models: Iterable[str] | None = None,
        refuse: Iterable[str] = (),
        latency_s: float = 0.0,
        dimensions: int = 64,
    ) -> None:
        self.api_key = api_key
        self.models = None if models is None else list(models)
        self.dimensions = dimensions
        self._port = 0
        self._claim: socket.socket | None = None
        self.in_flight = 0
        self.start_over(refuse=refuse, latency_s=latency_s)
        self._stopping = asyncio.Event()
        self._arrived = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    def start_over(self, *, refuse: Iterable[str] = (), latency_s: float = 0.0) -> None:
        """Forget every request, and answer as if nobody had said how."""
        self.refuse = set(refuse)
        self.latency_s = latency_s
        self.streams_texts_only = False  # as lm-proxy does: calls are lost, the reason is "stop"
        self.streams_no_ends = False  # as @musistudio/llms does: neither reason nor usage, [DONE]
        self.streams_errors = False  # as llm-sniffer does: status 200, and the error is the body
        self.max_model_len: int | None = None  # as vLLM's: an answer may not be given more
        self.thought_tokens = int(os.environ.get(THOUGHTS_VARIABLE, "0"))
        self.on_chat: Handler | None = None
        self.on_embeddings: Handler | None = None
        self.on_transcription: Handler | str = "Hello from the recording."
        self.requests: list[RecordedRequest] = []
        self.peak_in_flight = 0
        self._script: deque[Answer | str] = deque()
        self._reply: Handler | str | Answer = "Hello from the fake model."
        self._extract: Handler | None = None
        self._summarise: Handler | None = None
        self._verify: Handler = support_all

    @property
    def base_url(self) -> str:
        """The address to give to a client; it stays the same across a restart."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def chats(self) -> list[ChatRequest]:
        """The bodies of the chat requests so far."""
        return [request.body for request in self.requests if request.path.endswith("completions")]

    @property
    def embedded(self) -> list[list[str]]:
        """The texts of the embeddings requests so far."""
        found = [one.body["input"] for one in self.requests if one.path.endswith("embeddings")]
        return [[one] if isinstance(one, str) else one for one in found]

    def script(self, *answers: Answer | str) -> None:
        """Queue answers for the next chat requests, whatever they ask for; a Writing is for one for
        words, so that a summary that is due just now does not take it."""
        self._script.extend(answers)

    def reply_with(self, reply: Handler | str | Answer) -> None:
        """Set what answers requests for words: a text, an Answer, or a function of the request."""
        self._reply = reply

    def extract_with(self, extract: Handler) -> None:
        """Set what answers requests for a tool call: a function from request to arguments."""
        self._extract = extract

    def summarise_with(self, summarise: Handler) -> None:
        """Set what answers requests for a chapter's summary; without it, an empty one."""
        self._summarise = summarise

    def verify_with(self, verify: Handler) -> None:
        """Set what answers requests for verdicts; without it, every note is supported."""
        self._verify = verify

    async def wait_requests(self, count: int) -> None:
        """Wait until that many requests have arrived since the start."""
        await self.wait_until(lambda: len(self.requests) >= count)

    async def wait_until(self, enough: Callable[[], bool]) -> None:
        """Wait until what has arrived is enough; asked again with each request."""
        async with self._arrived:
            await self._arrived.wait_for(enough)

    async def __aenter__(self) -> "FakeModelServer":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    async def start(self) -> None:
        """Listen; after a stop, on the same port again, which nobody else is given meanwhile."""
        if self._claim is None:
            self._claim = socket.socket()
            self._claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            self._claim.bind(("127.0.0.1", self._port))
            self._port = self._claim.getsockname()[1]
        self._stopping.clear()
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_post("/v1/audio/transcriptions", self._transcriptions)
        app.router.add_get("/v1/models", self._list_models)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(
            self._runner, "127.0.0.1", self._port, reuse_address=True, reuse_port=True
        )
        await site.start()

    async def stop(self) -> None:
        """Close every connection and the port; requests that hang are dropped."""
        self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    # -- endpoints --------------------------------------------------------------------------

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        request = await self._receive(http)
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        try:
            problem = self._unauthorised(http) or self._invalid(request)
            answer = problem or self._after_thoughts(request, await self._choose(request))
            if delay := self.latency_s + answer.after_s:
                await asyncio.sleep(delay)
            return await self._send(http, request, answer)
        finally:
            self.in_flight -= 1

    def _after_thoughts(self, request: ChatRequest, answer: Answer) -> Answer:
        """The answer of a model that spends ``thought_tokens`` of the limit before it."""
        if not self.thought_tokens or answer.status != 200 or answer.body is not None:
            return answer
        if answer.manner != "answer" or answer.writing is not None or answer.choices != "one":
            return answer
        limit = request.get("max_tokens", request.get("max_completion_tokens", 10**6))
        said = count_tokens(json.dumps([answer.content, answer.calls]))
        extra = {**answer.extra, "reasoning_content": "Hm. "}
        if self.thought_tokens + said > limit:
            cut = replace(answer, content="", calls=(), extra=extra, finish_reason="length")
            return replace(cut, usage=_usage_with_thoughts(request, limit, limit))
        if answer.usage != "counted":
            return replace(answer, extra=extra)
        total = self.thought_tokens + said
        usage = _usage_with_thoughts(request, total, self.thought_tokens)
        return replace(answer, extra=extra, usage=usage)

    async def _embeddings(self, http: web.Request) -> web.StreamResponse:
        request = await self._receive(http)
        if problem := self._unauthorised(http):
            return _json(problem.body, problem.status)
        texts = request.get("input")
        texts = [texts] if isinstance(texts, str) else texts
        if not isinstance(texts, list) or not all(isinstance(t, str) and t for t in texts):
            return _json(_invalid("'$.input' is invalid.", "input").body, 400)
        if self.models is not None and request.get("model") not in self.models:
            return _json(error(404, message="no such model", code="model_not_found").body, 404)
        size = request.get("dimensions", self.dimensions)
        vectors = [embed(one, size) for one in texts]
        if self.on_embeddings is not None:
            told = await _called(self.on_embeddings, request)
            if isinstance(told, Answer):
                return await self._send(http, request, told)
            vectors = vectors if told is None else told
        packed = request.get("encoding_format") == "base64"
        used = sum(map(count_tokens, texts))
        return _json(
            {
                "object": "list",
                "model": request.get("model"),
                "data": [
                    {
                        "object": "embedding",
                        "index": index,
                        "embedding": _packed(vector) if packed else vector,
                    }
                    for index, vector in enumerate(vectors)
                ],
                "usage": {"prompt_tokens": used, "total_tokens": used},
            }
        )

    async def _transcriptions(self, http: web.Request) -> web.StreamResponse:
        """Answer with the words of a recording; ``on_transcription`` says which.

        What it is called with is the form: ``model``, ``response_format``, ``name`` and ``file``.
        """
        fields = await http.post()
        file = fields.get("file")
        form = {"model": fields.get("model"), "response_format": fields.get("response_format")}
        if isinstance(file, web.FileField):
            form |= {"name": file.filename, "file": file.file.read()}
        async with self._arrived:
            self.requests.append(RecordedRequest(http.path, form, dict(http.headers)))
            self._arrived.notify_all()
        if problem := self._unauthorised(http):
            return _json(problem.body, problem.status)
        if not form["model"] or not form.get("file"):
            return _json(_invalid("1 validation error: field required: file, model").body, 400)
        told = await _called(self.on_transcription, form)
        if isinstance(told, Answer):
            return await self._send(http, form, told)
        return _json({"text": told})

    async def _list_models(self, http: web.Request) -> web.StreamResponse:
        await self._receive(http)
        if problem := self._unauthorised(http):
            return _json(problem.body, problem.status)
        listed = self.models or ["fake-model"]
        data = [{"id": m, "object": "model", "created": 0, "owned_by": "fake"} for m in listed]
        return _json({"object": "list", "data": data})

    async def _receive(self, http: web.Request) -> Any:
        raw = await http.read()
        body = json.loads(raw) if raw else None
        async with self._arrived:
            self.requests.append(RecordedRequest(http.path, body, dict(http.headers)))
            self._arrived.notify_all()
        return body

    # -- deciding ---------------------------------------------------------------------------

    async def _choose(self, request: ChatRequest) -> Answer:
        if self.on_chat is not None:
            return _answer(await _called(self.on_chat, request))
        if self._script and not (
            getattr(self._script[0], "writing", None) and wants_arguments(request)
        ):
            return _answer(self._script.popleft())
        if not wants_arguments(request):
            return _answer(await _called(self._reply, request))
        handler = self._summarise if summarises(request) else self._extract
        handler = self._verify if verifies(request) else handler
        if handler is None:
            arguments = _least(_schema(request))
        else:
            arguments = await _called(handler, request)
        if isinstance(arguments, Answer):
            return arguments
        written = json.dumps(arguments, ensure_ascii=False)
        return Answer(calls=(("", written),)) if request.get("tools") else text(written)

    def _unauthorised(self, http: web.Request) -> Answer | None:
        given = http.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.api_key is None or given == self.api_key:
            return None
        masked = f"{given[:3]}***{given[-2:]}"
        message = f"Incorrect API key provided: {masked}. You can find your API key at the fake."
        return error(401, message=message, code="invalid_api_key")

    def _invalid(self, request: Any) -> Answer | None:
        """Return the 400 or 404 that OpenAI would answer, or None for a proper request."""
        if not isinstance(request, dict):
            return _invalid("We could not parse the JSON body of your request.")
        if unknown := set(request) - ARGUMENTS:
            return _invalid(f"Unrecognized request argument supplied: {min(unknown)}")
        model = request.get("model")
        if not isinstance(model, str) or not model:
            return _invalid("you must provide a model parameter")
        if self.models is not None and model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            return error(404, message=message, code="model_not_found")
        limit = request.get("max_tokens", 0)
        if self.max_model_len is not None and limit > self.max_model_len:
            return _invalid(
                f"max_tokens={limit} cannot be greater than max_model_len={self.max_model_len}. "
                "Please request fewer output tokens."
            )
        return (
            self._unsupported(request)
            or _invalid_messages(request.get("messages"))
            or _invalid_numbers(request)
            or _invalid_tools(request)
        )

    def _unsupported(self, request: ChatRequest) -> Answer | None:
        offered = request.get("tools") or []
        messages = request.get("messages") or []
        present = {key for key in self.refuse if key in request}
        if isinstance(request.get("tool_choice"), dict):
            present.add("named_tool")
        if any("strict" in offer.get("function", {}) for offer in offered):
            present.add("strict")
        if any(pictures_of(message) for message in messages if isinstance(message, dict)):
            present.add("images")
        if offered and request.get("tool_choice", "auto") == "auto":
            present.add("offered_tools")
        told = [
            i for i, m in enumerate(messages) if isinstance(m, dict) and m.get("role") == "tool"
        ]
        if told:
            present.add("tool_messages")
        if any(isinstance(m, dict) and m.get("role") == "system" for m in messages):
            present.add("system")
        talk = [m["role"] for m in messages if isinstance(m, dict) and m.get("role") != "system"]
        if "tool" not in talk and talk != [["user", "assistant"][i % 2] for i in range(len(talk))]:
            present.add("repeated_roles")
        for feature in sorted(present & self.refuse, key=list(REFUSABLE).index, reverse=True):
            message = REFUSABLE[feature].format_map({**request, "told": next(iter(told), None)})
            return _invalid(message, feature if feature in request else None, "unsupported")
        return None

    # -- answering --------------------------------------------------------------------------

    async def _send(
        self, http: web.Request, request: ChatRequest, answer: Answer
    ) -> web.StreamResponse:
        if answer.manner == "hang":
            await self._stopping.wait()
        if answer.manner in ("hang", "drop"):
            return _dropped(http)
        if answer.status != 200 and request.get("stream") and self.streams_errors:
            return _json(answer.body, content_type="text/event-stream")
        if answer.body is not None or answer.status != 200:
            return _json(answer.body, answer.status, answer.content_type, answer.headers)
        if request.get("stream"):
            return await self._stream(http, request, answer)
        if answer.writing is not None:
            written = [piece async for piece in answer.writing.pieces()]
            if written[-1] is None:
                return _dropped(http)
            words = "".join(one["delta"].get("content", "") for one in written if one)
            answer = replace(answer, content=words, finish_reason=written[-1]["finish_reason"])
        whole = json.dumps(_completion(request, answer))
        return _json(whole, headers=answer.headers)

    async def _stream(
        self, http: web.Request, request: ChatRequest, answer: Answer
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        if self.streams_texts_only:
            answer = replace(answer, calls=(), finish_reason="stop")
        completion = _completion(request, answer)
        shared = {"id": completion["id"], "object": "chat.completion.chunk", "created": 0}
        shared["model"] = completion["model"]
        async for choice in _chunks(completion, answer):
            if choice is None:
                return _dropped(http)
            if self.streams_no_ends and not choice["delta"]:
                continue
            chunk = {**shared, "choices": [choice]}
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        wants_usage = (request.get("stream_options") or {}).get("include_usage")
        if wants_usage and answer.usage is not None and not self.streams_no_ends:
            chunk = {**shared, "choices": [], "usage": completion["usage"]}
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response


# -- what a request asks for ----------------------------------------------------------------


def wants_arguments(request: ChatRequest) -> bool:
    """Whether a tool call is wanted, not only offered, or its arguments as plain JSON.

    Without a ``tool_choice``, the only tool counts as wanted, and several as offered.
    """
    if offered := request.get("tools"):
        otherwise = "auto" if len(offered) > 1 else "required"
        return request.get("tool_choice", otherwise) not in ("auto", "none")
    return "JSON Schema" in prompt_of(request, "system", "user")


def summarises(request: ChatRequest) -> bool:
    """Whether the arguments that are wanted are a chapter's summary."""
    return wants_arguments(request) and "summary" in _schema(request)["properties"]


def verifies(request: ChatRequest) -> bool:
    """Whether the arguments that are wanted are verdicts on notes."""
    return wants_arguments(request) and "follows" in _schema(request)["properties"]


def support_all(request: ChatRequest) -> dict[str, Any]:
    """Answer a verification: every sentence and note is right."""
    said = prompt_of(request, "user").partition("SAID")[2]
    notes = " ".join(re.findall(r"(?m)^  (n\d+) ", said))
    sentences = " ".join(re.findall(r"(?m)^(s\d+)", said))
    return {
        "own": sentences,
        "follows": notes,
        "same": notes,
        "untrue": notes,
        "profile": True,
    }


def prompt_of(request: ChatRequest, *roles: str) -> str:
    """The text of a request's messages, of these roles or of all, joined by newlines."""
    return "\n".join(
        message["content"]
        for message in request["messages"]
        if isinstance(message.get("content"), str) and (not roles or message["role"] in roles)
    )


def _schema(request: ChatRequest) -> dict[str, Any]:
    if request.get("tools"):
        return request["tools"][0]["function"]["parameters"]
    prompt = prompt_of(request, "system", "user")
    start = prompt.index("{", prompt.index("JSON Schema"))
    return json.JSONDecoder().raw_decode(prompt, start)[0]


def _least(schema: Mapping[str, Any]) -> Any:
    """The smallest value that a schema allows."""
    kinds = schema.get("type") or [option.get("type") for option in schema.get("anyOf", ())]
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "null" in kinds:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    if "object" in kinds:
        return {key: _least(inner) for key, inner in schema.get("properties", {}).items()}
    plain = {"array": [], "boolean": False, "integer": 0, "number": 0}
    return plain.get(kinds[0], "") if kinds else ""


async def _called(handler: Any, request: ChatRequest) -> Any:
    result = handler(request) if callable(handler) else handler
    return await result if inspect.isawaitable(result) else result


def _answer(value: Any) -> Answer:
    return value if isinstance(value, Answer) else text(value)


# -- strictness -----------------------------------------------------------------------------


def _invalid(message: str, param: str | None = None, code: str | None = None) -> Answer:
    return error(400, message=message, param=param, code=code)


def _invalid_messages(messages: Any) -> Answer | None:
    if not isinstance(messages, list) or not messages:
        return _invalid("Invalid 'messages': empty array. Expected minimum length 1.", "messages")
    for index, message in enumerate(messages):
        where = f"messages[{index}]"
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            return _invalid(f"Invalid value for '{where}.role'.", f"{where}.role")
        content = message.get("content")
        if not isinstance(content, str | list) and not message.get("tool_calls"):
            return _invalid(f"Invalid value for '{where}.content': got null.", f"{where}.content")
        if isinstance(content, list) and (fault := _part_fault(content, message["role"])):
            return _invalid(f"Invalid '{where}.content': {fault}", f"{where}.content")
        name = message.get("name", "ok")
        if not isinstance(name, str) or not re.fullmatch(r"[^\s<|\\/>]{1,64}", name):
            return _invalid(f"Invalid '{where}.name': pattern mismatch.", f"{where}.name")
    return _invalid_round_trips(messages)


def pictures_of(message: Mapping[str, Any]) -> list[bytes]:
    """The pictures in a message of a request."""
    content = message.get("content")
    urls = [
        part["image_url"]["url"]
        for part in (content if isinstance(content, list) else [])
        if part.get("type") == "image_url"
    ]
    return [base64.b64decode(DATA_URL.fullmatch(url)[1]) for url in urls]


def _part_fault(parts_of_content: list[Any], role: str) -> str | None:
    """Say what is wrong with a message's content in parts, or None."""
    for part in parts_of_content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and isinstance(part.get("text"), str):
            continue
        if kind != "image_url" or role != "user":
            return f"parts of the type {kind!r} are not allowed for the role '{role}'."
        url = (part.get("image_url") or {}).get("url")
        if not isinstance(url, str) or not DATA_URL.fullmatch(url):
            return "expected a base64-encoded data URL with an image MIME type."
    return None


def _without_pictures(messages: list[dict[str, Any]]) -> list[Any]:
    """The messages as far as their tokens are counted by letters."""
    return [
        {**message, "content": [part for part in message["content"] if part.get("type") == "text"]}
        if isinstance(message.get("content"), list)
        else message
        for message in messages
    ]


def _invalid_round_trips(messages: list[dict[str, Any]]) -> Answer | None:
    """Refuse what OpenAI refuses: results of no call, and calls without a result."""
    waiting: list[str] = []
    for index, message in enumerate([*messages, {"role": "end"}]):
        where = f"messages[{index}]"
        if message["role"] == "tool":
            if not isinstance(message.get("tool_call_id"), str):
                return _invalid(f"Missing parameter '{where}.tool_call_id'.", where)
            if message["tool_call_id"] not in waiting:
                return _invalid(
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceeding message with 'tool_calls'.",
                    f"{where}.role",
                )
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return _invalid(
                "An assistant message with 'tool_calls' must be followed by tool messages "
                "responding to each 'tool_call_id'. The following tool_call_ids did not have "
                f"response messages: {', '.join(waiting)}",
                f"{where}.role",
            )
        calls = message.get("tool_calls", [])
        if fault := _call_fault(calls, message["role"]) if "tool_calls" in message else None:
            return _invalid(f"Invalid '{where}.tool_calls': {fault}", f"{where}.tool_calls")
        waiting = [call["id"] for call in calls]
    return None


def _call_fault(calls: Any, role: str) -> str | None:
    """Say what is wrong with the tool calls of a message, or None."""
    if role != "assistant":
        return f"not allowed for the role '{role}'."
    if not isinstance(calls, list) or not calls:
        return "empty array. Expected an array with minimum length 1."
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or call.get("type") != "function":
            return "not a function call."
        if not isinstance(call.get("id"), str) or not 0 < len(call["id"]) <= 40:
            return "id is not a string of 1 to 40 characters."
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", str(function.get("name"))):
            return "function.name does not match the pattern."
        if not isinstance(function.get("arguments"), str):
            return "function.arguments is not a string."
    if len({call["id"] for call in calls}) < len(calls):
        return "duplicate ids."
    return None


def _invalid_numbers(request: ChatRequest) -> Answer | None:
    if "max_tokens" in request and "max_completion_tokens" in request:
        return _invalid("Setting both 'max_tokens' and 'max_completion_tokens' is not supported.")
    for key in ("max_tokens", "max_completion_tokens"):
        if key in request and (type(request[key]) is not int or request[key] < 1):
            return _invalid(f"Invalid '{key}': below the minimum value of 1.", key)
    temperature = request.get("temperature", 1)
    if not isinstance(temperature, int | float) or not 0 <= temperature <= 2:
        return _invalid("Invalid 'temperature': must be from 0 to 2.", "temperature")
    return None


def _invalid_tools(request: ChatRequest) -> Answer | None:
    offered = request.get("tools")
    if offered is None:
        for key in ("tool_choice", "parallel_tool_calls"):
            if key in request:
                return _invalid(f"'{key}' is only allowed when 'tools' are specified.", key)
        return None
    if not isinstance(offered, list) or not offered:
        return _invalid("Invalid 'tools': empty array. Expected minimum length 1.", "tools")
    names = set()
    for index, offer in enumerate(offered):
        function = offer.get("function", {}) if offer.get("type") == "function" else {}
        name = function.get("name", "")
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
            return _invalid(f"Invalid 'tools[{index}].function.name'.", f"tools[{index}]")
        names.add(name)
        if function.get("strict") and (fault := _strict_fault(function.get("parameters"))):
            message = f"Invalid schema for function '{name}': {fault}"
            param = f"tools[{index}].function.parameters"
            return _invalid(message, param, "invalid_function_parameters")
    choice = request.get("tool_choice", "auto")
    chosen = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    if chosen not in names and choice not in ("none", "auto", "required"):
        return _invalid("Tool choice not found in 'tools' parameter.", "tool_choice")
    return None


def _strict_fault(schema: Any, where: tuple[str, ...] = ()) -> str | None:
    """Say how a schema breaks the rules for strict tools, or None."""
    if not isinstance(schema, dict):
        return f"In context={where}, schema must be an object."
    if "object" in (schema.get("type"), *_listed(schema.get("type"))):
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            return f"In context={where}, 'additionalProperties' must be supplied and false."
        if sorted(schema.get("required", [])) != sorted(properties):
            return f"In context={where}, 'required' must include every key in properties."
        for key, inner in properties.items():
            if fault := _strict_fault(inner, (*where, "properties", key)):
                return fault
    if "items" in schema and (fault := _strict_fault(schema["items"], (*where, "items"))):
        return fault
    for option in schema.get("anyOf", ()):
        if fault := _strict_fault(option, (*where, "anyOf")):
            return fault
    return None


def _listed(kinds: Any) -> list[Any]:
    return kinds if isinstance(kinds, list) else []


# -- writing --------------------------------------------------------------------------------


def count_tokens(words: str) -> int:
    """Tokens as this server counts them: four bytes each, rounded up."""
    return math.ceil(len(words.encode()) / 4)


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def _usage_with_thoughts(request: ChatRequest, completion: int, thoughts: int) -> dict[str, Any]:
    asked = json.dumps([_without_pictures(request["messages"]), request.get("tools", "")])
    usage = _usage(count_tokens(asked), completion)
    return {**usage, "completion_tokens_details": {"reasoning_tokens": thoughts}}


def _completion(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.content, **answer.extra}
    offered = request.get("tools") or [{"function": {"name": "none"}}]
    if answer.calls:
        earlier = sum(len(sent.get("tool_calls") or ()) for sent in request["messages"])
        message["tool_calls"] = [
            {
                "id": f"call_{index}",
                "type": "function",
                "function": {
                    "name": name or offered[0]["function"]["name"],
                    "arguments": arguments,
                },
            }
            for index, (name, arguments) in enumerate(answer.calls, start=earlier)
        ]
    reason = answer.finish_reason or ("tool_calls" if answer.calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    completion = {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [choice] if answer.choices == "one" else answer.choices,
    }
    if answer.usage == "counted":
        messages = _without_pictures(request["messages"])
        asked = json.dumps([messages, request.get("tools", "")], ensure_ascii=False)
        said = json.dumps([answer.content, answer.calls, *answer.extra.values()])
        seen = PICTURE_TOKENS * sum(len(pictures_of(one)) for one in request["messages"])
        completion["usage"] = _usage(count_tokens(asked) + seen, count_tokens(said))
    elif answer.usage is not None:
        completion["usage"] = answer.usage
    return completion


async def _chunks(
    completion: Mapping[str, Any], answer: Answer
) -> AsyncIterator[dict[str, Any] | None]:
    """Yield the choices of a stream's chunks: all at once, or as they are written."""
    if answer.writing is None:
        for choice in _deltas(completion.get("choices"), answer):
            yield choice
        return
    async for piece in answer.writing.pieces():
        yield piece and {"index": 0, **piece}


def _deltas(choices: Any, answer: Answer) -> list[dict[str, Any]]:
    """The choices of a stream's chunks: the role, pieces of words or arguments, the end."""
    if not isinstance(choices, list) or not choices:
        return []
    message = choices[0]["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{key: value} for key, value in answer.extra.items()]
    words = message["content"] if isinstance(message["content"], str) else ""
    deltas += [{"content": piece} for piece in re.findall(r"\S+\s*|\s+", words)]
    if isinstance(message["content"], list):
        deltas.append({"content": message["content"]})
    for index, call in enumerate(message.get("tool_calls", ())):
        arguments = call["function"]["arguments"]
        opening = {**call, "index": index, "function": {**call["function"], "arguments": ""}}
        deltas.append({"tool_calls": [opening]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": arguments[at : at + 24]}}]}
            for at in range(0, len(arguments), 24)
        ]
    pieces = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    if answer.ran:  # as hayhooks streams what an agent of Haystack's does
        call = {"index": 0, "id": "ran", "function": {"name": answer.ran, "arguments": "{}"}}
        pieces[1:1] = [
            {**pieces[0], "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
        ]
    pieces.append({"index": 0, "delta": {}, "finish_reason": choices[0]["finish_reason"]})
    return pieces


def _json(
    body: Any,
    status: int = 200,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> web.Response:
    written = body if isinstance(body, str) else json.dumps(body)
    return web.Response(text=written, status=status, content_type=content_type, headers=headers)


def _dropped(http: web.Request) -> web.Response:
    if http.transport is not None:
        http.transport.abort()
    return web.Response()


# -- embeddings -----------------------------------------------------------------------------


def embed(words: str, dimensions: int = 64) -> list[float]:
    """A vector of unit length; texts that share words, or their beginnings, lie close together,
    always the same way."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", words.lower()) or [words]:
        digest = hashlib.blake2b(word[:5].encode("utf-8", "replace"), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] & 1 else -1.0
    length = math.sqrt(sum(value * value for value in vector))
    if not length:  # words that cancelled each other out
        return [1.0, *vector[1:]]
    return [value / length for value in vector]


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()

"""The connection to an OpenAI-compatible endpoint: its client, deadlines and concurrency.

The client's library takes most of a second to load, so it is loaded on first use.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from utils.common.config import Settings
from utils.common.errors import ModelError, ModelUnreachable, SettingsError
from utils.common.model_lists import is_web_address
from utils.common.text import clip, one_line
from utils.llm.json_reader import parsed

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import Response
    from openai import AsyncOpenAI, Timeout

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
MAX_STREAM_TIMEOUTS = 10
MAX_QUOTED = 300  # characters of an error
_LIKE_A_KEY = re.compile(r"\b(?:sk|gsk|xai|key|pk)[-_][\w*.…-]+|(?<=Bearer )\S+", re.IGNORECASE)
KEY_REFUSED = (401, 403)
CHAT = "/chat/completions"

_BUSY = "I'm answering too many people at once right now; please ask again in a moment."
_SLOW = "My language model took too long to answer; please ask again in a moment."


class EndpointRefused(Exception):
    """An endpoint answered with an error status; its ``text`` is never quoted to members.

    ``message``: what of the text is for people, if the endpoint says so. ``retry_after_s``: when it
    wants to be asked again, if it says so.
    """

    def __init__(
        self,
        status: int,
        text: str,
        retry_after_s: float | None = None,
        message: str | None = None,
    ) -> None:
        super().__init__(status)
        self.status = status
        self.text = text
        self.message = message or text
        self.retry_after_s = retry_after_s


class Endpoint:
    """One client of an OpenAI-compatible endpoint, with bounded time and concurrency.

    It never retries: its callers do. Raises SettingsError for an impossible key or address.
    """

    def __init__(self, api_key: str | None, base_url: str | None, *, concurrency: int) -> None:
        self.concurrency = concurrency
        self._places = asyncio.Semaphore(concurrency)
        self._api_key = (api_key or "").strip() or "none"  # local endpoints need no key
        if not (self._api_key.isascii() and self._api_key.isprintable()):
            raise SettingsError("OPENAI_API_KEY holds characters no key has; please copy it again.")
        self._base_url = (base_url or OPENAI_URL).strip()
        if not is_web_address(self._base_url):
            raise SettingsError("OPENAI_BASE_URL is not a web address; please mend it.")
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        self._is_closed = False

    @property
    def host(self) -> str | None:
        """The host name of the endpoint."""
        return urlsplit(self._base_url).hostname

    def without_keys(self, text: str) -> str:
        """Return an error text without this endpoint's key and what looks like one, in one line."""
        text = text.replace(self._api_key, "…") if len(self._api_key) > 4 else text
        return one_line(clip(_LIKE_A_KEY.sub("…", text), MAX_QUOTED))

    async def open(self) -> "AsyncOpenAI":
        """Return the client; its library is loaded in a thread on first use.

        Raises ModelUnreachable after :meth:`close`.
        """
        async with self._opening:
            if self._is_closed:
                raise ModelUnreachable
            if self._client is None:
                self._client = await asyncio.to_thread(self._load)
            return self._client

    async def post(
        self, path: str, request: dict[str, Any], timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Send a request as JSON, such as to CHAT; see :meth:`_send`."""
        return await self._send(partial(_post, path=path, body=request), timeout_s, wait_s)

    async def transcriptions(self, request: dict[str, Any], timeout_s: float) -> object:
        """Ask for the transcript of a recording; see :meth:`_send`."""
        return await self._send(
            lambda client, timeout: client.audio.transcriptions.with_raw_response.create(
                **request, timeout=timeout
            ),
            timeout_s,
        )

    async def list_models(self, timeout_s: float) -> object:
        """Return the list of models as parsed JSON, without waiting for a free place.

        None if it is not JSON. Raises ModelUnreachable, or EndpointRefused (also if the endpoint
        has no such list).
        """
        client = await self.open()
        from openai import APIConnectionError, APIStatusError

        try:
            async with asyncio.timeout(timeout_s):
                response = await client.models.with_raw_response.list()
        except (TimeoutError, APIConnectionError):
            raise ModelUnreachable from None
        except APIStatusError as error:
            raise EndpointRefused(error.status_code, "") from None
        return parsed(response.content)

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        async with self._opening:
            self._is_closed = True
            if self._client is not None:
                await self._client.close()

    def _load(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        return AsyncOpenAI(
            api_key=self._api_key,
            base_url=self._base_url,
            max_retries=0,  # it would sleep a Retry-After of two minutes inside a call
            http_client=DefaultAsyncHttpxClient(verify=_trusted(), max_redirects=3),
        )

    async def stream(
        self,
        request: dict[str, Any],
        timeout_s: float,
        wait_s: float | None,
        on_data: Callable[[bytes], bool | None],
    ) -> bool:
        """Stream a chat completion to ``on_data``. Returns False if the connection broke.

        ``on_data`` returns whether the model went on: ``timeout_s`` counts until the first time
        and between two of them, and the whole may take MAX_STREAM_TIMEOUTS as long. After None the
        connection is closed, so that the model stops. Waits and raises as :meth:`_send` does.
        """
        from httpx2 import HTTPError

        loop = asyncio.get_running_loop()
        async with self._place(timeout_s, wait_s) as (client, timeout, deadline):
            ends_at = loop.time() + MAX_STREAM_TIMEOUTS * timeout_s
            response = await _post(client, timeout, path=CHAT, body=request, stream=True)
            async with aclosing(response):
                try:
                    async for data in response.aiter_bytes():
                        goes_on = on_data(data)
                        if goes_on is None:
                            break
                        if goes_on:
                            deadline.reschedule(min(loop.time() + timeout_s, ends_at))
                except HTTPError:
                    return False
        return True

    async def _send(
        self,
        send: "Callable[[AsyncOpenAI, Timeout], Awaitable[Any]]",
        timeout_s: float,
        wait_s: float | None = None,
    ) -> object:
        """Wait for a free place and send a request. Returns the parsed body, None if not JSON.

        ``wait_s`` limits the wait for a place; it counts towards ``timeout_s``. Raises
        ModelUnreachable, or EndpointRefused for the caller to interpret.
        """
        async with self._place(timeout_s, wait_s) as (client, timeout, _):
            response = await send(client, timeout)
        return parsed(response.content)

    @asynccontextmanager
    async def _place(
        self, timeout_s: float, wait_s: float | None
    ) -> "AsyncIterator[tuple[AsyncOpenAI, Timeout, asyncio.Timeout]]":
        """Wait for a free place and yield the client, its timeout and the deadline.

        Errors in the block become ModelUnreachable or EndpointRefused.
        """
        client = await self.open()
        from openai import APIConnectionError, APIStatusError, Timeout

        sentence = _BUSY
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                async with asyncio.timeout(wait_s):
                    await self._places.acquire()
                sentence = _SLOW
                timeout = Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))
                try:
                    yield client, timeout, deadline
                finally:
                    self._places.release()
        except TimeoutError:
            raise ModelUnreachable(sentence) from None
        except APIConnectionError:
            raise ModelUnreachable from None
        except APIStatusError as error:
            body = error.body
            message = body.get("message") if isinstance(body, dict) else body
            raise EndpointRefused(
                error.status_code,
                f"{error.message} {body}",
                _retry_after_s(error.response.headers),
                message if isinstance(message, str) else None,
            ) from None
        except RuntimeError:  # from the transport, if the client was closed
            if not self._is_closed:
                raise
            raise ModelUnreachable from None


def busy() -> ModelUnreachable:
    """Return the error that no place became free in time."""
    return ModelUnreachable(_BUSY)


def is_busy(error: ModelError) -> bool:
    """Whether an error only means that no place became free in time."""
    return error.template == _BUSY


def is_slow(error: ModelError) -> bool:
    """Whether an error means that an answer took too long."""
    return error.template == _SLOW


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return when to ask again, of the headers of a refusal; None if they do not say."""
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(ValueError):
            return max(0.0, float(headers.get(name, "")) * unit_s)
    return None


async def address_with_v1(api_key: SecretStr | None, base_url: str | None) -> str | None:
    """Return an endpoint's address with /v1 added, if a list of models is there; else None.

    Server programs print their address without it, and answer there with 404 or a page.
    """
    if base_url is None or urlsplit(base_url).path.rstrip("/").endswith("/v1"):
        return None
    address = f"{base_url.strip().rstrip('/')}/v1"
    key = None if api_key is None else api_key.get_secret_value()
    endpoint = Endpoint(key, address, concurrency=1)
    try:
        body = await endpoint.list_models(CONNECT_TIMEOUT_S)
    except EndpointRefused as error:
        return address if error.status in KEY_REFUSED else None
    except ModelUnreachable:
        return None
    finally:
        await endpoint.close()
    return address if isinstance(body, dict) and "data" in body else None


def beside_chat(
    settings: Settings, base_url: str | None, key: SecretStr | None, missing: str
) -> tuple[str | None, str | None]:
    """Return key and address of a model that may have its own, else those of the chat model.

    Raises SettingsError with the sentence ``missing`` where there is no endpoint.
    """
    if base_url is None and key is None and not settings.has_model:
        raise SettingsError(missing)
    if base_url is None:  # the chat endpoint's key goes to no other address
        base_url, key = settings.openai_base_url, key or settings.openai_api_key
    return None if key is None else key.get_secret_value(), base_url


@cache
def _trusted() -> "SSLContext":
    """Return the certificate authorities, cached: reading them takes 70 ms."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


async def _post(
    client: "AsyncOpenAI",
    timeouts: "Timeout",
    *,
    path: str,
    body: dict[str, Any],
    stream: bool = False,
) -> "Response":
    """Send a request as it is and return the response; the body of a stream is yet to be read.

    The client's method for a path would first load its types, and look for keys to rename in every
    message and schema, which takes the event loop 1 ms.
    """
    from httpx2 import Response

    return await client.post(
        path, cast_to=Response, body=body, options={"timeout": timeouts}, stream=stream
    )

"""The connection to an OpenAI-compatible endpoint: requests, deadlines and concurrency.

aiohttp is loaded on first use: most commands ask no model.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from utils.common.errors import ModelError, ModelUnreachable, SettingsError
from utils.common.model_lists import is_web_address
from utils.common.text import clip, one_line
from utils.llm.json_reader import parsed

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession, FormData

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
KEEP_ALIVE_S = 4.0  # many servers close an idle connection after five seconds
MAX_HEADER = 64 * 1024
MAX_STREAM_TIMEOUTS = 10
MAX_QUOTED = 300  # characters of an error
HEADERS = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
"""Headers that the environment may set, by its variable, as in the openai package."""
_LIKE_A_KEY = re.compile(r"\b(?:sk|gsk|xai|key|pk)[-_][\w*.…-]+|(?<=Bearer )\S+", re.IGNORECASE)
KEY_REFUSED = (401, 403)

_BUSY = "I'm answering too many people at once right now; please ask again in a moment."
_SLOW = "My language model took too long to answer; please ask again in a moment."


class EndpointRefused(Exception):
    """An endpoint answered with an error status; its ``text`` is never quoted.

    ``retry_after_s``: when it wants to be asked again, if it says so.
    """

    def __init__(self, status: int, text: str, retry_after_s: float | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.text = text
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
        self._session: ClientSession | None = None
        self._is_closed = False

    @property
    def host(self) -> str | None:
        """The host name of the endpoint."""
        return urlsplit(self._base_url).hostname

    def without_keys(self, text: str) -> str:
        """Return an error text without this endpoint's key and what looks like one, in one line."""
        text = text.replace(self._api_key, "…") if len(self._api_key) > 4 else text
        return one_line(clip(_LIKE_A_KEY.sub("…", text), MAX_QUOTED))

    async def chat(
        self, request: Mapping[str, Any], timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Ask for a chat completion; see :meth:`_send`."""
        return await self._send("chat/completions", _encoded(request), timeout_s, wait_s)

    async def embeddings(self, request: Mapping[str, Any], timeout_s: float) -> object:
        """Ask for embeddings; see :meth:`_send`."""
        return await self._send("embeddings", _encoded(request), timeout_s)

    async def transcriptions(
        self, request: Mapping[str, str], file: tuple[str, bytes, str], timeout_s: float
    ) -> object:
        """Ask for the transcript of a recording: name, data, media type; see :meth:`_send`."""
        from aiohttp import FormData

        form = FormData(request)
        name, data, media_type = file
        # A file is sent in pieces, bytes at a stroke.
        form.add_field("file", BytesIO(data), filename=name, content_type=media_type)
        return await self._send("audio/transcriptions", form, timeout_s)

    async def list_models(self, timeout_s: float) -> object:
        """Return the list of models as parsed JSON, without waiting for a free place.

        None if it is not JSON. Raises ModelUnreachable, or EndpointRefused (also if the endpoint
        has no such list).
        """
        from aiohttp import ClientError

        try:
            async with asyncio.timeout(timeout_s), self._asked("models") as response:
                return parsed(await response.read())
        except (TimeoutError, ClientError):
            raise ModelUnreachable from None

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    async def stream(
        self,
        request: Mapping[str, Any],
        timeout_s: float,
        wait_s: float | None,
        on_data: Callable[[bytes], bool | None],
    ) -> bool:
        """Stream a chat completion to ``on_data``. Returns False if the connection broke.

        ``on_data`` returns whether the model went on: ``timeout_s`` counts until the first time
        and between two of them, and the whole may take MAX_STREAM_TIMEOUTS as long. After None the
        connection is closed, so that the model stops. Waits and raises as :meth:`_send` does.
        """
        from aiohttp import ClientError

        loop = asyncio.get_running_loop()
        async with self._place(timeout_s, wait_s) as deadline:
            ends_at = loop.time() + MAX_STREAM_TIMEOUTS * timeout_s
            async with self._asked("chat/completions", _encoded(request), timeout_s) as response:
                try:
                    async for data in response.content.iter_any():
                        goes_on = on_data(data)
                        if goes_on is None:
                            break
                        if goes_on:
                            deadline.reschedule(min(loop.time() + timeout_s, ends_at))
                except ClientError:
                    return False
        return True

    async def _send(
        self, path: str, body: "bytes | FormData", timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Wait for a free place and send a request. Returns the parsed body, None if not JSON.

        ``wait_s`` limits the wait for a place; it counts towards ``timeout_s``. Raises
        ModelUnreachable, or EndpointRefused for the caller to interpret.
        """
        async with (
            self._place(timeout_s, wait_s),
            self._asked(path, body, timeout_s) as response,
        ):
            return parsed(await response.read())

    @asynccontextmanager
    async def _asked(
        self,
        path: str,
        body: "bytes | FormData | None" = None,
        timeout_s: float = CONNECT_TIMEOUT_S,
    ) -> "AsyncIterator[ClientResponse]":
        """Send a request (GET without a body) and yield the response. Raises EndpointRefused."""
        from aiohttp import ClientTimeout

        if self._is_closed:
            raise ModelUnreachable
        if self._session is None:
            self._session = self._connected()
        timeout = ClientTimeout(connect=min(timeout_s, CONNECT_TIMEOUT_S))
        is_json = isinstance(body, bytes)
        async with self._session.request(
            "GET" if body is None else "POST",
            f"{self._base_url.rstrip('/')}/{path}",
            data=body,
            headers={"Content-Type": "application/json"} if is_json else None,
            proxy=self._proxy,
            timeout=timeout,
        ) as response:
            if response.status >= 400:
                text = _error_text(response.status, await response.read())
                raise EndpointRefused(response.status, text, _retry_after_s(response.headers))
            yield response

    def _connected(self) -> "ClientSession":
        """Return a session with the headers and the proxy that the environment names."""
        from aiohttp import ClientSession, DummyCookieJar, TCPConnector

        headers = {"Authorization": f"Bearer {self._api_key}", "User-Agent": "Kith"}
        headers |= {
            header: os.environ[name] for name, header in HEADERS.items() if os.environ.get(name)
        }
        for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n"):
            name, colon, value = line.partition(":")
            if colon:
                headers[name.strip()] = value.strip()
        connector = TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_S)
        return ClientSession(
            connector=connector,
            headers=headers,
            cookie_jar=DummyCookieJar(),
            max_line_size=MAX_HEADER,
            max_field_size=MAX_HEADER,
        )

    @property
    def _proxy(self) -> str | None:
        """The proxy that the environment names for the endpoint."""
        from urllib.request import getproxies, proxy_bypass

        parts, proxies = urlsplit(self._base_url), getproxies()
        if not proxies or proxy_bypass(parts.netloc):
            return None
        return proxies.get(parts.scheme) or proxies.get("all")

    @asynccontextmanager
    async def _place(
        self, timeout_s: float, wait_s: float | None
    ) -> AsyncIterator[asyncio.Timeout]:
        """Wait for a free place and yield the deadline.

        Errors of the connection in the block become ModelUnreachable.
        """
        from aiohttp import ClientError

        sentence = _BUSY
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                async with asyncio.timeout(wait_s):
                    await self._places.acquire()
                sentence = _SLOW
                try:
                    yield deadline
                finally:
                    self._places.release()
        except ClientError:
            raise ModelUnreachable from None
        except TimeoutError:
            raise ModelUnreachable(sentence) from None
        except RuntimeError:  # from the transport, if the session was closed
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


def _encoded(request: Mapping[str, Any]) -> bytes:
    return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()


def _error_text(status: int, content: bytes) -> str:
    """Return what a refusal says: its status, its message, and all that came with it."""
    body = parsed(content)
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message") if isinstance(error, dict) else None
    if error is None:
        error = content.decode(errors="replace").strip()
    words = f" - {message}" if isinstance(message, str) and message else ""
    return f"Error code: {status}{words} {error}"

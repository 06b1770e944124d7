"""The connection to an OpenAI-compatible endpoint: its HTTP session, deadlines and concurrency."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from pydantic import SecretStr

from utils.common.errors import ModelError, ModelUnreachable, SettingsError
from utils.common.text import clip, one_line
from utils.llm.json_reader import parsed

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
MAX_STREAM_TIMEOUTS = 10
MAX_QUOTED = 300  # characters of an error
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
        self._api_key = _usable_key(api_key)
        self._base_url = _usable_address(base_url)
        self._session: aiohttp.ClientSession | None = None
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
        self, request: dict[str, Any], timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Ask for a chat completion; see :meth:`_send`."""
        return await self._send("chat/completions", timeout_s, wait_s, json=request)

    async def embeddings(self, request: dict[str, Any], timeout_s: float) -> object:
        """Ask for embeddings; see :meth:`_send`."""
        return await self._send("embeddings", timeout_s, json=request)

    async def transcriptions(
        self, fields: Mapping[str, str], file: tuple[str, bytes, str], timeout_s: float
    ) -> object:
        """Ask for the transcript of a file (name, data, media type); see :meth:`_send`."""
        name, data, media_type = file
        form = aiohttp.FormData(fields)
        # An open file is sent in pieces, bytes at a stroke.
        form.add_field("file", BytesIO(data), filename=name, content_type=media_type)
        return await self._send("audio/transcriptions", timeout_s, data=form)

    async def list_models(self, timeout_s: float) -> object:
        """Return the list of models as parsed JSON, without waiting for a free place.

        None if it is not JSON. Raises ModelUnreachable, or EndpointRefused (also if the endpoint
        has no such list).
        """
        try:
            async with (
                asyncio.timeout(timeout_s),
                self._request("GET", "models", timeout_s) as response,
            ):
                return parsed(await response.read())
        except TimeoutError:
            raise ModelUnreachable from None

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    async def stream(
        self,
        request: dict[str, Any],
        timeout_s: float,
        wait_s: float | None,
        on_data: Callable[[bytes], bool],
    ) -> bool:
        """Stream a chat completion to ``on_data``. Returns False if the connection broke.

        ``on_data`` returns whether the model went on: ``timeout_s`` counts until the first time
        and between two of them, and the whole may take MAX_STREAM_TIMEOUTS as long. Waits and
        raises as :meth:`_send` does.
        """
        loop = asyncio.get_running_loop()
        async with self._place(timeout_s, wait_s) as deadline:
            ends_at = loop.time() + MAX_STREAM_TIMEOUTS * timeout_s
            async with self._request(
                "POST", "chat/completions", timeout_s, json=request
            ) as response:
                try:
                    async for data in response.content.iter_any():
                        if on_data(data):
                            deadline.reschedule(min(loop.time() + timeout_s, ends_at))
                except aiohttp.ClientError:
                    return False
        return True

    async def _send(
        self, path: str, timeout_s: float, wait_s: float | None = None, **body: Any
    ) -> object:
        """Wait for a free place and send a request. Returns the parsed body, None if not JSON.

        ``wait_s`` limits the wait for a place; it counts towards ``timeout_s``. Raises
        ModelUnreachable, or EndpointRefused for the caller to interpret.
        """
        async with (
            self._place(timeout_s, wait_s),
            self._request("POST", path, timeout_s, **body) as response,
        ):
            return parsed(await response.read())

    @asynccontextmanager
    async def _request(
        self, method: str, path: str, timeout_s: float, **body: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request and yield its response.

        Raises EndpointRefused for an error status, and ModelUnreachable.
        """
        if self._is_closed:
            raise ModelUnreachable
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers={"Authorization": f"Bearer {self._api_key}"},
                connector=aiohttp.TCPConnector(limit=0),  # the places limit it
                cookie_jar=aiohttp.DummyCookieJar(),
                proxy=_proxy(self._base_url),
            )
        connect_s = min(timeout_s, CONNECT_TIMEOUT_S)
        try:
            async with self._session.request(
                method,
                f"{self._base_url.rstrip('/')}/{path}",
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect_s),
                **body,
            ) as response:
                if response.status >= 300:
                    answer = await response.read()
                    text = str(parsed(answer) or answer.decode(errors="replace"))
                    raise EndpointRefused(response.status, text, _retry_after_s(response.headers))
                yield response
        except (aiohttp.ClientError, OSError):
            raise ModelUnreachable from None
        except RuntimeError:  # from the transport, if the session was closed
            if not self._is_closed:
                raise
            raise ModelUnreachable from None

    @asynccontextmanager
    async def _place(
        self, timeout_s: float, wait_s: float | None
    ) -> AsyncIterator[asyncio.Timeout]:
        """Wait for a free place and yield the deadline. Raises ModelUnreachable after it."""
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
        except TimeoutError:
            raise ModelUnreachable(sentence) from None


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


def _proxy(address: str) -> str | None:
    """Return the proxy that the environment (HTTPS_PROXY, NO_PROXY) names for an address."""
    parts = urlsplit(address)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)


def _usable_key(key: str | None) -> str:
    """Return the key, or a placeholder: local endpoints need none. Raises SettingsError."""
    key = (key or "").strip() or "none"
    if not (key.isascii() and key.isprintable()):
        raise SettingsError("OPENAI_API_KEY holds characters no key has; please copy it again.")
    return key


def _usable_address(url: str | None) -> str:
    url = (url or OPENAI_URL).strip()
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError("OPENAI_BASE_URL is not a web address; please mend it.")
    return url

"""The connection to an OpenAI-compatible endpoint: its requests, deadlines and concurrency.

aiohttp takes half a second to load, so it is loaded with the first request.
"""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from utils.common.errors import ModelUnreachable, SettingsError

if TYPE_CHECKING:
    import aiohttp

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
KEY_REFUSED = (401, 403)
# A request that may pass later is sent again after the time that the endpoint names, or after half
# a second, one, two ...; nobody waits for longer than a minute.
TRANSIENT = frozenset((408, 409, 429))
FIRST_PAUSE_S, MAX_PAUSE_S, MAX_NAMED_PAUSE_S = 0.5, 8.0, 60.0

_BUSY = "I'm answering too many people at once right now; please ask again in a moment."
_SLOW = "My language model took too long to answer; please ask again in a moment."


class EndpointRefused(Exception):
    """An endpoint answered with an error status; its ``text`` is never quoted.

    ``pause_s``: the time after which the endpoint asks for the request again.
    """

    def __init__(self, status: int, text: str, pause_s: float | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.text = text
        self.pause_s = pause_s

    @property
    def may_pass(self) -> bool:
        """Whether the same request may pass soon."""
        is_soon = self.pause_s is None or self.pause_s <= MAX_NAMED_PAUSE_S
        return is_soon and (self.status in TRANSIENT or self.status >= 500)


class Endpoint:
    """An OpenAI-compatible endpoint, with bounded time and concurrency.

    Raises SettingsError for an impossible key or address.
    """

    def __init__(
        self, api_key: str | None, base_url: str | None, *, concurrency: int, max_retries: int
    ) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._headers = {"Authorization": f"Bearer {_usable_key(api_key)}", "User-Agent": "Kith"}
        self._base_url = _usable_address(base_url).rstrip("/")
        self._max_retries = max_retries
        self._session: aiohttp.ClientSession | None = None
        self._opening = asyncio.Lock()
        self._is_closed = False

    @property
    def host(self) -> str | None:
        """The host name of the endpoint."""
        return urlsplit(self._base_url).hostname

    async def open(self) -> "aiohttp.ClientSession":
        """Return the session; its library is loaded in a thread on first use.

        Raises ModelUnreachable after :meth:`close`.
        """
        async with self._opening:
            if self._is_closed:
                raise ModelUnreachable
            if self._session is None:
                await asyncio.to_thread(import_module, "aiohttp")
                self._session = _new_session(self._headers)
            return self._session

    async def chat(
        self, request: dict[str, Any], timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Ask for a chat completion; see :meth:`_send`."""
        return await self._send("chat/completions", request, timeout_s, wait_s)

    async def embeddings(self, request: dict[str, Any], timeout_s: float) -> object:
        """Ask for embeddings; see :meth:`_send`."""
        return await self._send("embeddings", request, timeout_s)

    async def transcriptions(
        self, request: dict[str, str], file: tuple[str, bytes, str], timeout_s: float
    ) -> object:
        """Ask for the transcript of a file: its name, data and type; see :meth:`_send`."""
        return await self._send("audio/transcriptions", request, timeout_s, file=file)

    async def list_models(self, timeout_s: float) -> object:
        """Return the list of models as parsed JSON, without waiting for a free place.

        None if it is not JSON. Raises ModelUnreachable, or EndpointRefused (also if the endpoint
        has no such list).
        """
        await self.open()
        from aiohttp import ClientError

        try:
            async with (
                asyncio.timeout(timeout_s),
                self._sent("GET", "models", None, None) as response,
            ):
                return _parsed(await response.read())
        except (TimeoutError, ClientError, OSError):
            raise ModelUnreachable from None

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        async with self._opening:
            self._is_closed = True
            if self._session is not None:
                await self._session.close()

    async def stream(
        self,
        request: dict[str, Any],
        timeout_s: float,
        wait_s: float | None,
        on_data: Callable[[bytes], None],
    ) -> bool:
        """Stream a chat completion to ``on_data``. Returns False if the connection broke.

        Waits and raises as :meth:`_send` does; the deadline covers the whole answer.
        """
        async with self._answer("chat/completions", request, timeout_s, wait_s) as response:
            from aiohttp import ClientError

            try:
                async for data in response.content.iter_any():
                    on_data(data)
            except (ClientError, OSError):
                return False
        return True

    async def _send(
        self,
        path: str,
        request: dict[str, Any],
        timeout_s: float,
        wait_s: float | None = None,
        file: tuple[str, bytes, str] | None = None,
    ) -> object:
        """Wait for a free place and send a request. Returns the parsed body, None if not JSON.

        ``wait_s`` limits the wait for a place; it counts towards ``timeout_s``. Raises
        ModelUnreachable, or EndpointRefused for the caller to interpret.
        """
        async with self._answer(path, request, timeout_s, wait_s, file) as response:
            return _parsed(await response.read())

    @asynccontextmanager
    async def _answer(
        self,
        path: str,
        request: dict[str, Any],
        timeout_s: float,
        wait_s: float | None,
        file: tuple[str, bytes, str] | None = None,
    ) -> "AsyncIterator[aiohttp.ClientResponse]":
        """Wait for a free place and yield the answer to a request.

        Errors, also those in the block, become ModelUnreachable or EndpointRefused.
        """
        await self.open()
        from aiohttp import ClientError

        sentence = _BUSY
        try:
            async with asyncio.timeout(timeout_s), AsyncExitStack() as stack:
                async with asyncio.timeout(wait_s):
                    await stack.enter_async_context(self._places)
                sentence = _SLOW
                yield await self._persistently(stack, path, request, file)
        except ClientError:  # before TimeoutError, which its own timeouts also are
            raise ModelUnreachable from None
        except TimeoutError:
            raise ModelUnreachable(sentence) from None
        except OSError:
            raise ModelUnreachable from None

    async def _persistently(
        self,
        stack: AsyncExitStack,
        path: str,
        request: dict[str, Any],
        file: tuple[str, bytes, str] | None,
    ) -> "aiohttp.ClientResponse":
        """Return the answer, which ``stack`` ends; a request that may pass later is repeated."""
        from aiohttp import ClientError

        for attempt in range(self._max_retries):
            pause_s = min(FIRST_PAUSE_S * 2**attempt, MAX_PAUSE_S) * random.uniform(0.75, 1)  # noqa: S311
            try:
                return await stack.enter_async_context(self._sent("POST", path, request, file))
            except EndpointRefused as error:
                if not error.may_pass:
                    raise
                pause_s = error.pause_s or pause_s
            except (ClientError, OSError):
                pass  # the connection, which may be there again
            await asyncio.sleep(pause_s)
        return await stack.enter_async_context(self._sent("POST", path, request, file))

    @asynccontextmanager
    async def _sent(
        self,
        method: str,
        path: str,
        request: dict[str, Any] | None,
        file: tuple[str, bytes, str] | None,
    ) -> "AsyncIterator[aiohttp.ClientResponse]":
        """Yield the answer to one request. Raises EndpointRefused for an error status."""
        session = await self.open()
        form = None if file is None or request is None else _form(request, file)
        async with session.request(
            method,
            f"{self._base_url}/{path}",
            json=request if form is None else None,
            data=form,
        ) as response:
            if response.status >= 400:
                text = (await response.read()).decode(errors="replace")
                raise EndpointRefused(response.status, text, _named_pause_s(response.headers))
            yield response


async def address_with_v1(api_key: SecretStr | None, base_url: str | None) -> str | None:
    """Return an endpoint's address with /v1 added, if a list of models is there; else None.

    Server programs print their address without it, and answer there with 404 or a page.
    """
    if base_url is None or urlsplit(base_url).path.rstrip("/").endswith("/v1"):
        return None
    address = f"{base_url.strip().rstrip('/')}/v1"
    key = None if api_key is None else api_key.get_secret_value()
    endpoint = Endpoint(key, address, concurrency=1, max_retries=0)
    try:
        body = await endpoint.list_models(CONNECT_TIMEOUT_S)
    except EndpointRefused as error:
        return address if error.status in KEY_REFUSED else None
    except ModelUnreachable:
        return None
    finally:
        await endpoint.close()
    return address if isinstance(body, dict) and "data" in body else None


def _new_session(headers: Mapping[str, str]) -> "aiohttp.ClientSession":
    import aiohttp

    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),  # Endpoint has its own
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=headers,
        timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_TIMEOUT_S),
        trust_env=True,
    )


def _form(request: Mapping[str, str], file: tuple[str, bytes, str]) -> "aiohttp.FormData":
    """Return a form with a file, which is sent in pieces."""
    name, data, media_type = file
    import aiohttp

    form = aiohttp.FormData(request)
    form.add_field("file", BytesIO(data), filename=name, content_type=media_type)
    return form


def _named_pause_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds after which an endpoint asks for the request again; None if unknown."""
    for name, unit_s in (("Retry-After-Ms", 0.001), ("Retry-After", 1.0)):
        with suppress(ValueError):
            return max(0.0, float(headers.get(name, "")) * unit_s)
    return None


def _parsed(content: bytes) -> object:
    """Return the parsed JSON; None if it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


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

"""The REST door: reads a request, lets misfortunes happen, checks the token, answers, notes it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from . import payloads
from .errors import ApiError, unauthorized

if TYPE_CHECKING:
    from .server import FakeDiscord

PREFIX = "/api/v10"


@dataclass(slots=True)
class Call:
    """One request, as a route sees it."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    files: list[tuple[str, bytes, str | None]]
    ids: dict[str, str] = field(default_factory=dict)

    def id(self, name: str) -> int:
        """Return a path parameter as a number; text that is none reads as 0."""
        text = self.ids[name]
        return int(text) if text.isdigit() else 0

    def number(self, name: str) -> int | None:
        """Return a query parameter as a number."""
        text = self.query.get(name, "")
        return int(text) if text.isdigit() else None


@dataclass(eq=False, slots=True)
class Request:
    """One of ``fake.requests``; ``status`` is None until answered, ``error`` Discord's code."""

    method: str
    path: str
    json: Any
    files: int
    at_s: float
    route: str = ""
    status: int | None = None
    error: int | None = None
    reason: str | None = None


@dataclass(eq=False, slots=True)
class Misfortune:
    """Something scripted to happen to the next requests that match.

    ``after=True`` lets the request take effect and only then loses the answer. With ``cut`` there
    is no answer at all: the line is cut. ``reached`` is set when the first request arrives, and a
    held request goes on when ``release()`` is called.
    """

    method: str
    pattern: str
    left: int
    error: ApiError | None = None
    after: bool = False
    cut: bool = False
    held: bool = False
    met: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    def fits(self, method: str, path: str) -> bool:
        """Tell whether it strikes a request."""
        return self.left > 0 and self.method in ("*", method) and fnmatchcase(path, self.pattern)

    def release(self) -> None:
        """Let held requests go on, and later ones pass."""
        self.left = 0
        self._open.set()

    async def strike(self) -> None:
        """Count a request in and keep it as long as scripted."""
        self.left -= 1
        self.met += 1
        self.reached.set()
        if self.held:
            await self._open.wait()


class LineCut(Exception):
    """The request gets no answer: its connection breaks."""


Handler = Callable[["FakeDiscord", Call], Any]
_ROUTES: list[tuple[str, re.Pattern[str], str, bool, Handler]] = []


def route(method: str, template: str, *, public: bool = False) -> Callable[[Handler], Handler]:
    """Register a route; ``public`` ones carry their token in the path.

    The function returns the JSON to answer, or None for 204, or ``(status, json)``.
    """

    def register(handler: Handler) -> Handler:
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template) + "$")
        _ROUTES.append((method, pattern, template, public, handler))
        return handler

    return register


class Rest:
    """The HTTP side of the fake."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake
        self.requests: list[Request] = []
        self.misfortunes: list[Misfortune] = []
        self.cdn_is_down = False

    async def handle(self, http: web.Request) -> web.StreamResponse:
        """Answer any request under the API prefix."""
        path = http.rel_url.raw_path.removeprefix(PREFIX)
        body, files = await _read(http)
        call = Call(http.method, path, dict(http.query), body, files)
        noted = Request(call.method, unquote(path), body, len(files), self._fake.clock.now_s())
        noted.reason = unquote(http.headers.get("X-Audit-Log-Reason", "")) or None
        self.requests.append(noted)
        try:
            status, answer, headers = await self._answer(http, call, noted)
        except ApiError as error:
            status, answer, headers = error.status, error.body(), error.headers
            noted.error = error.code
        except LineCut:
            self._fake.journal.note(f"{noted.method} {noted.path}: the line is cut")
            if http.transport is not None:
                http.transport.abort()
            return web.Response()
        noted.status = status
        self._fake.journal.note(
            f"{noted.method} {noted.path} -> {status}"
            + (f" ({noted.error})" if noted.error else "")
        )
        if self._fake.world.sends_least:
            answer = json.loads(json.dumps(answer), object_hook=payloads.least)
        if answer is None:
            return web.Response(status=status, headers=headers)
        if status in {403, 404} and not noted.error:  # by Cloudflare
            return web.Response(text="<html>", status=status, content_type="text/html")
        return web.Response(
            body=json.dumps(answer).encode(),
            status=status,
            content_type="application/json",
            headers=headers,
        )

    async def _answer(
        self, http: web.Request, call: Call, noted: Request
    ) -> tuple[int, Any, dict[str, str]]:
        handler, public = self._find(call, noted)
        lost: ApiError | LineCut | None = None
        for misfortune in [m for m in self.misfortunes if m.fits(call.method, unquote(call.path))]:
            self._fake.journal.note(
                f"{call.method} {unquote(call.path)} meets a scripted misfortune"
            )
            await misfortune.strike()
            error = LineCut() if misfortune.cut else misfortune.error
            if error is not None and misfortune.after:
                lost = error
            elif error is not None:
                raise error
        if not public and http.headers.get("Authorization") != f"Bot {self._fake.token}":
            raise unauthorized()
        headers = self._fake.buckets.count(call.method, noted.route, call.ids.get("channel_id", ""))
        made = handler(self._fake, call)
        if lost is not None:
            raise lost
        if isinstance(made, tuple):
            return made[0], made[1], headers
        return (204, None, headers) if made is None else (200, made, headers)

    @staticmethod
    def _find(call: Call, noted: Request) -> tuple[Handler, bool]:
        for method, pattern, template, public, handler in _ROUTES:
            match = pattern.match(call.path)
            if match is not None and method == call.method:
                call.ids = {name: unquote(text) for name, text in match.groupdict().items()}
                noted.route = template
                return handler, public
        raise ApiError(404, 0, "404: Not Found (the loopback Discord has no such route)")

    async def attachment(self, http: web.Request) -> web.StreamResponse:
        """Serve an uploaded file, as Discord's CDN does."""
        if self.cdn_is_down:
            return web.Response(status=503)
        stored = self._fake.world.files.get(http.path)
        if stored is None:
            return web.Response(status=404)
        return web.Response(body=stored[0], headers={"Content-Type": stored[1]})


async def _read(http: web.Request) -> tuple[Any, list[tuple[str, bytes, str | None]]]:
    if http.content_type == "multipart/form-data":
        body: Any = None
        files: list[tuple[str, bytes, str | None]] = []
        async for part in await http.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            data = bytes(await part.read())
            if part.name == "payload_json":
                body = json.loads(data)
            elif part.name is not None and part.name.startswith("files["):
                files.append((part.filename or "file", data, None))
        return body, files
    text = await http.text()
    return (json.loads(text) if text else None), []

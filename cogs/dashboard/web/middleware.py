"""Middleware for every page and API route: authentication, CSRF, body size, security headers.

It wraps all routes, so none can be forgotten. A path that is not in OPEN needs a session cookie or
the token; a change with the cookie also needs the session's CSRF token. Requests from another
site's page, or to another host, are refused before any token is checked.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogs.dashboard.web.access import (
    COOKIE,
    CSRF_FIELD,
    CSRF_HEADER,
    Access,
    Denied,
    Forged,
    RefusedRequest,
    is_address,
    is_genuine,
)
from cogs.dashboard.web.language import COOKIE as LANGUAGE_COOKIE
from cogs.dashboard.web.language import ENGLISH, choose, use
from cogs.dashboard.web.visits import Visits

OPEN = frozenset({"/login", "/api/memory/health"})
ANY_HOST = frozenset({"/api/memory/health", "/metrics"})  # no pages, and asked by machines
STATIC = "/static/"
LANGUAGE = "/language/"  # and its code
LINK = "/enter/"  # and a one-time link's code
API = "/api/"
API_PAGE = "/api/docs"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({None, "same-origin", "none"})
FORM = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 100_000
FORM_TIMEOUT_S = 20.0
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # "no-referrer" would hide our own forms' origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Answer = Callable[[Request, Exception], Awaitable[Response]]


@dataclass(eq=False, repr=False)
class AuthMiddleware:
    """Authenticates requests; ``answer`` turns an error into a response.

    ``names`` are the host names under which a proxy serves the dashboard. Below the
    home of one of ``visits``, only its sessions count, and these count nowhere else.
    """

    _app: ASGIApp
    _access: Access
    _answer: Answer
    _names: Collection[str]
    _visits: Collection[Visits]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; every exception becomes a response."""
        if scope["type"] != "http":  # no websockets, no lifespan
            return
        request, has_begun = Request(scope, receive), False
        if scope["path"].startswith(API) and scope["path"] != API_PAGE:
            use(ENGLISH)  # for scripts
        else:
            accepted = request.headers.get("accept-language", "")
            use(choose(request.cookies.get(LANGUAGE_COOKIE), accepted))

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "location" in headers:
                    headers["location"] = within_this_site(headers["location"])
                if scope["path"].startswith(STATIC):
                    headers["cache-control"] = "no-cache"  # revalidated, sent if it changed
            await send(message)

        try:
            await self._app(scope, await self._authenticate(request), send_with_headers)
        except Exception as error:
            response = await self._answer(request, error)
            if not has_begun:
                await response(scope, receive, send_with_headers)

    async def _authenticate(self, request: Request) -> Receive:
        """Return the route's receive. Raises Denied, TooManyAttempts or RefusedRequest."""
        if request.scope["path"] not in ANY_HOST and not is_own_host(request.headers, self._names):
            raise RefusedRequest(
                421,
                "The dashboard does not answer under this name. The operator names it in "
                "{setting}.",
                setting="DASHBOARD_NAMES",
            )
        if request.method not in SAFE and is_foreign(request.headers):
            raise RefusedRequest(
                403,
                "Another site's page sent this, so nothing was done. Use Kith's own page.",
            )
        path, state = request.scope["path"], request.scope.setdefault("state", {})
        state["session"] = None
        # Uploads to the API may be large; headers are enough to authenticate.
        is_of_api = path.startswith(API)
        receive, body = (request.receive, b"") if is_of_api else await _read(request)
        for visits in self._visits:
            if not visits.kind.covers(path):
                continue
            if not path.startswith(visits.kind.link):
                visit = visits.session(request.cookies.get(visits.kind.cookie))
                state["visit"] = visit
                if request.method not in SAFE and not is_genuine(visit, _csrf(request, body)):
                    raise Forged()
            return receive
        # Other schemes belong to a proxy.
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        bearer = token.strip() if scheme.casefold() == "bearer" else None
        if bearer is not None:
            self._access.check_bearer(bearer, address_of(request))
            return receive
        session = self._access.session(request.cookies.get(COOKIE))
        state["session"] = session
        if path in OPEN or path.startswith((STATIC, LINK, LANGUAGE)):
            return receive
        if session is None:
            raise Denied
        if request.method not in SAFE and not is_genuine(session, _csrf(request, body)):
            raise Forged()
        return receive


def address_of(request: Request) -> str:
    """Return the client's address; uvicorn applies a trusted proxy's headers."""
    return request.client.host if request.client else ""


def is_foreign(headers: Headers) -> bool:
    """Whether a browser sends this for another site's page; scripts send no such headers.

    Browsers send Sec-Fetch-Site only over TLS and to localhost; elsewhere Origin is compared. The
    port is ignored, because proxies often omit it from Host.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None or origin is None:
        return site not in OWN_SITES
    return _host_in(origin) != _host_in(f"//{headers.get('host', '')}")


def is_own_host(headers: Headers, names: Collection[str]) -> bool:
    """Whether a request is addressed to this dashboard.

    An address, or a name without a dot, is nobody else's domain; other names must be configured.
    """
    host = _host_in(f"//{headers.get('host', '')}")
    return host is not None and ("." not in host or host in names or is_address(host))


def within_this_site(location: str) -> str:
    """Return the path of a redirect without scheme and host: Host is the visitor's to choose."""
    parts = urlsplit(location)
    path = "/" + parts.path.lstrip("/")
    return urlunsplit(("", "", path, parts.query, parts.fragment))


def _host_in(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


async def _read(request: Request) -> tuple[Receive, bytes]:
    """Return a receive that replays the body, and the body."""
    body = b""
    if request.method not in SAFE:
        try:
            async with asyncio.timeout(FORM_TIMEOUT_S):
                async for part in request.stream():
                    body += part
                    if len(body) > MAX_FORM_BYTES:
                        raise RefusedRequest(
                            413, "The form is too long. Shorten it and send it again."
                        )
        except TimeoutError:
            raise RefusedRequest(408, "The form did not arrive in time. Send it again.") from None
    is_sent = False

    async def receive() -> Message:
        nonlocal is_sent
        if is_sent or request.method in SAFE:
            return await request.receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive, body


def _csrf(request: Request, body: bytes) -> str | None:
    token = request.headers.get(CSRF_HEADER)
    if token is not None or not request.headers.get("content-type", "").startswith(FORM):
        return token
    return parse_qs(body.decode("latin-1")).get(CSRF_FIELD, [None])[0]

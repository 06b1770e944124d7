"""The gate before every page and call: who asks, may they change things, and how much they send.

It stands before the routes, so that none can be forgotten: what is not in OPEN needs a session's
cookie or the token itself, and a change with the cookie needs that session's CSRF token. What
another site's page makes a browser send is refused before any token in it is looked at. Headers
that every answer has are put on here, too.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogs.dashboard.access import (
    COOKIE,
    CSRF_FIELD,
    CSRF_HEADER,
    Access,
    Denied,
    Foreign,
    Forged,
    is_genuine,
)
from utils.errors import KithError

OPEN = frozenset({"/login", "/api/memory/health"})
STATIC = "/static/"
API = "/api/"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({None, "same-origin", "none"})
FORM = "application/x-www-form-urlencoded"
MOST_FORM_BYTES = 100_000
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none at all, browsers hide our own forms' origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Answer = Callable[[Request, Exception], Awaitable[Response]]


class TooLarge(KithError):
    """A form was sent that is larger than any page's."""

    sentence = "That is more than this form can take; shorten it, and send it again."


class Gate:
    """Lets requests in or answers them itself; ``answer`` makes a response of an error."""

    def __init__(self, app: ASGIApp, access: Access, answer: Answer) -> None:
        self._app = app
        self._access = access
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; nothing that goes wrong in it goes further than an answer."""
        if scope["type"] != "http":  # there are no websockets, and nothing to start or stop
            return
        request, has_begun = Request(scope, receive), False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(STATIC):
                    headers["cache-control"] = "no-cache"  # asked for anew, sent if it changed
            await send(message)

        try:
            await self._app(scope, await self._let_in(request), send_with_headers)
        except Exception as error:
            response = await self._answer(request, error)
            if not has_begun:
                await response(scope, receive, send_with_headers)

    async def _let_in(self, request: Request) -> Receive:
        """Return what the route may read. Raises Denied, Forged, TooMany… or TooLarge."""
        if request.method not in SAFE and is_foreign(request.headers):
            raise Foreign
        path, state = request.scope["path"], request.scope.setdefault("state", {})
        state["session"] = None
        if not path.startswith(API):
            receive, body = await _read(request)
        else:  # a call may bring a file; whoever it is, is known by the headers alone
            receive, body = request.receive, b""
        bearer = _bearer(request.headers)
        if bearer is not None:
            self._access.check_bearer(bearer, address_of(request))
            return receive
        session = self._access.session(request.cookies.get(COOKIE))
        state["session"] = session
        if path in OPEN or path.startswith(STATIC):
            return receive
        if session is None:
            raise Denied
        if request.method not in SAFE and not is_genuine(session, _csrf(request, body)):
            raise Forged
        return receive


def address_of(request: Request) -> str:
    """Return where a request comes from; a local proxy tells for whom it asks."""
    return request.client.host if request.client else ""


def is_foreign(headers: Headers) -> bool:
    """Whether a browser sends this for another site's page; programs tell nothing of that.

    Browsers send Sec-Fetch-Site over TLS and to this machine only; elsewhere Origin tells. Its port
    is left aside, as proxies often leave it out of Host.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None or origin is None:
        return site not in OWN_SITES
    return _host_in(origin) != _host_in(f"//{headers.get('host', '')}")


def _host_in(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


async def _read(request: Request) -> tuple[Receive, bytes]:
    """Return a form's bytes, and what gives them to the route once more."""
    body = b""
    if request.method not in SAFE:
        async for part in request.stream():
            body += part
            if len(body) > MOST_FORM_BYTES:
                raise TooLarge
    is_told = False

    async def receive() -> Message:
        nonlocal is_told
        if is_told or request.method in SAFE:
            return await request.receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive, body


def _csrf(request: Request, body: bytes) -> str | None:
    told = request.headers.get(CSRF_HEADER)
    if told is not None or not request.headers.get("content-type", "").startswith(FORM):
        return told
    return parse_qs(body.decode("latin-1")).get(CSRF_FIELD, [None])[0]


def _bearer(headers: Headers) -> str | None:
    """Return the token a script sends; other schemes are for a proxy in front of Kith."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None

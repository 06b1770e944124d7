"""Authentication: the operator's token, one-time links, sessions, and a limit on failed attempts.

The middleware calls it for every request.
"""

import hashlib
import hmac
import ipaddress
import math
import secrets
from collections import deque
from dataclasses import dataclass, field
from functools import partial

from utils.common.bounded import BoundedDict, ExpiringDict
from utils.common.clock import Clock
from utils.common.errors import KithError

COOKIE = "kith_session"
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf"
SESSION_S = 12 * 3600
LINK_S = 15 * 60
MAX_SESSIONS = MAX_LINKS = 100
WINDOW_S = 300.0
MAX_FAILED = 5  # per address and window
MAX_FAILED_TOTAL = 50  # of addresses from which nobody has logged in yet
MAX_ADDRESSES = 1_000
IPV6_NETWORK = 64  # bits of one customer's network; the rest is free to choose


class Denied(KithError):
    """The request has no valid token or session."""

    sentence = "Log in first: operators only."


class WrongToken(Denied):
    """The token is not DASHBOARD_TOKEN."""

    sentence = "That is not the token. It is DASHBOARD_TOKEN in Kith's .env file."


class UsedLink(Denied):
    """The one-time link was used already, is too old, or never existed."""

    sentence = (
        "This link was used already or is older than 15 minutes. Start the command again for a "
        "new one."
    )


class TooManyAttempts(KithError):
    """Too many wrong tokens were sent recently; ``wait_s`` is when the next is accepted."""

    sentence = "Too many wrong tokens; try again in {minutes} minutes."

    def __init__(self, wait_s: float) -> None:
        super().__init__(minutes=math.ceil(wait_s / 60))
        self.wait_s = wait_s


class RefusedRequest(KithError):
    """The request is refused; ``response_status`` is the response's."""

    def __init__(self, response_status: int, sentence: str, **values: object) -> None:
        super().__init__(sentence, **values)
        self.response_status = response_status


Forged = partial(RefusedRequest, 403, "This page is out of date. Reload it and try again.")
"""A change came with a session's cookie but without its CSRF token."""


@dataclass(frozen=True, slots=True)
class Session:
    """A logged-in browser; ``csrf`` is the token its pages send with every change."""

    id: str
    csrf: str


@dataclass(eq=False, repr=False)
class Attempts:
    """Failed attempts of the last five minutes, by address and in total; bounded in memory."""

    _clock: Clock
    _by_address: BoundedDict[str, deque[float]] = field(
        default_factory=lambda: BoundedDict(MAX_ADDRESSES), init=False
    )
    _all: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_FAILED_TOTAL), init=False)
    _known: BoundedDict[str, None] = field(
        default_factory=lambda: BoundedDict(MAX_ADDRESSES), init=False
    )

    def check(self, address: str) -> None:
        """Raise TooManyAttempts if the address, or all together, reached the limit.

        The limit of all together does not apply to this machine (an SSH tunnel) and to addresses
        from which the operator logged in before: guesses from elsewhere must not lock them out.
        """
        now, network = self._clock.monotonic(), network_of(address)
        limits = [(self._by_address.get(network, deque[float]()), MAX_FAILED)]
        if not (network in self._known or is_loopback(address)):
            limits.append((self._all, MAX_FAILED_TOTAL))
        for failed, limit in limits:
            if len(failed) == limit and (wait_s := failed[0] + WINDOW_S - now) > 0:
                raise TooManyAttempts(wait_s)

    def record_success(self, address: str) -> None:
        """Remember an address that sent the right token."""
        self._known[network_of(address)] = None

    def record(self, address: str) -> None:
        """Record a wrong token."""
        network, now = network_of(address), self._clock.monotonic()
        failed = self._by_address.get(network, deque(maxlen=MAX_FAILED))
        failed.append(now)
        self._by_address[network] = failed
        self._all.append(now)


class Access:
    """Creates sessions for the token; they end after twelve hours or with the process.

    Without a token (None), only one-time links log in.
    """

    def __init__(self, token: str | None, clock: Clock) -> None:
        self.has_token = token is not None
        self._token = digest_of(secrets.token_urlsafe(32) if token is None else token)
        self._links: ExpiringDict[bytes, bool] = ExpiringDict(clock, MAX_LINKS, LINK_S)
        self._sessions: ExpiringDict[str, Session] = ExpiringDict(clock, MAX_SESSIONS, SESSION_S)
        self._logins = Attempts(clock)
        self._bearers = Attempts(
            clock
        )  # separate: a script with an old token must not block logins

    def log_in(self, token: str, address: str) -> Session:
        """Return a new session for the token. Raises WrongToken or TooManyAttempts."""
        self._check(token, address, self._logins)
        return self._new_session()

    def create_link(self) -> str:
        """Return the code of a new one-time link, which logs in once within 15 minutes."""
        code = secrets.token_urlsafe(32)
        self._links[digest_of(code)] = True
        return code

    def use_link(self, code: str) -> Session:
        """Return a new session for a link's code, which is void afterwards. Raises UsedLink.

        Guesses are not limited: a code has 256 random bits.
        """
        if not self._links.pop(digest_of(code)):
            raise UsedLink
        return self._new_session()

    def _new_session(self) -> Session:
        session = Session(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        self._sessions[session.id] = session
        return session

    def session(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie, or None."""
        return self._sessions.get(cookie or "")

    def log_out(self, session: Session) -> None:
        """End a session."""
        self._sessions.pop(session.id)

    def check_bearer(self, token: str, address: str) -> None:
        """Raise WrongToken or TooManyAttempts unless a script sent the right token."""
        self._check(token, address, self._bearers)

    def _check(self, token: str, address: str, attempts: Attempts) -> None:
        attempts.check(address)
        if not hmac.compare_digest(digest_of(token), self._token):
            attempts.record(address)
            raise WrongToken
        attempts.record_success(address)


def is_genuine(session: Session, csrf: str | None) -> bool:
    """Whether a change comes from a page of that session."""
    return hmac.compare_digest(digest_of(csrf or ""), digest_of(session.csrf))


def network_of(address: str) -> str:
    """Return an IPv4 address itself, or the /64 network of an IPv6 address."""
    parsed = _parsed(address)
    if parsed is None:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(ipaddress.ip_network((parsed, IPV6_NETWORK), strict=False))


def is_address(host: str) -> bool:
    """Whether a host is an IP address and no name."""
    return _parsed(host) is not None


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_loopback


def _parsed(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address; IPv4 in IPv6 (::ffff:192.0.2.1, of a socket for both) as IPv4."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return mapped or parsed


def digest_of(text: str) -> bytes:
    """Return the digest by which codes and tokens are stored and compared."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

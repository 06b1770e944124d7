"""Who may see the dashboard: the operator's token, sessions, and a limit on guessing.

Knows nothing of HTTP but a cookie's and a header's words; ``gate`` asks it about every request.
"""

import hashlib
import hmac
import ipaddress
import math
import secrets
from collections import OrderedDict, deque
from dataclasses import dataclass

from utils.clock import Clock
from utils.errors import KithError

COOKIE = "kith_session"
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf"
SESSION_S = 12 * 3600
MOST_SESSIONS = 100
WINDOW_S = 300.0
MOST_FAILED = 5  # of one address in a window
MOST_FAILED_OF_ALL = 50
MOST_ADDRESSES = 1_000
IPV6_NETWORK = 64  # bits that one household has; it may choose the rest as it likes


class Denied(KithError):
    """Nobody has shown that they are the operator."""

    sentence = "Log in first: this is for Kith's operator."


class WrongToken(Denied):
    """A token was given, and it is not DASHBOARD_TOKEN."""

    sentence = "That is not the token. It is DASHBOARD_TOKEN in Kith's .env file."


class TooManyAttempts(KithError):
    """Too many wrong tokens came lately; ``wait_s`` tells when the next is looked at."""

    sentence = "Too many wrong tokens; try again in {minutes} minutes."

    def __init__(self, wait_s: float) -> None:
        super().__init__(minutes=max(1, math.ceil(wait_s / 60)))
        self.wait_s = wait_s


class Forged(KithError):
    """A change came with a session's cookie and without that session's token."""

    sentence = "This page is too old to change anything; load it again, and try once more."


class Foreign(Forged):
    """Another site's page has made this browser send something here."""

    sentence = "Another site's page sent this, so nothing was done; open Kith's own page for it."


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that has shown the token; ``csrf`` is what its pages send with every change."""

    id: str
    csrf: str
    ends_at: float  # by the monotonic clock


class Attempts:
    """Wrong tokens of the last five minutes, by address and altogether; bounded in memory."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_address: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque(maxlen=MOST_FAILED_OF_ALL)

    def check(self, address: str) -> None:
        """Raise TooManyAttempts where that address, or everybody together, has guessed enough."""
        now = self._clock.monotonic()
        own = self._by_address.get(network_of(address), deque[float]())
        for failed, most in ((own, MOST_FAILED), (self._all, MOST_FAILED_OF_ALL)):
            if len(failed) == most and (wait_s := failed[0] + WINDOW_S - now) > 0:
                raise TooManyAttempts(wait_s)

    def note(self, address: str) -> None:
        """Note a wrong token."""
        network, now = network_of(address), self._clock.monotonic()
        self._by_address.setdefault(network, deque(maxlen=MOST_FAILED)).append(now)
        self._by_address.move_to_end(network)
        if len(self._by_address) > MOST_ADDRESSES:
            self._by_address.popitem(last=False)
        self._all.append(now)


class Access:
    """Exchanges the token for sessions, which end after twelve hours or with the process."""

    def __init__(self, token: str, clock: Clock) -> None:
        self._token = _digest(token)
        self._clock = clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._logins = Attempts(clock)
        self._bearers = Attempts(clock)  # apart: a script with an old token locks nobody out

    def log_in(self, token: str, address: str) -> Session:
        """Return a new session for the token. Raises WrongToken or TooManyAttempts."""
        self._check(token, address, self._logins)
        ends_at = self._clock.monotonic() + SESSION_S
        session = Session(secrets.token_urlsafe(32), secrets.token_urlsafe(32), ends_at)
        self._sessions[session.id] = session
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def session(self, cookie: str | None) -> Session | None:
        """Return the session that a cookie names, unless it has ended."""
        found = self._sessions.get(cookie or "")
        if found is not None and found.ends_at <= self._clock.monotonic():
            self.log_out(found)
            return None
        return found

    def log_out(self, session: Session) -> None:
        """End a session."""
        self._sessions.pop(session.id, None)

    def check_bearer(self, token: str, address: str) -> None:
        """Raise WrongToken or TooManyAttempts unless a script's token is the operator's."""
        self._check(token, address, self._bearers)

    def _check(self, token: str, address: str, attempts: Attempts) -> None:
        attempts.check(address)
        if not hmac.compare_digest(_digest(token), self._token):
            attempts.note(address)
            raise WrongToken


def is_genuine(session: Session, csrf: str | None) -> bool:
    """Whether a change comes from a page of that session."""
    return hmac.compare_digest(_digest(csrf or ""), _digest(session.csrf))


def network_of(address: str) -> str:
    """Return what stands for an address: itself, or the network of 64 bits that an IPv6 is in."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(ipaddress.ip_network((known, IPV6_NETWORK), strict=False))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

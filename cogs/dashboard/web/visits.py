"""One-time links from Discord, and the visits that they open: members' pages and moderators' pages.

Each kind of visit has its own path, cookie and store: it opens no page of another kind and none
of the operator, and the operator's sessions and token open no page of a visit.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

from cogs.dashboard.web.access import LINK_S, Session, digest_of
from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.models.memory import Member

MAX_LINKS = MAX_SESSIONS = 1_000
SOURCES_S = 30.0  # a member who reloads a page often must not use up Discord's limit


@dataclass(frozen=True, slots=True)
class VisitKind:
    """What a link opens: the pages below ``home``, for ``session_s`` seconds.

    ``command`` is the slash command that gives the link.
    """

    home: str
    cookie: str
    session_s: int
    command: str

    @property
    def link(self) -> str:
        """The path of a link, without its code."""
        return f"{self.home}/enter/"

    def covers(self, path: str) -> bool:
        """Whether a path is one of these pages."""
        return path == self.home or path.startswith(f"{self.home}/")


MEMBERS = VisitKind("/me", "kith_member", 3600, "/memory show")
MODERATORS = VisitKind("/mod", "kith_moderator", 1800, "/mod page")


class VisitError(KithError):
    """A visit or link that opens nothing."""

    def __init__(self, kind: VisitKind) -> None:
        super().__init__(command=kind.command)
        self.kind = kind


class NoVisit(VisitError):
    """The request has no session of this kind."""

    sentence = "Your visit is over. Use `{command}` on Discord for a new link."


class UsedVisitLink(VisitError):
    """The link was used already, is too old, was replaced by a newer one, or never existed."""

    sentence = (
        "This link was used already or is older than 15 minutes. Use `{command}` on Discord for a "
        "new one."
    )


@dataclass(frozen=True, slots=True)
class VisitSession(Session):
    """A browser in which somebody looks at one server's pages, or at those of direct messages."""

    member: Member


@dataclass(eq=False, repr=False)
class Visits:
    """One-time links and sessions of one kind; they end with the process at the latest."""

    kind: VisitKind
    _clock: Clock
    _links: BoundedDict[bytes, tuple[Member, float]] = field(
        default_factory=lambda: BoundedDict(MAX_LINKS), init=False
    )
    _sessions: BoundedDict[str, VisitSession] = field(
        default_factory=lambda: BoundedDict(MAX_SESSIONS), init=False
    )
    _sources: BoundedDict[Member, tuple[frozenset[int], float]] = field(
        default_factory=lambda: BoundedDict(MAX_SESSIONS), init=False
    )

    def create_link(self, member: Member) -> str:
        """Return the path of a new link, which works once in 15 minutes; older ones are void."""
        self._drop_links(member)
        code = secrets.token_urlsafe(32)
        self._links[digest_of(code)] = member, self._clock.monotonic() + LINK_S
        return f"{self.kind.link}{code}"

    def use_link(self, code: str) -> VisitSession:
        """Return a new session for a link's code, which is void afterwards. Raises UsedVisitLink.

        Guesses are not limited: a code has 256 random bits.
        """
        now = self._clock.monotonic()
        member, valid_until = self._links.pop(digest_of(code), (None, 0.0))
        if member is None or valid_until <= now:
            raise UsedVisitLink(self.kind)
        session = VisitSession(
            secrets.token_urlsafe(32), secrets.token_urlsafe(32), now + self.kind.session_s, member
        )
        self._sessions[session.id] = session
        return session

    def session(self, cookie: str | None) -> VisitSession:
        """Return the session of a cookie. Raises NoVisit."""
        session = self._sessions.get(cookie or "")
        if session is None or session.expires_at <= self._clock.monotonic():
            self._sessions.pop(cookie or "", None)
            raise NoVisit(self.kind)
        return session

    def known_sources(self, member: Member) -> frozenset[int] | None:
        """Return the channels that may be quoted to a member, if they were asked for just now."""
        sources, valid_until = self._sources.get(member, (None, 0.0))
        return sources if valid_until > self._clock.monotonic() else None

    def note_sources(self, member: Member, sources: frozenset[int]) -> None:
        """Remember the channels that may be quoted to a member, for half a minute."""
        self._sources[member] = sources, self._clock.monotonic() + SOURCES_S

    def revoke(self, member: Member) -> None:
        """End a member's sessions and links."""
        self._drop_links(member)
        self._sources.pop(member, None)
        for session in [one for one in self._sessions.values() if one.member == member]:
            del self._sessions[session.id]

    async def on_erasure(self, member: Member, *, only_answers: bool) -> None:
        """Revoke what a member has if everything about them is being erased."""
        if not only_answers:
            self.revoke(member)

    def _drop_links(self, member: Member) -> None:
        for digest in [key for key, (whose, _) in self._links.items() if whose == member]:
            del self._links[digest]


def home_of(path: str, kinds: Iterable[VisitKind] = (MEMBERS, MODERATORS)) -> str:
    """Return the first page of those that a path belongs to: of a visit, or of the operator."""
    return next((kind.home for kind in kinds if kind.covers(path)), "/")

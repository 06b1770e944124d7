"""One-time links from Discord, and the visits that they open: members' pages and moderators' pages.

Each kind of visit has its own path, cookie and store: it opens no page of another kind and none
of the operator, and the operator's sessions and token open no page of a visit.
"""

import secrets
from dataclasses import dataclass

from cogs.dashboard.web.access import LINK_S, Session, digest_of
from utils.common.bounded import ExpiringDict
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


class Visits:
    """One-time links and sessions of one kind; they end with the process at the latest.

    ``sources`` are the channels that may be quoted to a member, if they were asked for just now.
    """

    def __init__(self, kind: VisitKind, clock: Clock) -> None:
        self.kind = kind
        self._links: ExpiringDict[bytes, Member] = ExpiringDict(clock, MAX_LINKS, LINK_S)
        self._sessions: ExpiringDict[str, VisitSession] = ExpiringDict(
            clock, MAX_SESSIONS, kind.session_s
        )
        self.sources: ExpiringDict[Member, frozenset[int]] = ExpiringDict(
            clock, MAX_SESSIONS, SOURCES_S
        )

    def create_link(self, member: Member) -> str:
        """Return the path of a new link, which works once in 15 minutes; older ones are void."""
        self._links.remove_where(lambda _, whose: whose == member)
        code = secrets.token_urlsafe(32)
        self._links[digest_of(code)] = member
        return f"{self.kind.link}{code}"

    def use_link(self, code: str) -> VisitSession:
        """Return a new session for a link's code, which is void afterwards. Raises UsedVisitLink.

        Guesses are not limited: a code has 256 random bits.
        """
        member = self._links.pop(digest_of(code))
        if member is None:
            raise UsedVisitLink(self.kind)
        session = VisitSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32), member)
        self._sessions[session.id] = session
        return session

    def session(self, cookie: str | None) -> VisitSession:
        """Return the session of a cookie. Raises NoVisit."""
        session = self._sessions.get(cookie or "")
        if session is None:
            raise NoVisit(self.kind)
        return session

    def revoke(self, member: Member) -> None:
        """End a member's sessions and links."""
        self._links.remove_where(lambda _, whose: whose == member)
        self.sources.pop(member)
        self._sessions.remove_where(lambda _, session: session.member == member)

    async def on_erasure(self, member: Member, *, only_answers: bool) -> None:
        """Revoke what a member has if everything about them is being erased."""
        if not only_answers:
            self.revoke(member)


def home_of(path: str) -> str:
    """Return the first page of those that a path belongs to: of a visit, or of the operator."""
    return next((kind.home for kind in (MEMBERS, MODERATORS) if kind.covers(path)), "/")

"""Who sees a member's own pages: whoever opens the one-time link that ``/memory show`` gave them.

Their sessions have a cookie and a store of their own: they open no page of the operator, and the
operator's sessions and token open no page of a member.
"""

import secrets
from dataclasses import dataclass

from cogs.dashboard.web.access import LINK_S, Session, digest_of
from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.models.memory import Member

MEMBER_COOKIE = "kith_member"
HOME = "/me"
MEMBER_LINK = f"{HOME}/enter/"
MEMBER_SESSION_S = 3600
MAX_LINKS = MAX_SESSIONS = 1_000
SOURCES_S = 30.0  # a member who reloads a page often must not use up Discord's limit


class NoMemberSession(KithError):
    """The request has no session of a member."""

    sentence = "Your visit is over. Use `/memory show` on Discord for a new link."


class UsedMemberLink(KithError):
    """The link was used already, is too old, was replaced by a newer one, or never existed."""

    sentence = (
        "This link was used already or is older than 15 minutes. Use `/memory show` on Discord "
        "for a new one."
    )


@dataclass(frozen=True, slots=True)
class MemberSession(Session):
    """A browser in which a member looks at their own memories in one place."""

    member: Member


class MemberAccess:
    """One-time links and sessions of members; they end with the process at the latest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._links: BoundedDict[bytes, tuple[Member, float]] = BoundedDict(MAX_LINKS)
        self._sessions: BoundedDict[str, MemberSession] = BoundedDict(MAX_SESSIONS)
        self._sources: BoundedDict[Member, tuple[frozenset[int], float]] = BoundedDict(MAX_SESSIONS)

    def create_link(self, member: Member) -> str:
        """Return the code of a new link, which works once in 15 minutes; older ones are void."""
        self._drop_links(member)
        code = secrets.token_urlsafe(32)
        self._links[digest_of(code)] = member, self._clock.monotonic() + LINK_S
        return code

    def use_link(self, code: str) -> MemberSession:
        """Return a new session for a link's code, which is void afterwards. Raises UsedMemberLink.

        Guesses are not limited: a code has 256 random bits.
        """
        now = self._clock.monotonic()
        member, valid_until = self._links.pop(digest_of(code), (None, 0.0))
        if member is None or valid_until <= now:
            raise UsedMemberLink
        session = MemberSession(
            secrets.token_urlsafe(32), secrets.token_urlsafe(32), now + MEMBER_SESSION_S, member
        )
        self._sessions[session.id] = session
        return session

    def session(self, cookie: str | None) -> MemberSession:
        """Return the session of a cookie. Raises NoMemberSession."""
        session = self._sessions.get(cookie or "")
        if session is None or session.expires_at <= self._clock.monotonic():
            self._sessions.pop(cookie or "", None)
            raise NoMemberSession
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

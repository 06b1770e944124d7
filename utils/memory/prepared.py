"""Members' memories and messages as loaded and prepared for recall, kept while they hold.

What is kept is stamped: memories, and what attachments say, with the member's MemoryVersion,
messages with the last event id and the server's own version, which rises in every unit of work
that erases a message (``members.note_erasure``). Each recall reads the stamps anew, so that what
another process writes or erases is seen at once.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from utils.database import members, memories, open_loops, sayings, surrogates
from utils.database.engine import Session
from utils.memory import profile
from utils.memory.documents import CONVERSATION_GAP_S, Documents, PreparedRows, of_messages
from utils.model.episode import LoopState, OpenLoop
from utils.model.memory import (
    DIRECT_MESSAGES,
    SERVER_ITSELF,
    Member,
    Memory,
    Profile,
    Standing,
)
from utils.model.recall import Said


@dataclass(frozen=True, slots=True)
class Prepared:
    """A member's memories and messages, ready to be ranked, and what they stand for; what came
    with messages stands among them, with a label.

    ``stale_at`` is when the first word of somebody else's among them must be gone; ``loops`` is
    all that is open of the member.
    """

    rows: PreparedRows
    said: Documents[Said]
    server_version: int
    last_event_id: int
    stale_at: datetime | None
    loops: tuple[OpenLoop, ...] = ()

    def make_index(self) -> None:
        """Make what further recalls are quicker with, in any thread."""
        self.rows.make_index()
        self.said.make_index()

    def __len__(self) -> int:
        return len(self.rows) + len(self.said)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one read brought: each member's own row, and what is prepared of them; the server's
    own memories are those of user 0. ``linked`` are the other accounts of those asked about."""

    people: Mapping[Member, tuple[Standing, Prepared]]
    server: PreparedRows | None
    linked: Mapping[Member, Member]
    server_version: int = 0

    def accounts(self, member: Member) -> tuple[Member, ...]:
        """Return a member, and their other account where they have confirmed one."""
        return (member, self.linked[member]) if member in self.linked else (member,)

    def speaking(self, speaker: Member | None) -> tuple[Member, ...]:
        """Return the accounts of who speaks, also where their other one is asked about itself."""
        if speaker is None:
            return ()
        other_id = self.people[speaker][0].linked_id
        return (speaker,) if other_id is None else (speaker, replace(speaker, user_id=other_id))

    def user_ids(self, found: Iterable[Member]) -> tuple[int, ...]:
        """Return the ids of these members and of their other accounts."""
        return tuple(one.user_id for member in found for one in self.accounts(member))


def load(
    session: Session,
    guild_id: int,
    about: Collection[Member],
    kept: Callable[[Member], Prepared | None],
    lore: PreparedRows | None,
    now: datetime,
) -> Loaded:
    """Read the stamps, and memories and messages only where what was kept is stale.

    Somebody's other account is read with them, unless it is asked about itself. Of direct messages
    there is no lore.
    """
    server = Member(guild_id, SERVER_ITSELF)
    version = members.standing(session, server).version
    people: dict[Member, tuple[Standing, Prepared]] = {}
    linked: dict[Member, Member] = {}

    def read(member: Member) -> Standing:
        standing = members.standing(session, member)
        refreshed = _refreshed(session, member, kept(member), standing, version, now)
        people[member] = standing, refreshed
        return standing

    for member in about:
        other_id = read(member).linked_id
        other = None if other_id is None else Member(guild_id, other_id)
        if other is not None and other not in about:
            linked[member] = other
            read(other)
    if guild_id == DIRECT_MESSAGES or version == 0:
        return Loaded(people, None, linked, version)
    if lore is None or lore.version != version:
        lore = PreparedRows(memories.load_for_recall(session, server, now), version)
    return Loaded(people, lore, linked, version)


def _refreshed(
    session: Session,
    member: Member,
    old: Prepared | None,
    standing: Standing,
    server_version: int,
    now: datetime,
) -> Prepared:
    last = sayings.last_event_id(session, member)
    is_same = old is not None and old.rows.version == standing.version
    holds = (
        old is not None
        and old.server_version == server_version
        and last >= old.last_event_id
        and (old.stale_at is None or old.stale_at > now)
    )
    if old is not None and is_same and holds and last == old.last_event_id:
        return old
    if old is not None and is_same:
        rows, behind = old.rows.items, old.rows.messages
    else:
        rows = tuple(memories.load_for_recall(session, member, now) if standing.version else ())
        behind = sayings.messages_behind(session, member) if rows and last else {}
    words, ends, after = [], [], 0
    attached = None
    if old is not None and holds:
        words = [one for one in old.said.items if not one.label]
        ends, after = [old.stale_at], old.last_event_id
        attached = [one for one in old.said.items if one.label] if is_same else None
    if attached is None:  # whoever stores or erases what attachments say changes a version
        attached = surrogates.said(session, member, now) if last else []
    if last > after:
        newer, stale_at = sayings.load(
            session, member, after=after, now=now, gap_s=CONVERSATION_GAP_S
        )
        words += newer
        ends.append(stale_at)
    each = {one.event_id: one for one in words}.values()
    words = sorted(each, key=lambda one: one.message_id)[-sayings.MOST_SAID :]
    is_known = old is not None and is_same and old.server_version == server_version
    loops = old.loops if old is not None and is_known else _loops(session, member, standing, now)
    return Prepared(
        rows=PreparedRows(rows, standing.version, behind, {one.message_id: one for one in words}),
        said=of_messages([*with_facts(words, rows, behind), *attached]),
        server_version=server_version,
        last_event_id=last,
        stale_at=min((end for end in ends if end is not None), default=None),
        loops=loops,
    )


def _loops(
    session: Session, member: Member, standing: Standing, now: datetime
) -> tuple[OpenLoop, ...]:
    """Return what is open of a member; of one without a row, nothing is."""
    found = open_loops.all_of(session, member, now) if standing.version else []
    return tuple(loop for loop in reversed(found) if loop.state is LoopState.OPEN)


def with_facts(
    words: list[Said], rows: Sequence[Memory], behind: Mapping[int, tuple[int, ...]]
) -> list[Said]:
    """Give each message the stems of the memories that rest on it."""
    stems: dict[int, str] = {}
    for row in rows:
        own = row.stems.split("\n", 1)[0]
        for message_id in behind.get(row.id, ()):
            stems[message_id] = f"{stems[message_id]} {own}" if message_id in stems else own
    return [
        one
        if one.fact_stems == (facts := stems.get(one.message_id, ""))
        else replace(one, fact_stems=facts)
        for one in words
    ]


class PreparedCache:
    """What is prepared of the members asked about last, bounded by how much it holds."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._kept: OrderedDict[Member, Prepared] = OrderedDict()

    def get(self, member: Member) -> Prepared | None:
        """Return what is kept of a member."""
        return self._kept.get(member)

    def put(self, member: Member, prepared: Prepared) -> bool:
        """Keep it, and let go of what was asked for longest ago where it is too much; False if it
        was kept already."""
        old = self._kept.pop(member, None)
        self._held += len(prepared) + 1 - (len(old) + 1 if old else 0)
        self._kept[member] = prepared
        while self._held > self._most and self._kept:
            _, dropped = self._kept.popitem(last=False)
            self._held -= len(dropped) + 1
        return old is not prepared


def paragraph_for(
    stored: Profile, rows: PreparedRows, may_recall: Callable[[Memory], bool]
) -> Profile:
    """Return the profile as this audience may hear it.

    Mostly it is the stored one: only the rows that it names are looked at then.
    """
    named = [row for id in stored.row_ids if (row := rows.by_id.get(id)) and may_recall(row)]
    if stored.text and profile.readable(stored, named) is stored:
        return stored
    return profile.render(filter(may_recall, rows.items))

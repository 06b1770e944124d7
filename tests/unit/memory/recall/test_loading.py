"""What a recall loads anew, and what it uses as it is cached."""

import pytest

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, NOON, at, make_memory
from tests.unit.memory.recall.test_pipeline import loop, said
from utils.memory.recall import prepared_cache
from utils.memory.recall.pipeline import paragraph_for
from utils.memory.recall.prepared_cache import stamps
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.episode import LoopState
from utils.models.memory import DIRECT_MESSAGES, Form, Kind, Member, MemberHeader, Profile
from utils.models.policy import WritePolicy
from utils.models.recall import MemoryColumns, SaidColumns

SERVER = Member(GUILD, 0)
OTHER = Member(GUILD, 11)
MAX_SHOWN = 5


class Stored:
    """What is stored, and the queries that were asked of it."""

    def __init__(self):
        self.version = 3
        self.headers = {ADA: MemberHeader(version=7), BOB: MemberHeader(), OTHER: MemberHeader()}
        self.rows = {ADA: [make_memory(id=1), make_memory("sings", id=2)]}
        self.sources = {ADA: {1: (101,)}}
        self.messages = {ADA: [said(1, "a"), said(2, "b")]}
        self.attached = {ADA: [said(-1, "picture", message_id=101, label="[image]")]}
        self.loops = {ADA: [loop(1), loop(2, state=LoopState.RAISED), loop(3)]}
        self.stale_at = None
        self.cached = {}
        self.lore = None
        self.asked = []

    def last_id(self, member):
        return max((one.event_id for one in self.messages.get(member, ())), default=0)

    def __call__(self, query):
        name, member, *rest = query
        self.asked.append((name, member.user_id, *rest))
        if name == "said":
            newer = [m for m in self.messages.get(member, ()) if m.event_id > rest[0]]
            return SaidColumns.of(newer[-MAX_SHOWN:]), self.stale_at
        if name == "header":
            return self.headers.get(member, MemberHeader(version=self.version))
        if name == "last":
            return self.last_id(member)
        stored = getattr(self, name).get(
            member, [] if name in ("rows", "loops", "attached") else {}
        )
        if name == "rows":
            return MemoryColumns.of(row for row in stored if row.id > rest[0])
        if name == "sources":
            return {id: sources for id, sources in stored.items() if id > rest[0]}, {}, ()
        return stored

    def load(self, *about, guild_id=GUILD, now=NOON, visible_ids=()):
        """Load, and keep what was loaded; returns it."""
        stamped = [self(query) for query in stamps(guild_id, about)]
        self.asked = []
        loaded = prepared_cache.load(
            self, guild_id, about, stamped, self.cached.get, self.lore, now, visible_ids
        )
        self.cached |= {member: prepared for member, (_, prepared) in loaded.people.items()}
        self.lore = loaded.server
        return loaded

    def ada(self, **given):
        return self.load(ADA, **given).people[ADA][1]


@pytest.fixture
def stored(monkeypatch):
    patch = monkeypatch.setattr
    patch(prepared_cache, "run_all", lambda stored, queries: [stored(one) for one in queries])
    patch(prepared_cache, "run", lambda stored, query: stored(query))
    patch(prepared_cache.members, "header", lambda member: ("header", member))
    patch(
        prepared_cache.memory_rows, "for_recall", lambda member, now, after: ("rows", member, after)
    )
    patch(prepared_cache.memory_rows, "lore_for_recall", lambda guild_id, now: ("rows", SERVER, 0))
    patch(prepared_cache.open_loops, "all_of", lambda member, now: ("loops", member))
    patch(prepared_cache.sayings, "attachments", lambda member, now: ("attached", member))
    patch(prepared_cache.sayings, "last_event_id", lambda member: ("last", member))
    patch(
        prepared_cache.sayings,
        "sources_for_recall",
        lambda member, after: ("sources", member, after),
    )
    patch(prepared_cache.sayings, "MAX_MESSAGES_SHOWN", MAX_SHOWN)
    patch(prepared_cache, "MAX_ADDED", 2)
    patch(prepared_cache, "MAX_TOTAL", MAX_SHOWN + 2)
    patch(
        prepared_cache.sayings,
        "since",
        lambda member, *, after, now, gap_s: ("said", member, after),
    )
    return Stored()


def names(stored):
    return [asked[0] for asked in stored.asked]


def event_ids(prepared):
    return [message.event_id for message in prepared.said]


def test_what_is_not_cached_is_loaded_whole_and_then_not_at_all(stored):
    loaded = stored.load(ADA)
    ada = ADA.user_id
    assert stored.asked == [
        ("rows", ada, 0), ("sources", ada, 0), ("loops", ada),
        ("attached", ada), ("said", ada, 0),
        ("rows", 0, 0),
    ]  # fmt: skip
    header, prepared = loaded.people[ADA]
    assert header is stored.headers[ADA]
    assert [row.id for row in prepared.rows] == [1, 2]
    assert (prepared.rows.version, prepared.rows.messages) == (7, {1: (101,)})
    assert event_ids(prepared) == [1, 2, -1]
    assert (prepared.links.messages.tolist(), prepared.links.is_said.tolist()) == (
        [0, 2],
        [True, False],
    )
    assert [one.id for one in prepared.loops] == [3, 2, 1]
    assert (prepared.server_version, prepared.last_event_id, prepared.stale_at) == (3, 2, None)
    assert loaded.server_version == 3
    assert stored.load(ADA).people[ADA][1] is prepared
    assert stored.asked == []


def test_of_whom_nothing_is_stored_nothing_is_asked(stored):
    stored.version = 0
    loaded = stored.load(BOB)
    assert (stored.asked, loaded.server) == ([], None)
    assert len(loaded.people[BOB][1]) == 0


def test_lore_is_read_again_when_the_servers_version_changes_and_not_in_direct_messages(stored):
    stored.rows[SERVER] = [make_memory("lore", id=9)]
    lore = stored.load(BOB).server
    assert ([row.id for row in lore], lore.version) == ([9], 3)
    assert stored.load(BOB).server is lore
    stored.version = 4
    assert stored.load(BOB).server.version == 4
    stored.lore = lore
    assert stored.load(Member(0, 10), guild_id=DIRECT_MESSAGES).server is None


def test_a_new_message_is_added_to_what_is_cached(stored):
    before = stored.ada()
    stored.stale_at = at(days=2)
    stored.messages[ADA].append(said(5, "c"))
    after = stored.ada()
    assert stored.asked == [("said", ADA.user_id, 2)]
    assert (after.rows is before.rows, after.loops) == (True, before.loops)
    assert event_ids(after) == [1, 2, -1, 5]
    assert event_ids(before) == [1, 2, -1]
    assert (after.last_event_id, after.stale_at) == (5, at(days=2))
    stored.stale_at = at(days=1)
    stored.messages[ADA].append(said(6, "d"))
    assert stored.ada().stale_at == at(days=1)
    stored.stale_at = at(days=3)
    stored.messages[ADA].append(said(7, "e"))
    last = stored.ada()
    assert (last.stale_at, len(last.said)) == (at(days=1), MAX_SHOWN + 1)
    stored.messages[ADA].append(said(8, "f"))
    assert len(stored.ada().said) == MAX_SHOWN + 2
    stored.messages[ADA].append(said(9, "g"))
    full = stored.ada()
    assert stored.asked[-1] == ("said", ADA.user_id, 0)
    assert full.rows is before.rows
    assert event_ids(full) == [5, 6, 7, 8, 9, -1]


def test_new_messages_are_left_out_while_the_prompt_has_all_of_them_and_no_memory_is_new(stored):
    before = stored.ada()
    stored.messages[ADA] += [said(5, "c"), said(6, "d")]
    shown = [message.message_id for message in stored.messages[ADA]]
    assert stored.ada(visible_ids=shown) is before
    assert event_ids(stored.ada(visible_ids=shown[:-1])) == [1, 2, -1, 5, 6]
    stored.messages[ADA].append(said(7, "e"))
    shown.append(stored.messages[ADA][-1].message_id)
    stored.headers[ADA] = MemberHeader(version=8, additions=1)
    stored.rows[ADA].append(make_memory("I know", id=3, form=Form.QUOTE))
    stored.sources[ADA][3] = (shown[-1],)
    after = stored.ada(visible_ids=shown)
    assert event_ids(after) == [1, 2, -1, 5, 6, 7]
    assert after.recallable({CHANNEL}, NOON, WritePolicy()).tolist() == [True, True, False]


def test_memories_are_read_again_when_the_members_version_changes(stored):
    before = stored.ada()
    stored.headers[ADA] = MemberHeader(version=8)
    stored.rows[ADA] = [make_memory("sings loudly", id=2), make_memory("paints", id=3)]
    stored.sources[ADA] = {2: (102,), 3: (102, 103)}
    stored.messages[ADA].append(said(3, "c"))
    stored.loops[ADA] = []
    after = stored.ada()
    assert names(stored) == ["rows", "sources", "loops", "attached", "said"]
    assert [row.text for row in after.rows] == ["sings loudly", "paints"]
    assert event_ids(after) == [*event_ids(before), 3]
    assert after.links.memories.tolist() == [0, 1, 1]
    assert (after.rows.version, after.loops, after.last_event_id) == (8, (), 3)
    assert stored.ada() is after
    stored.headers[ADA] = MemberHeader(version=9)
    assert stored.ada().said is after.said


def test_after_an_erasure_added_memories_are_read_with_all_others(stored):
    stored.ada()
    stored.version = 4
    stored.headers[ADA] = MemberHeader(version=8, additions=1)
    stored.ada()
    assert stored.asked[0] == ("rows", ADA.user_id, 0)


@pytest.mark.parametrize("change", ["version", "stale", "older"])
def test_everything_is_read_again_after_an_erasure_or_an_end(stored, change):
    stored.stale_at = at(hours=1)
    stored.ada()
    stored.messages[ADA] = stored.messages[ADA][1:] if change != "older" else [said(1, "z")]
    now = at(hours=1) if change == "stale" else NOON
    if change == "version":
        stored.version = 4
    stored.stale_at = at(hours=5)
    after = stored.ada(now=now)
    expected = ["rows", "sources", "loops", "attached", "said"]
    assert names(stored) == [*expected, *(["rows"] if change == "version" else [])]
    assert ("said", ADA.user_id, 0) in stored.asked
    assert event_ids(after) == ([1, -1] if change == "older" else [2, -1])
    assert (after.stale_at, after.server_version) == (at(hours=5), stored.version)


def test_the_speakers_other_account_is_loaded_with_them(stored):
    stored.headers[ADA] = MemberHeader(version=7, linked_id=OTHER.user_id)
    stored.headers[BOB] = MemberHeader(linked_id=77)
    stored.messages[OTHER] = [said(30, "other")]
    loaded = stored.load(ADA, BOB)
    assert list(loaded.people) == [ADA, BOB, OTHER]
    assert loaded.linked == {ADA: OTHER}
    assert event_ids(loaded.people[OTHER][1]) == [30]
    assert loaded.accounts(ADA) == (ADA, OTHER)
    assert loaded.accounts(BOB) == (BOB,)
    assert loaded.speaking(ADA) == (ADA, OTHER)
    assert loaded.speaking(OTHER) == (OTHER,)
    assert loaded.speaking(None) == ()
    assert loaded.user_ids([BOB, ADA]) == (BOB.user_id, ADA.user_id, OTHER.user_id)
    both = stored.load(ADA, OTHER)
    assert (both.linked, both.speaking(ADA)) == ({}, (ADA, OTHER))
    assert stored.load(BOB, ADA).linked == {BOB: Member(GUILD, 77)}
    assert stored.load().people == {}


def test_a_profile_is_the_stored_one_while_its_memories_are_readable():
    rows = [
        make_memory("sings", id=1),
        make_memory("paints", id=2, created_at=at(days=-1)),
        make_memory("hides", id=3, channel_id=999),
        make_memory("I know", id=4, form=Form.QUOTE),
        make_memory("likes tea", id=5, kind=Kind.PREFERENCE),
    ]
    prepared = PreparedMemories(rows, 1)
    asked = []

    def readable(row):
        asked.append(row.id)
        return row.channel_id == CHANNEL

    stored = Profile("A singer.", (1,))
    assert paragraph_for(stored, prepared, readable) is stored
    assert asked == [1]
    assert paragraph_for(Profile(), prepared, readable) == Profile("Sings. Paints.", (1, 2))
    for other in (Profile("Hidden.", (1, 3)), Profile("Gone.", (1, 99)), Profile("", (1,))):
        assert paragraph_for(other, prepared, readable) == Profile("Sings. Paints.", (1, 2))

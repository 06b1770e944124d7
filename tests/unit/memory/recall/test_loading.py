"""What a recall loads anew, and what it uses as it is cached."""

import pytest

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, NOON, at, make_memory
from tests.unit.memory.recall.test_pipeline import loop, said
from utils.memory.recall import prepared_cache
from utils.memory.recall.documents import with_facts
from utils.memory.recall.pipeline import paragraph_for
from utils.memory.recall.prepared_cache import stamps
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.episode import LoopState
from utils.models.memory import DIRECT_MESSAGES, Form, Kind, Member, MemberHeader, Profile
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
        self.changed_at = {}
        self.cached = {}
        self.lore = None
        self.asked = []

    def last_id(self, member):
        return max((one.event_id for one in self.messages.get(member, ())), default=0)

    def __call__(self, query):
        if query[0] == "newest":  # all messages, by column
            messages, stale_at = self(("newer", query[1], 0))
            return SaidColumns.of(messages), stale_at
        name, member, *rest = query
        self.asked.append((name, member.user_id, *rest))
        if name == "newer":
            newer = [m for m in self.messages.get(member, ()) if m.event_id > rest[0]]
            return newer[-MAX_SHOWN:], self.stale_at
        if name == "changed":
            version, last_id = rest
            changed = self.changed_at.items()
            newer = {id for id, at_version in changed if at_version >= version}
            return [row for row in self.rows[member] if row.id > last_id or row.id in newer]
        if name == "changed_sources":
            return self.sources[member]
        if name == "count":
            return len(self.rows[member])
        if name == "header":
            return self.headers.get(member, MemberHeader(version=self.version))
        if name == "last":
            return self.last_id(member)
        stored = getattr(self, name).get(member, {} if name == "sources" else [])
        return MemoryColumns.of(stored) if name == "rows" else stored

    def load(self, *about, guild_id=GUILD, now=NOON):
        """Load, and keep what was loaded; returns it."""
        stamped = [self(query) for query in stamps(guild_id, about)]
        self.asked = []
        loaded = prepared_cache.load(
            self, guild_id, about, stamped, self.cached.get, self.lore, now
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
    patch(prepared_cache.memory_rows, "for_recall", lambda member, now: ("rows", member))
    patch(
        prepared_cache.memory_rows,
        "changed_for_recall",
        lambda member, now, *, version, last_id: ("changed", member, version, last_id),
    )
    patch(prepared_cache.memory_rows, "count_current", lambda member, now: ("count", member))
    patch(
        prepared_cache.memory_rows,
        "changed_source_messages",
        lambda member, *, version, last_id: ("changed_sources", member),
    )
    patch(prepared_cache.open_loops, "all_of", lambda member, now: ("loops", member))
    patch(prepared_cache.sayings, "attachments", lambda member, now: ("attached", member))
    patch(prepared_cache.sayings, "last_event_id", lambda member: ("last", member))
    patch(prepared_cache.sayings, "source_messages", lambda member: ("sources", member))
    patch(prepared_cache.sayings, "MAX_MESSAGES_SHOWN", MAX_SHOWN)
    patch(prepared_cache, "MAX_APPENDED", 2)
    patch(
        prepared_cache.sayings,
        "since",
        lambda member, *, after, now, gap_s: ("newer", member, after),
    )
    patch(prepared_cache.sayings, "newest", lambda member, *, now, gap_s: ("newest", member))
    return Stored()


def names(stored):
    return [asked[0] for asked in stored.asked]


def event_ids(prepared):
    return [message.event_id for message in prepared.said.items]


def test_what_is_not_cached_is_loaded_whole_and_then_not_at_all(stored):
    loaded = stored.load(ADA)
    ada = ADA.user_id
    assert stored.asked == [
        ("rows", ada), ("sources", ada), ("attached", ada), ("newer", ada, 0), ("loops", ada),
        ("rows", 0),
    ]  # fmt: skip
    header, prepared = loaded.people[ADA]
    assert header is stored.headers[ADA]
    assert [row.id for row in prepared.rows.items] == [1, 2]
    assert (prepared.rows.version, prepared.rows.messages) == (7, {1: (101,)})
    assert event_ids(prepared) == [1, 2, -1]
    assert [message.fact_stems for message in prepared.said.items] == ["dog name rex", "", ""]
    assert [one.id for one in prepared.loops] == [3, 1]
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
    assert ([row.id for row in lore.items], lore.version) == ([9], 3)
    assert stored.load(BOB).server is lore
    stored.version = 4
    assert stored.load(BOB).server.version == 4
    stored.lore = lore
    assert stored.load(Member(0, 10), guild_id=DIRECT_MESSAGES).server is None


def test_a_new_message_is_appended_to_what_is_cached(stored):
    before = stored.ada()
    stored.stale_at = at(days=2)
    stored.messages[ADA].append(said(5, "c"))
    after = stored.ada()
    assert stored.asked == [("newer", ADA.user_id, 2)]
    assert after.rows is before.rows
    assert event_ids(after) == [1, 2, -1, 5]
    assert (after.last_event_id, after.stale_at) == (5, at(days=2))
    stored.stale_at = at(days=1)
    stored.messages[ADA].append(said(6, "d"))
    assert stored.ada().stale_at == at(days=1)
    stored.stale_at = at(days=3)
    stored.messages[ADA].append(said(7, "e"))
    last = stored.ada()
    assert (last.stale_at, len(last.said)) == (at(days=1), MAX_SHOWN + 1)
    stored.messages[ADA].append(said(8, "f"))
    full = stored.ada()
    assert (full.rows is before.rows, len(full.said)) == (True, MAX_SHOWN + 2)
    stored.messages[ADA].append(said(9, "g"))
    rebuilt = stored.ada()
    assert rebuilt.rows is not before.rows
    assert sorted(event_ids(rebuilt)) == [-1, 1, 2, 5, 6, 7, 8, 9]
    stored.messages[ADA].append(said(10, "h"))
    assert sorted(event_ids(stored.ada())) == [-1, 6, 7, 8, 9, 10]


def test_a_message_that_a_memory_rests_on_changes_the_memory_too(stored):
    stored.sources[ADA] = {1: (101,), 2: (105,)}
    before = stored.ada()
    stored.messages[ADA].append(said(5, "c", previous_stems="figs"))
    after = stored.ada()
    assert names(stored) == ["newer"]
    assert after.rows is not before.rows
    assert [message.fact_stems for message in after.said.items if message.event_id == 5] == ["sing"]
    assert (after.last_event_id, after.rows.version, len(after.loops)) == (5, 7, 2)


def test_so_many_new_messages_that_some_may_be_missing_are_all_read_again(stored):
    stored.ada()
    stored.messages[ADA] = [said(n, f"w{n}") for n in range(1, 20)]
    stored.stale_at = at(days=2)
    after = stored.ada()
    assert stored.asked[-1] == ("newer", ADA.user_id, 0)
    assert sorted(event_ids(after)) == [-1, 1, 2, 15, 16, 17, 18, 19]
    assert after.stale_at == at(days=2)


def test_as_many_new_messages_as_are_read_at_once_are_not_appended(stored):
    stored.messages[ADA], stored.attached[ADA] = [said(1, "a")], []
    stored.ada()
    stored.messages[ADA] += [said(n, f"w{n}") for n in range(2, 12)]
    after = stored.ada()
    assert ("newer", ADA.user_id, 0) in stored.asked
    assert event_ids(after) == [1, 7, 8, 9, 10, 11]


CHANGES = ["changed", "changed_sources", "count", "attached", "loops"]


def test_only_new_and_changed_memories_are_read(stored):
    before = stored.ada()
    stored.headers[ADA] = MemberHeader(version=8)
    stored.rows[ADA] = [
        stored.rows[ADA][0],
        make_memory("sings loudly", id=2),
        make_memory("paints", id=3),
    ]
    stored.changed_at = {2: 8}
    stored.sources[ADA] = {2: (102,), 3: (102, 103)}
    stored.messages[ADA].append(said(3, "c"))
    stored.attached[ADA].append(said(-2, "song", message_id=102, label="[audio]"))
    stored.loops[ADA] = []
    after = stored.ada()
    assert names(stored) == [*CHANGES[:4], "newer", "loops"]
    assert ("changed", ADA.user_id, 7, 2) in stored.asked
    assert [row.text for row in after.rows.items][1:] == ["sings loudly", "paints"]
    assert after.rows.items[0] is before.rows.items[0]
    assert after.rows.messages == {1: (101,), 2: (102,), 3: (102, 103)}
    facts = {message.event_id: message.fact_stems for message in after.said.items}
    assert facts == {
        1: "dog name rex", 2: "sing loud paint", -1: "", 3: "paint", -2: "",
    }  # fmt: skip
    assert (after.rows.version, after.loops, after.last_event_id) == (8, (), 3)
    assert stored.ada() is after


@pytest.mark.parametrize("gone", ["a memory", "an attachment"])
def test_what_is_gone_is_told_no_more_whatever_else_is_new(stored, gone):
    stored.ada()
    stored.headers[ADA] = MemberHeader(version=8)
    if gone == "a memory":
        stored.rows[ADA] = [stored.rows[ADA][0], make_memory("paints", id=3)]
    else:
        stored.attached[ADA] = []
    after = stored.ada()
    assert names(stored) == [*CHANGES, "rows", "sources"]
    assert [row.id for row in after.rows.items] == [row.id for row in stored.rows[ADA]]
    assert event_ids(after) == [1, 2, *(message.event_id for message in stored.attached[ADA])]
    assert after.rows.version == 8


def test_a_cached_message_loses_the_words_of_its_last_memory_with_it(stored):
    assert stored.ada().said.items[0].fact_stems == "dog name rex"
    stored.headers[ADA] = MemberHeader(version=8)
    stored.rows[ADA], stored.sources[ADA], stored.attached[ADA] = stored.rows[ADA][1:], {}, []
    after = stored.ada()
    assert [message.fact_stems for message in after.said.items] == ["", ""]
    assert after.said.source.texts() == ["", ""]


def test_a_version_that_fell_is_not_compared(stored):
    stored.ada()
    stored.headers[ADA] = MemberHeader(version=2)
    stored.ada()
    assert names(stored)[:2] == ["rows", "sources"]


@pytest.mark.parametrize("change", ["version", "stale", "older"])
def test_messages_are_read_again_after_an_erasure_or_an_end(stored, change):
    stored.stale_at = at(hours=1)
    before = stored.ada()
    stored.messages[ADA] = stored.messages[ADA][1:] if change != "older" else []
    now = at(hours=1) if change == "stale" else NOON
    if change == "version":
        stored.version = 4
    stored.stale_at = at(hours=5)
    if change == "older":
        stored.messages[ADA] = [said(1, "z")]
    after = stored.ada(now=now)
    expected = ["attached", "newer", *(["loops", "rows"] if change == "version" else [])]
    assert names(stored) == expected
    assert ("newer", ADA.user_id, 0) in stored.asked
    assert event_ids(after) == ([1, -1] if change == "older" else [2, -1])
    assert (after.stale_at, after.server_version) == (at(hours=5), stored.version)
    assert [row.id for row in after.rows.items] == [1, 2]
    assert after.rows.messages == before.rows.messages
    assert len(after.loops) == 2


def test_a_moment_before_its_end_what_is_cached_is_used(stored):
    stored.stale_at = at(hours=1)
    before = stored.ada()
    assert stored.ada(now=at(minutes=59)) is before


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


def test_a_message_has_the_stems_of_the_memories_that_rest_on_it():
    rows = [
        make_memory("likes tea", id=1),
        make_memory("likes figs", id=2),
        make_memory("sings", id=3),
    ]
    messages = [said(1, "a"), said(2, "b", fact_stems="old"), said(3, "c", fact_stems="sing")]
    stems_of = {row.id: row.stems for row in rows}.get
    behind = {2: (101,), 1: (101, 102), 3: (103,), 9: (102,)}
    told = with_facts(messages, stems_of, behind)
    assert [message.fact_stems for message in told] == ["like tea like fig", "like tea", "sing"]
    assert told[2] is messages[2]
    assert with_facts(messages, stems_of, {})[1].fact_stems == ""


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

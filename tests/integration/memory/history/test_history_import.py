"""Reading a server's past: with leave only, each message once, and gone on with at any time."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    days,
    held_up,
    last_turns,
    make_answer,
    make_event,
    make_infrastructure,
    make_memory_service,
    make_reader,
    make_recorder,
    make_rules,
    make_verifier,
)
from tests.fakes.clock import NOON
from tests.fakes.exports import FIRST_ID, a_message, told, write_export
from tests.integration.residue import WORD
from utils.common.errors import (
    BadInput,
    BudgetSpent,
    KithError,
    ModelRefused,
)
from utils.database.erasure import channels
from utils.database.memories import audit
from utils.database.messages import events
from utils.database.schema.memory_tables import (
    guild_settings,
    history_import,
    memory_event,
    memory_evidence,
    metadata,
    tombstone,
    user_memory,
    user_state,
)
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.history import import_service
from utils.memory.history.import_service import HistoryImporter
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.pruning import prune
from utils.memory.privacy.retention import Retention
from utils.models.guild import GuildSettings
from utils.models.history import SkipReason
from utils.models.memory import Consent, EventState, Member, Method, Source
from utils.models.policy import WritePolicy
from utils.models.recall import Person

LAST_WEEK = NOON - days(7)
LONG_AGO = NOON - days(700)


class Silence:
    """Shows nothing, and remembers how far the work was."""

    def __init__(self):
        self.done = {}

    def begin(self, words, total, unit):
        self.part = words
        self.done[words] = (0, total)

    def reach(self, count):
        self.done[self.part] = (count, self.done[self.part][1])


class Past:
    """An importer over a database, and short ways to look at what it did."""

    def __init__(self, database, clock, folder, extractor=None):
        self.database, self.clock, self.folder = database, clock, folder
        self.extractor = extractor or FakeExtractor()
        self.keeper = make_memory_service(database, clock)
        self.reader = make_reader(database, clock)
        self.member_data = MemberData(database, clock)
        self.progress = Silence()
        self.importer = self.another()

    def another(self):
        return HistoryImporter(
            make_infrastructure(self.database, self.clock),
            make_rules(),
            self.extractor,
            make_verifier(self.clock),
            workers=2,
            asks_model=True,
        )

    def file(self, messages, name="past.json", **given):
        return write_export(self.folder / name, messages, **given)

    async def lets(self, member, consent=Consent.LASTING):
        await self.keeper.set_consent(member, consent)

    async def take_in(self, messages, name="past.json", only=frozenset(), **given):
        return await self.importer.import_file(
            self.file(messages, name, **given), self.progress, only=only
        )

    async def survey(self, messages, **given):
        return await self.importer.estimate(self.file(messages), self.progress, **given)

    async def known(self, member=ADA):
        return sorted(row.text for row in (await self.member_data.show(member)).rows)

    async def rows(self, table):
        return await self.database.read(lambda s: s.execute(select(table)).all())

    async def everything(self):
        """All that is stored, but for leases and versions, which only rise."""
        found = {}
        for table in metadata.sorted_tables:
            if table.name not in ("Lease", "UserState", "HistoryImport"):
                found[table.name] = [tuple(row) for row in await self.rows(table)]
        return found


@pytest.fixture
def past(database, clock, tmp_path):
    return Past(database, clock, tmp_path)


# --- leave --------------------------------------------------------------------------------------


async def test_who_gave_leave_is_remembered_and_of_the_others_nothing_is(past):
    await past.lets(ADA)
    messages = [
        a_message("I have a dog", 1, at=LAST_WEEK),
        a_message(f"I have a {WORD}", 2, at=LAST_WEEK, by=BOB.user_id, author={}),
    ]
    messages[1]["author"] = {"id": str(BOB.user_id), "name": WORD, "isBot": False}
    outcome = await past.take_in(messages)
    assert await past.known() == ["I have a dog"]
    assert outcome.skipped == {SkipReason.NO_CONSENT: 1}
    for table in metadata.sorted_tables:
        for row in await past.rows(table):
            assert WORD not in str(row)
            assert BOB.user_id not in row


async def test_a_servers_default_is_nobodys_own_choice(past):
    await past.database.write(
        lambda s: s.execute(
            guild_settings.insert().values(
                GuildId=GUILD,
                Mode="helpful",
                TimeZone="UTC",
                ConsentDefault=Consent.LASTING,
                PolicyVersion=0,
                Frozen=False,
                ModeratorsSeeMembers=True,
            )
        )
    )
    await past.take_in(told("I have a dog", at=LAST_WEEK))
    assert await past.rows(memory_event) == []


@pytest.mark.parametrize(
    "change",
    [
        {"Consent": Consent.OFF},
        {"Ignored": True},
        {"LeftAt": NOON},
    ],
)
async def test_who_is_off_ignored_or_gone_is_not_read(past, change):
    await past.lets(ADA)
    await past.database.write(lambda s: s.execute(update(user_state).values(**change)))
    messages = told("I have a dog", at=LAST_WEEK)
    assert (await past.take_in(messages)).skipped == {SkipReason.NO_CONSENT: 1}
    assert await past.rows(memory_event) == []
    assert await past.rows(history_import) == []


@pytest.mark.parametrize("change", [{"Frozen": True}, {"RemovedAt": NOON}])
async def test_a_frozen_server_and_one_that_removed_kith_take_nothing_in(past, change):
    await test_a_servers_default_is_nobodys_own_choice(past)
    await past.lets(ADA)
    await past.database.write(lambda s: s.execute(update(guild_settings).values(**change)))
    await past.take_in(told("I have a dog", at=LAST_WEEK))
    assert await past.rows(memory_event) == []


async def test_under_temporary_consent_what_is_older_than_30_days_is_skipped(past):
    await past.lets(ADA, Consent.TEMPORARY)
    messages = [
        a_message("I have a dog", 1, at=NOON - days(31)),
        a_message("I have a cat", 2, at=NOON - days(10)),
    ]
    assert (await past.take_in(messages)).skipped == {SkipReason.TOO_OLD: 1}
    assert await past.known() == ["I have a cat"]
    (row,) = await past.rows(user_memory)
    assert row.ExpiresAt == NOON + days(20)
    (event,) = await past.rows(memory_event)
    assert event.ExpiresAt == NOON + days(20)


async def test_what_is_older_than_a_year_is_learnt_and_its_words_are_gone_at_once(past):
    await past.lets(ADA)
    await past.take_in(told("I have a dog", at=LONG_AGO))
    assert await past.known() == ["I have a dog"]
    (event,) = await past.rows(memory_event)
    assert (event.Text, event.Stems, event.AuthorName) == ("", "", "")
    await past.take_in(told("I have a dog", at=LONG_AGO))
    assert len(past.extractor.readings) == 1
    await prune(past.database, past.clock, WritePolicy())
    assert await past.known() == ["I have a dog"]


async def test_what_stands_before_is_shown_only_with_its_authors_leave(past):
    await past.lets(ADA)
    carol = Member(GUILD, 30)
    await past.lets(carol)
    minute = timedelta(minutes=1)
    await past.take_in(
        [
            a_message("secret of Bob's", 1, at=LAST_WEEK, by=BOB.user_id),
            a_message("words of Carol's", 2, at=LAST_WEEK + minute, by=carol.user_id),
            a_message("I have a dog", 3, at=LAST_WEEK + 2 * minute),
        ]
    )
    (reading,) = [one for one in past.extractor.readings if one.burst.member == ADA]
    assert [event.text for event in reading.previous] == ["words of Carol's"]


async def test_what_was_forgotten_altogether_does_not_come_back(past):
    await past.lets(ADA)
    messages = told("I have a dog", at=LAST_WEEK)
    await past.take_in(messages)
    await past.keeper.forget_all(ADA)
    past.clock.advance(60)
    await past.take_in(messages, name="again.json")
    assert await past.known() == []
    assert await past.rows(memory_event) == []


@pytest.mark.parametrize("is_from_archive", [False, True])
async def test_what_was_said_while_memory_was_off_is_not_learnt_later(past, is_from_archive):
    if not is_from_archive:
        await past.lets(ADA, Consent.OFF)
    past.clock.advance(days(20).total_seconds())
    await past.lets(ADA)
    if is_from_archive:  # it is entered after what was chosen here
        await past.database.write(audit.record, ADA, "consent off", NOON, ADA.user_id)
    past.clock.advance(days(20).total_seconds())
    await past.take_in(told("I have a dog", "I have a cat", at=NOON + days(10), apart=days(20)))
    assert await past.known() == ["I have a cat"]


# --- once ---------------------------------------------------------------------------------------


async def test_the_same_file_twice_changes_nothing(past):
    await past.lets(ADA)
    messages = told("I have a dog", "I have a cat", "I have a bird", at=LAST_WEEK)
    first = await past.take_in(messages)
    assert (first.stored, first.inserted) == (3, 3)
    before = await past.everything()
    again = await past.take_in(messages)
    assert (again.stored, again.read, again.inserted, again.confirmed) == (0, 0, 0, 0)
    assert again.skipped == {SkipReason.ALREADY_STORED: 3}
    assert await past.everything() == before
    assert len(past.extractor.readings) == 3


async def test_exports_that_overlap_are_read_once_each_in_any_order(past):
    await past.lets(ADA)
    messages = told("I have a dog", "I have a cat", "I have a bird", at=LAST_WEEK)
    await past.take_in(messages[1:], name="second.json")
    outcome = await past.take_in([*reversed(messages[:2]), messages[0]], name="first.json")
    assert (outcome.stored, outcome.skipped) == (1, {SkipReason.ALREADY_STORED: 2})
    assert await past.known() == ["I have a bird", "I have a cat", "I have a dog"]


async def test_a_later_export_brings_the_edited_words_and_takes_back_the_earlier(past):
    await past.lets(ADA)
    (message,) = told("I have a dog", at=LAST_WEEK)
    await past.take_in([message])
    edited = message | {"content": "I have a cat", "timestampEdited": NOON.isoformat()}
    await past.take_in([edited], name="later.json")
    assert await past.known() == ["I have a cat"]
    await past.take_in([message], name="earlier.json")
    assert await past.known() == ["I have a cat"]


# --- how it is learnt ---------------------------------------------------------------------------


async def test_what_is_learnt_says_that_it_was_imported_and_when_it_was_said(past):
    await past.lets(ADA)
    await past.take_in(told("I have a dog", at=LAST_WEEK))
    (row,) = await past.rows(user_memory)
    assert (row.Source, row.CreatedAt, row.LastConfirmedAt) == (Source.IMPORT, LAST_WEEK, LAST_WEEK)
    assert row.Confidence == 0.9
    (evidence,) = await past.rows(memory_evidence)
    assert (evidence.Method, evidence.SaidAt) == (Method.IMPORT, LAST_WEEK)


async def test_an_import_without_a_model_notes_only_what_is_explicit(past):
    past.extractor = RuleExtractor()
    past.importer = past.another()
    await past.lets(ADA)
    await past.take_in([a_message("My name is Ada and I have a dog", 1, at=NOON - days(1))])
    assert await past.known() == ["name is Ada"]


async def test_it_is_told_in_its_own_channel_and_enters_no_profile(past):
    await past.lets(ADA)
    await past.take_in(told("I have a dog", at=LAST_WEEK))
    (state,) = await past.rows(user_state)
    assert (state.UserNotes, state.NotesRowIds) == ("", "")
    people, settings = [Person(ADA.user_id, "Ada")], GuildSettings(GUILD)
    here = await past.reader.recall(audience(), people, "my dog", settings=settings)
    assert "dog" in here.block
    there = await past.reader.recall(
        audience(channel_id=CHANNEL + 1), people, "my dog", settings=settings
    )
    assert "dog" not in there.block


async def test_messages_of_the_past_are_no_part_of_the_talk_of_now(past, database, clock):
    await past.lets(ADA)
    recorder = make_recorder(database, clock, past.extractor)
    said = make_event("hello", message_id=FIRST_ID + 99, created_at=NOON)
    await recorder.record(said, audience())
    await recorder.record(make_answer(said, "hi"), audience())
    await past.take_in(told("I have a dog", at=NOON - timedelta(minutes=5)))
    assert [turn.text for turn in await last_turns(database, clock)] == ["hello", "hi"]
    later = make_event("later", created_at=NOON, id=2**62)
    found = await database.read(events.load_preceding, later)
    assert [event.text for event in found] == ["hello", "hi"]


async def test_the_live_bot_does_not_take_up_what_an_import_left(past, database, clock):
    await past.lets(ADA)
    past.extractor.failures.append(ModelRefused())
    with pytest.raises(KithError):
        await past.take_in(told("I have a dog", at=LAST_WEEK))
    recorder = make_recorder(database, clock, other := FakeExtractor())
    await recorder.start()
    await recorder.settle()
    await recorder.close()
    assert other.readings == []


# --- going on -----------------------------------------------------------------------------------


class OnlyTheFirst:
    """A gate through which one goes, and nobody after them."""

    def __init__(self):
        self.is_open = True

    async def wait(self):
        if not self.is_open:
            await asyncio.Event().wait()
        self.is_open = False


async def test_broken_off_in_the_middle_it_goes_on_and_reads_each_once(past):
    await past.lets(ADA)
    messages = told(*(f"I have dog {one}" for one in range(6)), at=LAST_WEEK)
    past.extractor.gate = OnlyTheFirst()
    importing = asyncio.create_task(past.take_in(messages))
    while not await past.known():
        pass  # the first is being read
    importing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await importing
    past.importer, past.extractor.gate = past.another(), None
    past.extractor.readings.clear()
    assert (await past.take_in(messages)).stored == 0
    assert len(past.extractor.readings) == 5
    assert len(await past.known()) == 6
    (note,) = await past.rows(history_import)
    assert note.FinishedAt == past.clock.now()


async def test_two_imports_of_a_channel_do_not_run_at_once(past, monkeypatch):
    monkeypatch.setattr(import_service, "LEASE_WAIT_S", 0.0)
    await past.lets(ADA)
    messages = told("I have a dog", at=LAST_WEEK)
    async with held_up(past.extractor, past.take_in(messages)):
        with pytest.raises(BadInput, match="Another import of the channel of past"):
            await past.another().import_file(past.folder / "past.json", Silence())


async def test_where_the_budget_is_used_up_it_says_so_and_goes_on_later(past):
    await past.lets(ADA)
    messages = told("I have a dog", at=LAST_WEEK)
    past.extractor.failures.append(BudgetSpent())
    with pytest.raises(KithError) as caught:
        await past.take_in(messages)
    assert str(caught.value) == import_service.BUDGET_USED_UP
    outcome = await past.take_in(messages)
    assert (outcome.stored, outcome.read) == (0, 1)
    assert await past.known() == ["I have a dog"]


async def test_a_member_whose_share_is_spent_rests_and_the_others_are_read(past):
    await past.lets(ADA)
    await past.lets(BOB)
    past.importer.workers = 1
    past.extractor.failures.append(BudgetSpent(is_share=True))
    messages = [
        a_message("I have a dog", 1, at=LAST_WEEK),
        a_message("I have a cat", 2, at=LAST_WEEK, by=BOB.user_id),
    ]
    outcome = await past.take_in(messages)
    assert (outcome.over_budget, outcome.waiting) == (1, 1)
    assert (await past.known(), await past.known(BOB)) == ([], ["I have a cat"])
    (note,) = await past.rows(history_import)
    assert note.FinishedAt is None
    assert (await past.take_in(messages)).waiting == 0
    assert await past.known() == ["I have a dog"]


# --- the file, and whom it is about -------------------------------------------------------------


async def test_an_export_cut_off_in_the_middle_is_read_as_far_as_it_goes(past):
    await past.lets(ADA)
    messages = told("I have a dog", "I have a cat", at=LAST_WEEK)
    file = past.file(messages)
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.index(b"I have a cat")])
    outcome = await past.importer.import_file(file, past.progress)
    assert outcome.damage.startswith("past.json is cut off or damaged after 1 messages")
    assert await past.known() == ["I have a dog"]
    assert (await past.take_in(messages, name="whole.json")).stored == 1


async def test_only_the_members_who_are_named_are_read(past):
    await past.lets(ADA)
    await past.lets(BOB)
    messages = [
        a_message("I have a dog", 1, at=LAST_WEEK),
        a_message("I have a cat", 2, at=LAST_WEEK, by=BOB.user_id),
    ]
    only_bob = (await past.take_in(messages, only=frozenset({BOB.user_id}))).skipped
    assert only_bob == {SkipReason.NOT_SELECTED: 1}
    assert (await past.known(), await past.known(BOB)) == ([], ["I have a cat"])
    await past.take_in(messages)
    assert await past.known() == ["I have a dog"]


async def test_hostile_texts_names_and_dates_are_taken_as_they_can_be(past):
    await past.lets(ADA)
    messages = [
        a_message("I have a \u0000dog\ud800", 1, at=LAST_WEEK),
        a_message("word " * 2000, 2, at=LAST_WEEK + days(1)),
        a_message("from the future", 3, at=NOON + days(1)),
    ]
    messages[0]["author"]["nickname"] = "\u202e\u0000" + "A" * 500
    outcome = await past.take_in(messages)
    assert (outcome.stored, outcome.skipped) == (2, {SkipReason.FUTURE: 1})
    for row in await past.rows(memory_event):
        assert "\u0000" not in row.Text
        assert len(row.AuthorName) <= 100


async def test_a_survey_tells_what_would_be_done_and_writes_nothing(past):
    await past.lets(ADA)
    past.file([])
    messages = [
        *told("I have a dog", "I have a cat", at=LAST_WEEK),
        a_message("mine", 9, at=LAST_WEEK, by=BOB.user_id),
        a_message("", 10, at=LAST_WEEK),
    ]
    before = await past.everything()
    found = await past.survey(messages)
    assert (found.messages, found.accepted, found.bursts) == (4, 2, 2)
    assert (found.with_consent, found.without_consent) == (1, 1)
    assert found.skipped == {SkipReason.NO_CONSENT: 1, SkipReason.NO_TEXT: 1}
    assert 2 * 1200 < found.tokens < 2 * 5000
    assert await past.everything() == before
    assert await past.rows(history_import) == []
    await past.take_in(messages)
    assert len(past.extractor.readings) == found.bursts
    assert (await past.survey(messages)).accepted == 0


async def test_a_file_of_another_server_than_named_is_refused(past):
    await past.lets(ADA)
    file = past.file(told("I have a dog", at=LAST_WEEK))
    with pytest.raises(BadInput, match="json belongs to server 1,"):
        await past.importer.import_file(file, past.progress, guild_id=GUILD + 1)


# --- and it goes again --------------------------------------------------------------------------


async def test_what_was_deleted_edited_or_forgotten_is_never_learnt_from_an_old_export(
    past, database, clock
):
    keeper, retention = past.keeper, Retention(database, clock)
    await past.lets(ADA, Consent.TEMPORARY)
    recorder = make_recorder(database, clock, past.extractor)
    texts = ["I have a dog", "I have a cat", "I have a bird", "I have a horse"]
    await recorder.start()
    for number, text in enumerate(texts):
        said = make_event(text, message_id=FIRST_ID + number, created_at=NOON)
        await recorder.record(said, audience())
        await recorder.settle()
    rows = {row.text: row.id for row in (await past.member_data.show(ADA)).rows}
    await keeper.forget(ADA, rows["I have a dog"])
    await retention.retract(GUILD, [FIRST_ID + 1])
    edited = make_event("I have a fish", message_id=FIRST_ID + 2, created_at=NOON, revision=9)
    assert await retention.revise(edited, lambda: recorder.record(edited, audience()))
    await recorder.settle()
    await recorder.close()
    clock.advance(days(40).total_seconds())
    await prune(database, clock, WritePolicy())
    await past.lets(ADA, Consent.LASTING)
    assert await past.rows(memory_event) == []
    assert (await past.take_in(told(*texts, at=NOON))).skipped == {SkipReason.ALREADY_STORED: 3}
    assert {*await past.known()} - {"I have a fish"} == {"I have a horse"}
    assert len(await past.rows(tombstone)) == 3


async def test_an_edited_message_of_the_past_is_taken_back_and_not_heard_as_a_new_one(past):
    await past.lets(ADA)
    await past.take_in(told("I have a dog", at=LAST_WEEK))
    heard = []

    async def hear():
        heard.append(1)

    edited = make_event("I have a cat", message_id=FIRST_ID, created_at=LAST_WEEK, revision=9)
    assert await Retention(past.database, past.clock).revise(edited, hear)
    assert (await past.known(), heard) == ([], [])
    last = await past.database.read(channels.load_last_revision, GUILD, FIRST_ID)
    assert (last.text, last.is_talk) == ("", False)


async def test_notes_of_old_imports_and_what_was_never_read_are_pruned(past):
    await past.lets(ADA)
    past.extractor.failures.append(ModelRefused())
    with pytest.raises(KithError):
        await past.take_in(told("I have a dog", at=LONG_AGO))
    (event,) = await past.rows(memory_event)
    assert (event.State, event.ExpiresAt) == (EventState.IMPORTING, NOON + days(7))
    past.clock.advance(days(91).total_seconds())
    await prune(past.database, past.clock, WritePolicy())
    assert await past.rows(memory_event) == []
    assert await past.rows(history_import) == []

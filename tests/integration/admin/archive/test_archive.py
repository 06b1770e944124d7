"""Archives: out of one database and into another, whole, once, and never more than may be."""

import asyncio
import errno
import hashlib
import json
import os
import shutil
import zipfile
from collections import Counter
from datetime import timedelta
from unittest.mock import patch

import pytest
from sqlalchemy import insert, select, update

from tests.fakes.builders import GUILD, make_event, make_guild_settings, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.memory.member_data.test_control import said
from tests.integration.residue import ADA, BOB, HERE, Household, files_of
from tests.rows import each_row
from utils.admin.archive import importer
from utils.admin.archive.archive import Archive
from utils.admin.archive.files import ArchiveWriter
from utils.admin.archive.import_memories import OVER_CAP
from utils.admin.archive.import_rules import (
    ERASED,
    EXPIRED,
    FROM_THE_FUTURE,
    KNOWN,
)
from utils.admin.browser import Browser
from utils.common.errors import BadInput, KithError
from utils.conversation.personas import PersonaService
from utils.database.admin import history_import
from utils.database.core.engine import Database
from utils.database.erasure import confidences
from utils.database.erasure import consent as member_consent
from utils.database.erasure.inventory import Part
from utils.database.memories import contexts, members
from utils.database.messages import open_loops
from utils.database.privacy import erasure_ledger
from utils.database.privacy.tombstones import FINAL_REVISION
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.episodes_tables import open_loop
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_context,
    memory_event,
    metadata,
    tombstone,
    user_memory,
    user_state,
)
from utils.guilds.known_members import KnownMembers
from utils.memory.policy.write_policy import EVENT_DAYS
from utils.memory.privacy import erasure_ledger_file
from utils.memory.privacy.erasure_replay import replay_all
from utils.models.admin import MemoryEdit
from utils.models.episode import LoopKind, OpenLoop
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, ContextRef, Form, Member, Status
from utils.models.operator import EXPORTED, IMPORTED, OPERATOR, Erasure, ErasureKind
from utils.models.policy import WritePolicy
from utils.models.recall import Person

STRANGER_SERVER = GUILD + 7


async def tell_everything(household):
    """Let Ada and Bob say what the archives of these tests hold."""
    await household.move_in()
    await household.tell("home: lives in Rome")
    await household.tell("home: lives in Oslo")
    await household.tell("has a dog named Rex")
    await household.tell("likes tea", BOB)


@pytest.fixture(scope="module")
def told_template(sqlite_template, tmp_path_factory):
    """A SQLite file in which everything was said, made once and copied for each test."""
    file = tmp_path_factory.mktemp("told") / "kith.db"
    shutil.copyfile(sqlite_template, file)

    async def make():
        clock = ManualClock()
        database = Database(f"sqlite:///{file}", pool_size=2, clock=clock)
        await database.open()
        household = Household(database, f"sqlite:///{file}", clock)
        await tell_everything(household)
        await household.recorder.close()
        await database.close()

    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(make())
    return file


@pytest.fixture
def told_url(request, database_url):
    """The URL of a database in which everything was said, or on a server will be."""
    for file in files_of(database_url):
        shutil.copyfile(request.getfixturevalue("told_template"), file)
    return database_url


@pytest.fixture
async def home(told_url):
    clock = ManualClock()
    database = Database(told_url, pool_size=2, clock=clock)
    await database.open()
    household = Household(database, told_url, clock)
    await (household.recorder.start() if files_of(told_url) else tell_everything(household))
    yield household
    await household.recorder.close()
    await database.close()


@pytest.fixture
async def elsewhere(sqlite_template, tmp_path, home):
    """Another, empty database, and the same clock."""
    file = tmp_path / "elsewhere" / "kith.db"
    file.parent.mkdir()
    shutil.copyfile(sqlite_template, file)
    database = Database(f"sqlite:///{file}", pool_size=2, clock=home.clock)
    await database.open()
    yield Household(database, f"sqlite:///{file}", home.clock)
    await database.close()


def of(home, **given):
    ledger_file = given.pop("ledger_file", None)
    return Archive(home.database, home.clock, make_rules(**given), ledger_file)


async def exported(home, tmp_path, name="made", **scope):
    await of(home).export(tmp_path / name, **scope)
    return tmp_path / name


ROWS = "rows.jsonl"


def rows_in(place):
    """The rows of an archive in their order, each with the name of its table."""
    return [
        next(iter(json.loads(line).items())) for line in (place / ROWS).read_text().splitlines()
    ]


def lines(place, table="UserMemory"):
    """The rows of one table."""
    return [row for name, row in rows_in(place) if name == table]


def beside(place, uid, table):
    """The rows of a table that belong to a memory."""
    return [row for row in lines(place, table) if row["MemoryId"] == uid]


def rewritten(place, change):
    """Change an archive's rows, and make the manifest fit: as somebody does who means to."""
    written([*change(rows_in(place))], place)


def written(rows, place):
    stated(
        place,
        b"".join(json.dumps({name: row}).encode() + b"\n" for name, row in rows),
        Counter(name for name, _ in rows),
    )


def manifest_of(place):
    return json.loads((place / "manifest.json").read_text())


def stated(place, data, rows):
    (place / ROWS).write_bytes(data)
    manifest = manifest_of(place)
    manifest |= {"rows": rows, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (place / "manifest.json").write_text(json.dumps(manifest))


def changed(place, table="UserMemory", line=0, **values):
    """Change values of a table's row in an archive."""

    def change(rows):
        number = [n for n, (name, _) in enumerate(rows) if name == table][line]
        rows[number] = (table, rows[number][1] | values)
        return rows

    rewritten(place, change)


async def told(home, member=ADA):
    """What is shown, why, and what was done, but for the numbers of rows."""
    files = json.loads((await home.member_data.export(member, home.clock.now().tzinfo)).json)[
        "payload"
    ]
    texts = {one["id"]: one["text"] for one in files["memories"]}
    for one in files["memories"]:
        one["superseded_by"] = texts.get(one["superseded_by"])
        del one["id"]
    deeds = [
        (one["at"], one["actor_id"], one["action"], texts.get(one["memory_id"]), one["after"])
        for one in files["audit"]
        if one["action"] != "imported"
    ]
    return (
        files["memories"],
        sorted(deeds, key=str),
        sorted((one["message_id"], one["text"]) for one in files["messages"]),
        files["profile"],
        files["consent"],
    )


async def recalled(home, words):
    return (
        await home.reader.recall(
            HERE, [Person(ADA.user_id, "Ada")], words, settings=GuildSettings(GUILD)
        )
    ).block


async def rows_of(database):
    def unit(connection):
        return {
            table.name: connection.execute(select(table)).all()
            for table in metadata.sorted_tables
            if table.name not in ("Lease", "UserState")
        }

    return await database.read(unit)


async def with_context(home):
    """Let what Ada said of her dog rest on a message and on Oslo."""
    await home.database.write(
        lambda connection: connection.execute(
            update(user_memory)
            .where(user_memory.c.Memory.like("has a dog%"))
            .values(Form=Form.QUOTE)
        )
    )
    ids = {row.text: row.id for row in (await home.member_data.show(ADA)).rows}
    dog, oslo = ids["has a dog named Rex"], ids["lives in Oslo"]

    await home.database.write(
        lambda s: contexts.add_context(
            s,
            GUILD,
            dog,
            [ContextRef(message_id=77, author_id=BOB.user_id), ContextRef(memory_id=oslo)],
        )
    )


async def contexts_of_notes(home):
    """What notes rest on, with texts for the numbers of rows."""
    texts = {row.id: row.text for row in (await home.member_data.show(ADA)).rows}
    context = memory_context.c
    refs = await home.database.read(
        lambda s: s.execute(
            select(context.MemoryId, context.ContextMessageId, context.ContextMemoryId)
        ).all()
    )
    return sorted((texts[row[0]], row[1], texts.get(row[2])) for row in refs)


@pytest.mark.parametrize(
    "consents", [(Consent.LASTING,), (Consent.OFF,), (Consent.OFF, Consent.LASTING)]
)
async def test_what_notes_rest_on_arrives_if_its_author_allows_it(
    home, elsewhere, tmp_path, consents
):
    await with_context(home)
    for consent in consents:
        await elsewhere.keeper.set_consent(BOB, consent)
    await of(elsewhere).import_(await exported(home, tmp_path))
    assert await contexts_of_notes(elsewhere) == (
        [("has a dog named Rex", 0, "lives in Oslo"), ("has a dog named Rex", 77, None)]
        if consents == (Consent.LASTING,)
        else []
    )


# --- there and back -----------------------------------------------------------------------------


async def test_a_note_whose_context_was_erased_here_does_not_come_back(home, elsewhere, tmp_path):
    await with_context(home)
    made = await exported(home, tmp_path)
    await elsewhere.database.write(
        lambda connection: connection.execute(
            insert(tombstone).values(
                GuildId=GUILD, MessageId=77, UserId=BOB.user_id, Revision=FINAL_REVISION
            )
        )
    )
    await of(elsewhere).import_(made)
    shown = [row.text for row in (await elsewhere.member_data.show(ADA)).rows]
    assert "has a dog named Rex" not in shown
    assert "lives in Oslo" in shown


@pytest.mark.parametrize("name", ["made", "made.zip"])
async def test_everything_of_a_member_arrives(home, elsewhere, tmp_path, name):
    first = next(row.id for row in (await home.member_data.show(ADA)).rows if "Rex" in row.text)
    await home.keeper.correct(ADA, first, said("has a dog named Max"))
    place = await exported(home, tmp_path, name)
    preview = await of(elsewhere).preview(place)
    assert sorted(await elsewhere.known()) == []
    arrived = await of(elsewhere).import_(place)
    assert (arrived.new, arrived.left_out) == (preview.new, preview.left_out)
    for member in (ADA, BOB):
        assert await told(elsewhere, member) == await told(home, member)
    assert await elsewhere.known() == ["has a dog named Max", "lives in Oslo"]
    assert await elsewhere.profile() == await home.profile()
    for words in ("where do I live?", "what is my dog called?"):
        there, here = await recalled(elsewhere, words), await recalled(home, words)
        assert here
        # What is still being talked of at home is no news there; elsewhere it is the past.
        assert there.partition("\nSaid: ")[0] == here


MODERATOR = 900
EVERY_ACTOR = (0, ADA.user_id, MODERATOR, OPERATOR)  # Kith, a member, a moderator, the operator


async def let_everyone_act(home):
    """Let every kind of actor do once whatever an archive names its actor for."""
    settings = make_guild_settings(home.database, home.clock, WritePolicy())
    personas = PersonaService(home.database, home.clock, settings)
    names = KnownMembers(home.database, home.clock)
    browser = Browser(home.database, home.clock, make_rules(), home.keeper, names)
    for number, actor in enumerate(EVERY_ACTOR):
        home.clock.advance(hours=1)
        await settings.set_policy(GUILD, {"cap": 40 + number}, actor_id=actor, reason="more")
        await settings.restore_policy(GUILD, 1, actor, "as it was")
        await settings.set_policy(GUILD, {"cap": 50 + number}, actor_id=actor, reason="more")
        await settings.set_values(
            GUILD, tool_servers=[*(f"tool-{n}" for n in range(number + 1))], actor_id=actor
        )
        for turned in (True, False):
            await settings.set_values(GUILD, frozen=turned, actor_id=actor)
            await settings.ignore(BOB, ignored=turned, actor_id=actor)
        await settings.note_look(GUILD, [ADA.user_id, BOB.user_id], actor)
        await personas.create(GUILD, f"mode-{number}", "Be brief.", actor_id=actor)
        await personas.edit(GUILD, "mode-0", f"Be brief, says {number}.", actor_id=actor)
        for name, is_approved in (("boat", True), ("car", False)):
            await home.tell(f"owns {name} {number}")
            memory_id = await number_of(home, f"owns {name} {number}")
            await browser.change(memory_id, MemoryEdit(status=Status.PROPOSED))
            await home.keeper.review(GUILD, memory_id, is_approved, actor)
        await home.tell(f"owns kite {number}")
        await home.keeper.forget(ADA, await number_of(home, f"owns kite {number}"), actor_id=actor)
        await home.tell(f"owns drum {number}")
        newest, *_ = await home.member_data.messages(ADA)
        await home.keeper.forget_message(ADA, newest.id, actor_id=actor)
    await browser.change(
        await number_of(home, "has a dog named Rex"),
        MemoryEdit(text="has a dog named Max"),
        "it was misheard",
    )
    await browser.record_view(ADA, BOB)
    await browser.record_operator_action(EXPORTED, GUILD)
    await home.keeper.correct(BOB, await number_of(home, "likes tea", BOB), said("likes coffee"))
    await home.keeper.undo(BOB, await number_of(home, "likes coffee", BOB))
    await home.keeper.set_consent(BOB, Consent.LASTING)
    await personas.refuse_roasts(BOB, refused=True)
    await settings.set_mode(GUILD, "mode-0")


async def number_of(home, text, member=ADA):
    (row,) = [row for row in (await home.member_data.show(member)).rows if row.text == text]
    return row.id


async def test_what_everyone_did_in_a_server_is_exported_imported_and_exported_as_it_was(
    home, elsewhere, tmp_path
):
    await let_everyone_act(home)
    made = await exported(home, tmp_path)
    assert (await of(elsewhere).import_(made)).left_out == {}
    again = await exported(elsewhere, tmp_path, "again")
    actors = {str(actor) for actor in EVERY_ACTOR}
    assert {one["ActorId"] for one in lines(made, "PolicyVersion")} == actors
    assert {one["CreatedById"] for one in lines(made, "Persona")} == actors
    deeds = lines(made, "MemoryAudit")
    for of_memory in (True, False):
        doers = {one["ActorId"] for one in deeds if (one["MemoryId"] is None) is not of_memory}
        assert doers == actors | {str(BOB.user_id)}

    def unmarked(place):
        return [(name, row) for name, row in rows_in(place) if row.get("Action") != IMPORTED]

    assert unmarked(again) == unmarked(made)


@pytest.mark.parametrize("asks_there", [False, True])
async def test_what_was_told_in_confidence_stays_so_where_it_arrives(
    home, elsewhere, tmp_path, asks_there
):
    rows = (await home.member_data.show(ADA)).rows
    message_ids = [
        entry.message_id
        for row in rows
        if "Rex" in row.text
        for entry in (await home.member_data.why(ADA, row.id)).evidence
    ]
    await home.database.write(
        confidences.mark,
        member=ADA,
        message_ids=[] if asks_there else message_ids,
        now=home.clock.now(),
    )
    await of(elsewhere).import_(await exported(home, tmp_path, "archive"))
    if asks_there:
        wish = make_event("don't tell anyone about Rex", message_id=max(message_ids) + 99)
        await elsewhere.recorder.record(wish, HERE)
    assert await elsewhere.database.read(confidences.marked, GUILD, message_ids) == message_ids
    assert "Rex" in str((await elsewhere.member_data.show(ADA)).rows)
    shown = await elsewhere.member_data.show(ADA, for_others=True)
    assert "Oslo" in str(shown.rows)
    assert "Rex" not in f"{shown.profile} {shown.rows}"


async def test_a_broken_off_import_goes_on(home, elsewhere, tmp_path, monkeypatch):
    monkeypatch.setattr(importer, "BATCH", 1)
    monkeypatch.setattr(importer, "MEMORY_BATCH", 1)
    monkeypatch.setattr(importer, "PAUSE_EVERY", 1)
    for n in range(5):
        await home.tell(f"owns boat {n}")
    place = await exported(home, tmp_path)
    left = 0

    async def dies(seconds):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(elsewhere.clock, "sleep", dies)
    broken_off = 0
    for alive_for in range(0, 100, 3):
        left = alive_for
        try:
            await of(elsewhere).import_(place)
            break
        except KeyboardInterrupt:
            broken_off += 1
    assert broken_off > 4
    for member in (ADA, BOB):
        assert await told(elsewhere, member) == await told(home, member)


async def test_only_a_server_or_a_person_is_exported_where_they_are_named(home, tmp_path):
    other = BOB.__class__(STRANGER_SERVER, ADA.user_id)
    await home.keeper.set_consent(other, Consent.LASTING)
    await home.tell("has a bird", other)
    assert len(lines(await exported(home, tmp_path, "all"))) == 5
    assert {
        one["GuildId"]
        for _, one in rows_in(await exported(home, tmp_path, "server", guild_id=GUILD))
    } == {str(GUILD)}
    of_ada = await exported(home, tmp_path, "ada", user_id=ADA.user_id)
    assert {one["UserId"] for one in lines(of_ada)} == {str(ADA.user_id)}
    assert len(lines(of_ada)) == 4
    assert lines(of_ada, "GuildSettings") == []
    assert [
        one["Memory"]
        for one in lines(
            await exported(home, tmp_path, "both", user_id=BOB.user_id, guild_id=GUILD)
        )
    ] == ["likes tea"]


async def test_an_export_to_a_full_disk_is_one_sentence_and_leaves_nothing(
    home, tmp_path, monkeypatch
):
    def full(self, lines):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(ArchiveWriter, "write", full)
    with pytest.raises(KithError, match=r"cannot be written \(No space left on device\)"):
        await exported(home, tmp_path)
    assert list(tmp_path.glob("made*")) == []


# --- what may not come in -----------------------------------------------------------------------


async def reasons(there, place):
    return {why for (name, why) in (await of(there).import_(place)).left_out if why != KNOWN}


async def nothing_of(there, member=ADA):
    columns = user_memory.c
    rows = await there.database.read(
        lambda s: s.execute(
            select(columns.Id).where(columns.UserId == member.user_id, is_not_empty(columns.Memory))
        ).all()
    )
    said_then = await there.database.read(
        lambda s: s.execute(
            select(memory_event.c.Id).where(
                memory_event.c.AuthorId == member.user_id, is_not_empty(memory_event.c.Text)
            )
        ).all()
    )
    return not rows and not said_then


@pytest.mark.parametrize("way", ["forget all", "off", "erase", "each forgotten", "deleted"])
async def test_what_was_erased_here_does_not_come_back(home, tmp_path, way):
    place = await exported(home, tmp_path)
    home.clock.advance(minutes=1)
    match way:
        case "forget all":
            await home.keeper.forget_all(ADA)
        case "off":
            await home.keeper.set_consent(ADA, Consent.OFF)
        case "erase":
            await home.retention.erase_member(ADA.user_id)
        case "each forgotten":
            for row in (await home.member_data.show(ADA)).rows:
                await home.keeper.forget(ADA, row.id)
        case "deleted":
            for one in lines(place, "MemoryEvent"):
                if one["AuthorId"] == str(ADA.user_id):
                    await home.keeper.retention.retract(GUILD, [int(one["MessageId"])])
    await of(home).import_(place)
    assert await nothing_of(home)
    assert await home.known(BOB) == ["likes tea"]


async def test_a_reminder_comes_also_if_another_of_its_message_has_its_words(
    home, elsewhere, tmp_path
):
    short, long = [
        OpenLoop(
            ADA, 1, 1, 7, LoopKind.REMINDER, text, now := home.clock.now(), now + timedelta(days=9)
        )
        for text in ("water", "water the plants")
    ]
    for place, loop in ((home, short), (home, long), (elsewhere, long)):
        await place.database.write(open_loops.insert_loop, loop)
    made = await exported(home, tmp_path)
    assert (await of(elsewhere).import_(made)).new[open_loop.name] == 1


@pytest.mark.parametrize("after_s", [60, -60])  # the older archive; Kith may see an edit later
async def test_an_edit_that_only_a_later_archive_knows_of_counts(
    home, elsewhere, tmp_path, after_s
):
    older, later = [await exported(home, tmp_path, name) for name in ("older", "later")]
    edit = {"Revision": str(round((home.clock.now().timestamp() + after_s) * 1000))}
    buried = [
        ("Tombstone", {key: row[key] for key in ("GuildId", "MessageId")} | edit | {"UserId": "10"})
        for row in lines(older, "MemoryEvidence")
    ]
    rewritten(later, lambda _: buried)
    for place in (later, older):
        await of(elsewhere).import_(place)
    assert await elsewhere.known() == []


async def test_what_was_said_after_an_erasure_may_come_back(home, elsewhere, tmp_path):
    await home.keeper.forget_all(ADA)
    home.clock.advance(minutes=1)
    await home.tell("plays chess")
    place = await exported(home, tmp_path)
    await elsewhere.database.write(
        erasure_ledger.record,
        Erasure(home.clock.now() - timedelta(seconds=30), ErasureKind.SAID, GUILD, ADA.user_id),
    )
    await of(elsewhere).import_(place)
    assert await elsewhere.known() == ["plays chess"]
    # Discord's history is imported from then on, too.
    assert await elsewhere.database.read(history_import.erased_until, GUILD, [ADA.user_id]) == {
        ADA.user_id: home.clock.now() - timedelta(minutes=1)
    }


def with_server_facts(rows):
    """Return an archive's rows, and two memories of the server, told by its first and last member.

    A third one repeats in the first member's words what the last one told.
    """
    fact = dict(rows)["UserMemory"] | {"UserId": "0", "Kind": "server_fact"}
    told = [dict(order)["MemoryEvidence"] for order in (rows, reversed(rows))]
    of_server = [
        (table, row | {key: uid * 32})
        for uid, text, evidence in (("f", "last", 0), ("e", "first", 1), ("d", "last", 1))
        for table, key, row in (
            ("UserMemory", "Uid", fact | {"Memory": text}),
            ("MemoryEvidence", "MemoryId", told[evidence]),
        )
    ]
    return [*of_server, *rows]


async def test_consent_ignored_and_frozen_are_respected(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    rewritten(place, with_server_facts)
    await elsewhere.keeper.set_consent(ADA, Consent.OFF)
    await elsewhere.database.write(members.set_ignored, BOB, ignored=True)
    assert await of(elsewhere).preview(place) == await of(elsewhere).import_(place)
    assert await reasons(elsewhere, place) == {
        "of members who want nothing stored",
        "of members whom moderators had ignored",
        ERASED,
    }
    assert all([await nothing_of(elsewhere, one) for one in (ADA, BOB, Member(GUILD, 0))])
    await elsewhere.database.write(members.set_ignored, BOB, ignored=False)
    book = make_guild_settings(elsewhere.database, elsewhere.clock, WritePolicy())
    await book.set_values(GUILD, frozen=True)
    assert await reasons(elsewhere, place) == {"of a frozen server"}
    assert await nothing_of(elsewhere, BOB)
    await book.set_values(GUILD, frozen=False)
    assert await reasons(elsewhere, place) == {"of members who want nothing stored", ERASED}
    assert [await elsewhere.known(who) for who in (BOB, Member(GUILD, 0))] == [
        ["likes tea"],
        ["last"],
    ]


async def test_who_refuses_during_an_import_is_in_no_memory_of_the_server(
    home, elsewhere, tmp_path
):
    rewritten(place := await exported(home, tmp_path), with_server_facts)
    write = elsewhere.database.write

    async def write_after_refusal(unit, *given, **named):
        if given[:2] == (Member(GUILD, 0), Part.MEMORIES):
            await elsewhere.keeper.set_consent(BOB, Consent.OFF)
        return await write(unit, *given, **named)

    with patch.object(elsewhere.database, "write", write_after_refusal):
        await of(elsewhere).import_(place)
    assert await elsewhere.known(Member(GUILD, 0)) == ["first", "last"]


async def test_who_is_off_or_ignored_where_it_was_made_is_so_where_it_arrives(
    home, elsewhere, tmp_path
):
    await home.keeper.set_consent(ADA, Consent.OFF)
    await home.database.write(members.set_ignored, BOB, ignored=True)
    await home.database.write(members.choose, BOB, never_first=True)
    await home.database.write(members.choose, BOB, not_findable=True)
    assert await of(elsewhere).preview(place := await exported(home, tmp_path)) == await of(
        elsewhere
    ).import_(place)
    assert await elsewhere.database.read(
        members.refuse_first_words, GUILD, [ADA.user_id, BOB.user_id]
    ) == {BOB.user_id}
    assert (await elsewhere.database.read(member_consent.load_choices, BOB)).not_findable
    for member in (ADA, BOB):
        assert await elsewhere.database.read(members.effective_consent, member) is Consent.OFF


async def test_consent_that_arrives_as_less_is_obeyed_and_entered(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    await of(elsewhere).import_(place)
    await elsewhere.database.write(lambda s: s.execute(user_state.update().values(Consent=None)))
    whose = [one["UserId"] for one in lines(place, "UserState")]
    adas, bobs = whose.index(str(ADA.user_id)), whose.index(str(BOB.user_id))
    changed(place, "UserState", adas, Consent="off", PassiveOptIn=True)
    changed(place, "UserState", bobs, Consent="temporary")
    refusal = ("PassiveRefusal", {"GuildId": str(GUILD), "UserId": str(BOB.user_id)})

    def refuse(rows):
        at = rows.index(("UserState", lines(place, "UserState")[bobs]))
        return [*rows[: at + 1], refusal, *rows[at + 1 :]]

    rewritten(place, refuse)
    await of(elsewhere).import_(place)
    await of(elsewhere).import_(place)  # and once only

    def unit(connection):
        ends = select(user_memory.c.ExpiresAt).where(user_memory.c.UserId == BOB.user_id)
        entered = [erasure_ledger.entries_of(connection, GUILD, one.user_id) for one in (ADA, BOB)]
        return (
            member_consent.load_choices(connection, ADA).passive_opt_in,
            set(connection.scalars(ends)),
            [{one.kind for one in some} for some in entered],
            sum(map(len, entered)),
        )

    assert await nothing_of(elsewhere)
    assert await elsewhere.database.read(unit) == (
        False,
        {home.clock.now() + timedelta(days=30)},
        [{ErasureKind.OFF}, {ErasureKind.SHORTER, ErasureKind.UNHEARD}],
        3,
    )


async def test_where_nothing_may_be_stored_only_what_restricts_arrives(home, elsewhere, tmp_path):
    await home.keeper.set_consent(ADA, Consent.OFF)
    home.clock.advance(days=1)
    await home.keeper.set_consent(ADA, Consent.LASTING)
    await home.keeper.set_consent(BOB, Consent.OFF)
    await PersonaService(
        home.database, home.clock, make_guild_settings(home.database, home.clock, WritePolicy())
    ).refuse_roasts(BOB, refused=True)
    deleted = {"GuildId": GUILD, "MessageId": 7, "UserId": ADA.user_id, "Revision": FINAL_REVISION}
    await home.database.write(lambda s: s.execute(insert(tombstone), deleted))
    place = await exported(home, tmp_path)
    for line, deed in enumerate(lines(place, "MemoryAudit")):
        if deed["MemoryId"] is None:
            changed(place, "MemoryAudit", line, Before="words")
    assert "words" in {deed["Before"] for deed in lines(place, "MemoryAudit")}
    await make_guild_settings(elsewhere.database, elsewhere.clock, WritePolicy()).set_values(
        GUILD, frozen=True
    )
    await of(elsewhere).import_(place)

    def unit(connection):
        of_members = memory_audit.c.UserId != 0  # not that the server was frozen
        choices = [member_consent.load_choices(connection, one) for one in (ADA, BOB)]
        return (
            {
                *connection.scalars(select(memory_audit.c.Before).where(of_members)),
                *connection.scalars(select(user_state.c.LastSeenAt)),
            },
            [(choice.consent, choice.refuses_roasts) for choice in choices],
            history_import.erased_until(connection, GUILD, [ADA.user_id, BOB.user_id]),
            list(connection.scalars(select(tombstone.c.MessageId))),
        )

    assert await elsewhere.database.read(unit) == (
        {None},
        [(None, False), (Consent.OFF, True)],
        # What they said before, or while memory was off, is not to be imported later,
        {ADA.user_id: home.clock.now(), BOB.user_id: home.clock.now()},
        [7],  # nor is this
    )


async def test_a_choice_made_here_wins_and_its_ends_hold(home, elsewhere, tmp_path):
    await elsewhere.keeper.set_consent(ADA, Consent.TEMPORARY)
    place = await exported(home, tmp_path)
    await of(elsewhere).import_(place)
    assert await elsewhere.database.read(
        lambda s: set(
            s.scalars(select(user_memory.c.ExpiresAt).where(user_memory.c.UserId == ADA.user_id))
        )
    ) == {home.clock.now() + timedelta(days=30)}
    home.clock.advance(days=31)
    fresh = Household(elsewhere.database, elsewhere.url, home.clock)
    await fresh.prune()
    assert await nothing_of(fresh)
    assert EXPIRED in await reasons(fresh, place)


async def test_a_message_or_plan_ends_no_later_than_the_archive_says(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    soon, later = (home.clock.now() + timedelta(days=days) for days in (2, 200))
    changed(place, "MemoryEvent", ExpiresAt=soon.isoformat())
    changed(place, "MemoryEvent", 1, ExpiresAt=NEVER)
    changed(place, "UserMemory", Kind="task", ExpiresAt=later.isoformat())
    rewritten(place, with_server_facts)
    await of(elsewhere).import_(place)
    messages, plans = await elsewhere.database.read(
        lambda s: [
            s.scalars(select(table.c.ExpiresAt).order_by(table.c.Id)).all()
            for table in (memory_event, user_memory)
        ]
    )
    assert messages[:2] == [soon, home.clock.now() + timedelta(days=EVENT_DAYS[Consent.LASTING])]
    assert {later, home.clock.now() + timedelta(days=90)} <= {*plans}


async def test_the_cap_holds_and_what_is_never_kept_is_not(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    changed(place, line=2, Memory="my password is hunter22 for the bank")
    small = Archive(elsewhere.database, elsewhere.clock, make_rules(WritePolicy(cap=1)), None)
    assert (await small.import_(place)).left_out["UserMemory", "never kept (secret)"] == 1
    assert await elsewhere.known() == ["lives in Oslo"]
    changed(place, line=2, Memory="owns a boat")
    assert (await small.import_(place)).left_out["UserMemory", OVER_CAP] == 1
    with pytest.raises(BadInput, match="read-only"):
        await of(elsewhere, read_only=True).import_(place)


@pytest.mark.parametrize(
    ("verifier", "confidence", "status"),
    [("model", 0.9, Status.ACTIVE), ("none", 0.0, Status.PROPOSED)],
)
async def test_a_note_arrives_no_surer_than_its_evidence_makes_it(
    home, elsewhere, tmp_path, verifier, confidence, status
):
    place = await exported(home, tmp_path)
    (tea,) = [row for row in lines(place) if row["Memory"] == "likes tea"]
    at = lines(place, "MemoryEvidence").index(*beside(place, tea["Uid"], "MemoryEvidence"))
    changed(place, "UserMemory", lines(place).index(tea), Confidence=1.0, Status="active")
    changed(place, "MemoryEvidence", at, VerifiedBy=verifier)
    await of(elsewhere).import_(place)
    (row,) = (await elsewhere.member_data.show(BOB)).rows
    assert (row.confidence, row.status) == (confidence, status)


async def test_a_row_of_another_member_is_not_taken_over(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    await of(elsewhere).import_(place)

    def of_somebody_else(rows):
        for _, row in rows:
            if row.get("UserId") == str(BOB.user_id):
                row["UserId"] = "31337"
        return rows

    rewritten(place, of_somebody_else)
    assert (await of(elsewhere).import_(place)).left_out[
        "UserMemory", "stored for another member here"
    ] == 1
    assert await elsewhere.known(BOB) == ["likes tea"]


async def test_an_archive_does_not_make_another_members_row_the_past(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    await of(elsewhere).import_(place)
    bobs = next(one for one in lines(place) if one["Memory"] == "likes tea")
    adas = next(one for one in lines(place) if one["Memory"].startswith("has a dog"))
    (ground,) = beside(place, adas["Uid"], "MemoryEvidence")
    new = adas | {"Uid": "e" * 32, "Memory": "something else"}
    grab = bobs | {"UserId": adas["UserId"], "Status": "superseded", "SupersededById": "e" * 32}
    written(
        [
            *(("UserMemory", row) for row in (new, grab)),
            *(("MemoryEvidence", ground | {"MemoryId": row["Uid"]}) for row in (new, grab)),
        ],
        place,
    )
    await of(elsewhere).import_(place)
    assert await elsewhere.database.read(
        lambda s: s.scalars(
            select(user_memory.c.SupersededById).where(user_memory.c.UserId == BOB.user_id)
        ).all()
    ) == [None]


@each_row(
    ("table", "values", "words"),
    [
        ("GuildSettings", {"TimeZone": "Mars/Phobos"}, "'TimeZone' must be a time zone"),
        ("GuildSettings", {"Mode": "nasty"}, "'Mode' must name a row above"),
        ("PolicyVersion", {"Policy": "garbage"}, "'Policy' must be a write policy"),
        ("GuildSettings", {"PolicyVersion": 7}, "'PolicyVersion' must name a row above"),
        ("GuildSettings", {"ToolServers": ["a b"]}, "'ToolServers' must be a list"),
    ],
)
async def test_what_would_break_a_server_is_refused(
    home, elsewhere, tmp_path, table, values, words
):
    place = tmp_path / "server"
    if not place.exists():
        settings = make_guild_settings(home.database, home.clock)
        personas = PersonaService(home.database, home.clock, settings)
        await personas.create(GUILD, "pirate", "Be brief.", actor_id=1)
        await settings.set_mode(GUILD, "pirate", channel_id=7)
        await settings.set_policy(GUILD, {"cap": 40}, actor_id=1, reason="more")
        await exported(home, tmp_path, "server")
    spoilt = shutil.copytree(place, tmp_path / "spoilt", dirs_exist_ok=True)
    changed(spoilt, table, **values)
    assert table in await refused(elsewhere, spoilt, words)


NEVER = "9999-12-31T00:00:00+00:00"


async def test_what_is_from_the_future_is_left_out_and_stops_nothing(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    changed(place, "MemoryEvent", CreatedAt=NEVER)
    changed(place, "MemoryEvidence", SaidAt=NEVER)
    changed(place, line=1, LastConfirmedAt=NEVER)
    left_out = (await of(elsewhere).import_(place)).left_out
    assert left_out["MemoryEvent", FROM_THE_FUTURE] == 1
    assert left_out["UserMemory", FROM_THE_FUTURE] >= 2


# --- hostile and damaged files ------------------------------------------------------------------


@pytest.fixture
async def made(home, tmp_path):
    """An archive, of which tests spoil copies."""
    return await exported(home, tmp_path)


async def refused(there, place, words):
    before = await rows_of(there.database)
    with pytest.raises(BadInput, match=words) as caught:
        await of(there).import_(place)
    assert await rows_of(there.database) == before
    return str(caught.value)


@each_row(
    ("values", "words"),
    [
        ({"Memory": 5}, "'Memory' must be"),
        ({"Memory": "\ud800"}, "'Memory' must be"),
        ({"GuildId": "-1"}, "'GuildId' must be"),
        ({"Confidence": 1.5}, "'Confidence' must be a number from 0 to 1"),
        ({"Status": "forgotten"}, "'Status' must be one of"),
        ({"CreatedAt": "yesterday"}, "'CreatedAt' must be a time"),
        ({"Confidential": "no"}, "'Confidential' must be true or false"),
        ({"Topics": None}, "'Topics' must be"),
    ],
)
async def test_a_bad_line_is_named_and_nothing_is_written(made, elsewhere, values, words):
    place = shutil.copytree(made, made.with_name("spoilt"), dirs_exist_ok=True)
    changed(place, line=2, **values)
    line = [n for n, (table, _) in enumerate(rows_in(place), 1) if table == "UserMemory"][2]
    told_why = await refused(elsewhere, place, words)
    assert told_why.startswith(f"rows.jsonl, line {line}: ")
    assert "UserMemory: " in told_why or "JSON" in told_why
    assert told_why.endswith(". Nothing was imported.")


async def test_what_is_not_what_the_manifest_says_is_refused(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    file, manifest = place / ROWS, place / "manifest.json"
    whole, said_of_it = file.read_bytes(), manifest.read_text()
    for data in (whole.replace(b"Rex", b"Max"), whole[:-10], whole + whole, b""):
        file.write_bytes(data)
        await refused(elsewhere, place, "does not match the manifest|no end")
    file.unlink()
    await refused(elsewhere, place, "does not match|no archive")
    file.symlink_to(tmp_path / "kith.db")
    await refused(elsewhere, place, "is no file")
    for words in (
        *("", "[]", "{}", "null", "[" * 90_000, said_of_it.replace("kith-archive", "other")),
        said_of_it.replace('"made_at": "', '"made_at": "x'),
        said_of_it.replace('"bytes": ', '"bytes": "a" ,"b":'),
    ):
        manifest.write_text(words)
        await refused(elsewhere, place, "not a Kith archive")
    manifest.write_text(said_of_it.replace('"version": 2', '"version": 3'))
    await refused(elsewhere, place, "update Kith first")
    await refused(elsewhere, tmp_path / "none", "There is no archive")
    (tmp_path / "text.zip").write_text("no zip")
    await refused(elsewhere, tmp_path / "text.zip", "neither a folder nor a zip file")
    await refused(elsewhere, tmp_path, "it has no manifest.json")


async def test_an_archive_of_an_earlier_format_is_refused_in_one_sentence(elsewhere, tmp_path):
    place = tmp_path / "old"
    place.mkdir()
    entry = {"lines": 1, "bytes": 2, "sha256": "ab"}
    old = {"format": "kith-archive", "version": 1, "made_at": "2026-01-01T00:00:00+00:00"}
    old |= {"scope": {"server": None, "member": None}, "files": {"servers.jsonl": entry}}
    (place / "manifest.json").write_text(json.dumps(old))
    told_why = await refused(
        elsewhere, place, "format 1; this Kith reads 2: update the Kith that made"
    )
    assert told_why.count(".") == 1


async def test_a_damaged_or_strangely_packed_zip_is_refused_in_words(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path, "made.zip")
    whole = place.read_bytes()
    for name in (ROWS, "manifest.json"):
        with zipfile.ZipFile(place) as packed:
            info = packed.getinfo(name)
        data, at = bytearray(whole), info.header_offset + 30 + len(name) + 2
        data[at : at + 40] = bytes(one ^ 0xFF for one in data[at : at + 40])
        place.write_bytes(data)
        with pytest.raises(BadInput):
            await of(elsewhere).preview(place)
        place.write_bytes(whole)
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(place) as packed, zipfile.ZipFile(other, "x", zipfile.ZIP_LZMA) as again:
        for name in packed.namelist():
            again.writestr(name, packed.read(name))
    with pytest.raises(BadInput, match="compressed in an unknown way"):
        await of(elsewhere).preview(other)


async def test_a_zip_bomb_does_not_go_off(home, elsewhere, tmp_path):
    place = await exported(home, tmp_path)
    stated(place, (b" " * 999_999 + b"\n") * 30, {"UserMemory": 30})
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for file in place.iterdir():
            packed.write(file, file.name)
    assert (tmp_path / "bomb.zip").stat().st_size < 1 << 20
    await refused(elsewhere, tmp_path / "bomb.zip", "unpacks to more than it should")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    await refused(elsewhere, tmp_path / "empty.zip", "it has no manifest.json")


async def test_a_ledger_of_another_life_is_not_done_to_what_arrives(home, elsewhere, tmp_path):
    """The same ledger file goes on after a move; a restore must not erase what was said since."""
    file = tmp_path / "ledger.jsonl"
    erasure_ledger_file.append(
        file,
        [Erasure(home.clock.now() - timedelta(days=400), ErasureKind.SAID, GUILD, ADA.user_id)],
    )
    await of(elsewhere, ledger_file=file).import_(await exported(home, tmp_path))
    assert await elsewhere.known() == await home.known() != []
    assert (await replay_all(elsewhere.database, file)).already_erased == 1
    assert await elsewhere.known() == await home.known()

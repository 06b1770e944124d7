"""The erasure ledger: every way of erasing is in it, it is mirrored into a file, and doing it all
again on an older copy of the database brings nothing back."""

import io
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from tests.fakes.builders import CHANNEL, GUILD, make_guild_settings, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.residue import ADA, BOB, WORD, Household
from tests.integration.ways_of_erasing import (
    THREAD,
    delete,
    delete_channel,
    edit,
    erase,
    forget_all,
    forget_memory,
    remove_server,
    want_nothing_kept,
)
from utils.database.core.engine import Database
from utils.database.erasure import consent as member_consent
from utils.database.memories import members
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    channel_purpose,
    memory_audit,
    memory_evidence,
    message_score,
    open_loop,
    user_memory,
    user_state,
)
from utils.database.sentiment import erasure as watch_erasure
from utils.guilds.account_links import AccountLinkService
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.privacy import erasure_ledger_file, erasure_replay, retraction
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.memory.privacy.erasure_replay import preview_replay, replay_all
from utils.models.guild import Purpose
from utils.models.memory import Consent, Member
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy

NOW = ManualClock().now()


async def entries(database):
    return [one for _, one in await database.read(erasure_ledger.entries_after, 0, 1_000)]


# --- every way of erasing -----------------------------------------------------------------------


async def number(home, word=WORD):
    return next(row.id for row in (await home.member_data.show(ADA)).rows if word in row.text)


async def shorten(home, event):
    home.clock.advance(days=31)
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)


WAYS = {
    forget_memory: {ErasureKind.MEMORY, ErasureKind.MESSAGE},
    forget_all: {ErasureKind.SAID},
    want_nothing_kept: {ErasureKind.OFF},
    shorten: {ErasureKind.SHORTER},
    delete: {ErasureKind.MESSAGE},
    edit: {ErasureKind.MESSAGE},
    delete_channel: {ErasureKind.CHANNEL, ErasureKind.MESSAGE},
    remove_server: {ErasureKind.SERVER},
    erase: {ErasureKind.MEMBER},
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_each_way_erases_all_is_in_the_ledger_and_is_done_again_on_an_older_copy(
    home, sqlite_url, tmp_path, way
):
    elsewhere = Member(GUILD + 8, ADA.user_id)
    await home.keeper.set_consent(elsewhere, Consent.LASTING)
    await home.tell("home: lives in Oslo")
    event = await home.tell(f"home: lives in {WORD}", channel_id=THREAD)
    home.clock.advance(60)
    if way is not shorten:  # which leaves what others were told until that ends
        await home.retold(ADA, f"Ada lives in {WORD}.")
    await home.tell("likes tea", BOB)
    await home.tell("likes cake", elsewhere)
    assert await entries(home.database) == []
    bobs, others = await home.snapshot(BOB), await home.snapshot(elsewhere)
    copies_are_files = home.url == sqlite_url
    older = await copied(home, tmp_path) if copies_are_files else None
    assert {"UserMemory", "MemoryEvent", "MemoryEvidence", "MemoryAudit", "UserState"} <= set(
        await home.residue()
    )
    await way(home, event)
    found = await entries(home.database)
    assert {one.kind for one in found} == WAYS[way]
    assert way is erase or {one.guild_id for one in found} == {GUILD}
    assert len(found) == len(set(found))
    assert await home.residue() == []
    if way is not remove_server:
        assert await home.snapshot(BOB) == bobs
        assert "Likes tea." in await home.profile(BOB)
    if way is not erase:
        assert await home.snapshot(elsewhere) == others
        assert await home.known(elsewhere) == ["likes cake"]
    if older is None:
        return
    live = ErasureLedger(home.database, tmp_path / "ledger.jsonl")
    await live.mirror()
    again = Household(older, f"sqlite:///{tmp_path / 'older.db'}", home.clock)
    assert "UserMemory" in await again.residue()
    replay = await replay_all(older, live.file)
    assert replay.replayed.total() and not replay.damaged and replay.is_scrubbed
    assert await again.residue() == []
    if way is not remove_server:
        assert await again.known(BOB) == ["likes tea"]
    assert set(found) <= set(await entries(older))
    twice = await replay_all(older, live.file)
    assert (twice.replayed.total(), twice.already_erased) == (0, len(found))
    await older.close()


async def copied(home, tmp_path):
    with closing(sqlite3.connect(home.files()[0].parent / "kith.db")) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copyfile(home.files()[0].parent / "kith.db", tmp_path / "older.db")
    older = Database(f"sqlite:///{tmp_path / 'older.db'}", pool_size=2, clock=home.clock)
    await older.open()
    return older


async def test_forgetting_again_spares_what_else_its_message_taught(home, tmp_path, sqlite_url):
    if home.url != sqlite_url:
        pytest.skip("copies are files")
    event = await home.tell(f"home: lives in {WORD}")
    await home.database.write(another_of, event.message_id)
    older = await copied(home, tmp_path)
    await home.keeper.forget(ADA, await number(home))
    live = ErasureLedger(home.database, tmp_path / "ledger.jsonl")
    await live.mirror()
    await replay_all(older, live.file)
    again = Household(older, f"sqlite:///{tmp_path / 'older.db'}", home.clock)
    assert await again.known() == await home.known() == ["owns a boat"]
    await older.close()


def another_of(connection, message_id):
    """Let the first row's message have taught something else as well."""
    row = dict(connection.execute(select(user_memory)).one()._mapping)
    seen = dict(connection.execute(select(memory_evidence)).one()._mapping)
    row |= {"Uid": "f" * 32, "Memory": "owns a boat", "FactKey": "boat"}
    del row["Id"], seen["Id"]
    memory_id = connection.execute(
        user_memory.insert().values(row).returning(user_memory.c.Id)
    ).scalar_one()
    connection.execute(memory_evidence.insert().values(seen | {"MemoryId": memory_id}))


async def test_choices_that_became_less_are_in_the_ledger_and_hold_again(
    home, tmp_path, monkeypatch
):
    monkeypatch.setattr(retraction, "BATCH", 1)
    file = tmp_path / "ledger.jsonl"
    books = make_guild_settings(home.database, home.clock, WritePolicy())
    await books.set_values(GUILD, consent_default=Consent.LASTING)
    links = AccountLinkService(home.database, home.clock)
    strangers = [Member(GUILD, 30), Member(GUILD, 31)]
    for stranger in strangers:
        await home.tell(f"likes {WORD}", stranger)
    await home.keeper.set_consent(ADA, passive=True)
    await links.link(ADA, BOB.user_id)
    assert await links.link(BOB, ADA.user_id)

    erasures = [
        Erasure(NOW, ErasureKind.SHORTER, GUILD),
        Erasure(NOW, ErasureKind.UNHEARD, GUILD, ADA.user_id),
        Erasure(NOW, ErasureKind.UNLINKED, GUILD, BOB.user_id),
        Erasure(NOW, ErasureKind.SHORTER, GUILD, BOB.user_id),
    ]
    erasure_ledger_file.append(file, erasures)
    assert (await replay_all(home.database, file)).replayed.total() == 4
    fresh = make_guild_settings(home.database, home.clock, WritePolicy())
    assert (await fresh.get(GUILD)).consent_default is Consent.TEMPORARY
    ends = [await home.database.read(_ends, stranger) for stranger in strangers]
    assert ends == [[NOW + timedelta(days=30)]] * 2
    choices = await home.database.read(member_consent.load_choices, ADA)
    assert (choices.passive_opt_in, choices.consent) == (False, Consent.LASTING)
    assert (await home.database.read(members.load_header, ADA)).linked_id is None
    bobs = await home.database.read(member_consent.load_choices, BOB)
    assert bobs.consent is Consent.TEMPORARY
    assert await entries(home.database) == erasures


def _ends(connection, member):
    return connection.scalars(
        select(user_memory.c.ExpiresAt).where(user_memory.c.UserId == member.user_id)
    ).all()


async def test_what_one_was_to_be_asked_about_stays_dropped(home, tmp_path):
    event = await home.tell("I have an interview")
    loops = OpenLoops(home.database, home.clock, make_rules())
    day = (home.clock.now() + timedelta(days=2)).date()
    await loops.ask_later(event, "the interview", day, home.clock.now().tzinfo)
    row = await home.database.read(lambda s: s.execute(select(open_loop)).one()._mapping)
    assert await loops.drop(ADA, row["Id"])
    (found,) = await entries(home.database)
    assert (found.kind, found.message_id) == (ErasureKind.LOOP, event.message_id)

    await home.database.write(lambda s: s.execute(open_loop.insert().values(dict(row))))
    erasure_ledger_file.append(tmp_path / "l.jsonl", [Erasure(NOW, *(_rest(found)))])
    other = Erasure(
        NOW + timedelta(1), ErasureKind.LOOP, GUILD, ADA.user_id, None, event.message_id
    )
    erasure_ledger_file.append(tmp_path / "l.jsonl", [other])
    await replay_all(home.database, tmp_path / "l.jsonl")
    assert await home.database.read(lambda s: s.execute(select(open_loop)).all()) == []


def _rest(one):
    return one.kind, one.guild_id, one.user_id, one.channel_id, one.message_id


async def test_scores_of_deleted_messages_and_reset_chapters_are_in_it(home, tmp_path):
    score = {"GuildId": GUILD, "MessageId": 77, "PlaceId": CHANNEL, "ChannelId": CHANNEL}
    score |= {"UserId": ADA.user_id, "SaidAt": NOW, "Reason": WORD}
    score |= dict.fromkeys(("Sentiment", "Toxicity", "Tension"), 0.5)
    await home.database.write(lambda s: s.execute(message_score.insert().values(score)))
    await home.database.write(watch_erasure.erase_messages, GUILD, [77, 78], NOW)
    await home.keeper.reset(GUILD, CHANNEL)
    noted = [(one.kind, one.channel_id, one.message_id) for one in await entries(home.database)]
    assert noted == [(ErasureKind.MESSAGE, None, 77), (ErasureKind.CHAPTER, CHANNEL, None)]


# --- the file -----------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    return tmp_path / "new" / "ledger.jsonl"


def told(file):
    return [one for one, _ in erasure_ledger_file.read(file)]


async def forget_message(database, message_id):
    entry = Erasure(NOW, ErasureKind.MESSAGE, GUILD, 10, None, message_id, 5)
    await database.write(erasure_ledger.record, entry)
    return entry


async def test_the_file_has_every_entry_once(database, file):
    one, other = ErasureLedger(database, file), ErasureLedger(database, file)
    assert await one.mirror() == 0
    assert not file.exists()
    made = [await forget_message(database, 1), await forget_message(database, 2)]
    assert await one.mirror() == 2
    made.append(await forget_message(database, 3))
    assert (
        await other.mirror(),
        await one.mirror(),
        await ErasureLedger(database, file).mirror(),
    ) == (
        1,
        0,
        0,
    )
    assert told(file) == made
    assert file.stat().st_mode & 0o777 == 0o600


async def test_a_long_file_is_counted_over_all_its_parts(database, file, monkeypatch):
    monkeypatch.setattr(erasure_replay, "READ_AT_ONCE", 2)
    missing, at_once = erasure_replay._missing, []

    def counting(connection, *, erasures):
        at_once.append(len(erasures))
        return missing(connection, erasures)

    monkeypatch.setattr(erasure_replay, "_missing", counting)
    entries = [
        Erasure(NOW, ErasureKind.MESSAGE, GUILD, 10, None, message_id, 5) for message_id in range(4)
    ]
    for entry in entries:
        erasure_ledger_file.append(file, [entry, entry])
        with file.open("ab") as stream:
            stream.write(b"{}\n{}\n")
    before = await preview_replay(database, file)
    assert (before.replayed.total(), before.damaged) == (8, 8)
    assert (max(at_once), sum(at_once)) == (2, 8)
    replay = await replay_all(database, file)
    assert (replay.replayed.total(), replay.already_erased, replay.damaged) == (4, 4, 8)
    again = await replay_all(database, file)
    assert (again.replayed.total(), again.already_erased, again.damaged) == (0, 8, 8)


async def test_a_database_that_gives_its_ids_out_again_loses_no_entry(database, sqlite_url, file):
    """As one does that was put back without Kith's knowledge."""
    await ErasureLedger(database, file).mirror()
    old = [Erasure(NOW, ErasureKind.OFF, GUILD, n) for n in range(1, 30)]
    erasure_ledger_file.append(file, old)
    new = await forget_message(database, 1)
    assert await ErasureLedger(database, file).mirror() == 1
    assert told(file) == [*old, new]


async def test_another_ledgers_file_put_in_its_place_gets_every_entry(database, file):
    mirror, made = ErasureLedger(database, file), await forget_message(database, 1)
    await mirror.mirror()
    others = [Erasure(NOW, ErasureKind.OFF, GUILD, n) for n in range(1, 30)]
    erasure_ledger_file.append(file.with_name("others"), others)
    file.with_name("others").replace(file)
    assert await mirror.mirror() == 1
    assert told(file) == [*others, made]


def test_what_is_appended_is_one_write(file, monkeypatch):
    """Two processes that append at once would tear each other's lines otherwise."""
    sizes = []
    monkeypatch.setattr(
        erasure_ledger_file.os, "fsync", lambda number: sizes.append(os.fstat(number))
    )
    entries = [Erasure(NOW, ErasureKind.MESSAGE, GUILD, 10, None, n, 5) for n in range(500)]
    opened = open

    def counting(*given, **named):
        stream = opened(*given, **named)
        assert isinstance(stream, io.RawIOBase), "a buffer writes in pieces"
        return stream

    monkeypatch.setattr(erasure_ledger_file, "open", counting, raising=False)
    erasure_ledger_file.append(file, entries)
    assert told(file) == entries
    assert len(sizes) == 1


async def test_the_ledger_holds_no_words(home, tmp_path):
    event = await home.tell(f"likes {WORD}")
    await home.keeper.forget(ADA, await number(home))
    await home.keeper.retention.retract(GUILD, [event.message_id])
    mirror = ErasureLedger(home.database, tmp_path / "ledger.jsonl")
    await mirror.mirror()
    assert WORD not in mirror.file.read_text()


async def test_the_past_is_done_again_as_of_its_own_time(home, tmp_path):
    await home.tell(f"likes {WORD}")
    file = tmp_path / "l.jsonl"
    erasure_ledger_file.append(file, [Erasure(NOW, ErasureKind.SAID, GUILD, ADA.user_id)])
    home.clock.advance(days=9)
    await replay_all(home.database, file)
    at = await home.database.read(
        lambda s: s.scalars(
            select(memory_audit.c.At).where(memory_audit.c.Action == "forgot everything")
        ).one()
    )
    assert at == NOW
    states = await home.database.read(lambda s: s.execute(select(user_state)).all())
    assert all(row.UserNotes == "" for row in states)


async def test_the_settings_of_a_deleted_channel_are_gone_from_an_older_copy_too(
    home, sqlite_url, tmp_path
):
    if home.url != sqlite_url:
        pytest.skip("copies are files")
    row = {"GuildId": GUILD, "ChannelId": THREAD, "Purpose": Purpose.GAME, "Topics": WORD}
    await home.database.write(lambda s: s.execute(insert(channel_purpose), row))
    older = await copied(home, tmp_path)
    again = Household(older, f"sqlite:///{tmp_path / 'older.db'}", home.clock)
    assert await again.residue() != []
    await home.retention.erase_channels(GUILD, [THREAD])
    live = ErasureLedger(home.database, tmp_path / "ledger.jsonl")
    await live.mirror()
    await replay_all(older, live.file)
    assert await again.residue() == []
    await older.close()

"""Keeper: what a person asks to be forgotten is gone, and nothing else is."""

import asyncio
from pathlib import Path

from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    at,
    audience,
    days,
    held_up,
    make_candidate,
    make_event,
    make_extraction,
)
from tests.fakes.compaction import hold_compaction
from tests.integration.stored_rows import in_order
from tests.rows import each_row
from utils.database.core import drivers
from utils.database.memories import members
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_evidence,
    metadata,
    user_memory,
)
from utils.models.memory import Member, Method, Status

HERE = audience()


async def tell(recorder, *texts, member=ADA, **given):
    told = [
        make_event(text, author_id=member.user_id, guild_id=member.guild_id, **given)
        for text in texts
    ]
    for event in told:
        await recorder.record(event, HERE)
    await recorder.settle()
    return told


async def known(member_data, member=ADA):
    return [row.text for row in (await member_data.show(member)).rows]


async def number_of(member_data, text, member=ADA):
    (found,) = [row.id for row in (await member_data.show(member)).rows if row.text == text]
    return found


async def everything(database):
    """Every value in every table, as one text."""

    def unit(connection):
        return " ".join(
            str(value)
            for table in metadata.sorted_tables
            for row in connection.execute(select(table))
            for value in row
        )

    return await database.read(unit)


def files(database_url):
    """The bytes of every file of a SQLite database; none on a server."""
    url = drivers.parse_url(database_url)
    if url.get_backend_name() != "sqlite":
        return b""
    file = Path(drivers.sqlite_file(url))
    return b"".join(one.read_bytes() for one in file.parent.glob(f"{file.name}*"))


# --- one memory ---------------------------------------------------------------------------------


async def test_a_tombstone_without_words_stays(
    database, database_url, recorder, keeper, member_data
):
    await tell(recorder, "likes zanzibar")
    assert b"zanzibar" in files(database_url) or not files(database_url)
    number = await number_of(member_data, "likes zanzibar")
    await keeper.forget(ADA, number)

    def tombstone(connection):
        columns = user_memory.c
        return connection.execute(
            select(columns.Memory, columns.SearchStems, columns.Status).where(columns.Id == number)
        ).one()

    assert tuple(await database.read(tombstone)) == ("", "", Status.FORGOTTEN)
    assert "zanzibar" not in (await everything(database)).lower()
    await database.finish_scrubbing()
    assert b"zanzibar" not in files(database_url).lower()


async def test_the_same_message_cannot_teach_it_again(database, recorder, keeper, member_data):
    (event,) = await tell(recorder, "likes zanzibar")
    await keeper.forget(ADA, await number_of(member_data, "likes zanzibar"))
    assert not await recorder.record(event, HERE)
    edited = make_event("likes zanzibar", message_id=event.message_id, revision=7)
    assert await recorder.record(edited, HERE)
    await recorder.settle()
    assert await known(member_data) == []
    assert recorder.extraction.refused["forgotten"] == 1


async def test_another_message_can_teach_it_again(recorder, keeper, member_data):
    await tell(recorder, "likes zanzibar")
    await keeper.forget(ADA, await number_of(member_data, "likes zanzibar"))
    await tell(recorder, "likes zanzibar")
    assert await known(member_data) == ["likes zanzibar"]


async def test_other_memories_of_the_same_message_stay_without_its_words(
    database, recorder, keeper, member_data, extractor
):
    whole = "I live in Zanzibar and play the oboe"
    extractor.read = lambda reading: make_extraction(
        make_candidate("lives in Zanzibar", quote=whole),
        make_candidate("plays the oboe", quote=whole),
    )
    await tell(recorder, whole)
    await keeper.forget(ADA, await number_of(member_data, "lives in Zanzibar"))
    assert await known(member_data) == ["plays the oboe"]
    assert "zanzibar" not in (await everything(database)).lower()


async def test_the_profile_loses_it_at_once(recorder, keeper, member_data):
    await tell(recorder, "likes zanzibar", "likes tea")
    await keeper.forget(ADA, await number_of(member_data, "likes zanzibar"))
    assert (await member_data.show(ADA)).profile == "Likes tea."


@each_row("member", [BOB, Member(9, ADA.user_id), Member(0, ADA.user_id)])
async def test_nobody_forgets_somebody_elses_memory(recorder, keeper, member_data, member):
    await tell(recorder, "likes zanzibar")
    assert not await keeper.forget(member, await number_of(member_data, "likes zanzibar"))
    assert await known(member_data) == ["likes zanzibar"]


# --- everything ---------------------------------------------------------------------------------


async def test_that_it_happened_stays_in_the_audit_without_words(database, recorder, keeper):
    await tell(recorder, "likes zanzibar")
    await keeper.forget_all(ADA)
    audit = memory_audit.c
    columns = audit.Action, audit.ActorId, audit.Before, audit.After
    assert await database.read(in_order, *columns) == [
        ("consent lasting", ADA.user_id, None, None),
        ("learnt", 0, None, None),
        ("erased", ADA.user_id, None, None),
        ("forgot everything", ADA.user_id, None, None),
    ]


async def test_an_extraction_under_way_writes_nothing_after_everything_was_forgotten(
    database, recorder, keeper, member_data, extractor
):
    await tell(recorder, "likes tea")
    extractor.read = lambda reading: make_extraction(
        make_candidate("likes zanzibar"), profile_update="Likes tea, likes zanzibar."
    )
    await recorder.record(make_event("likes zanzibar"), HERE)
    async with held_up(extractor, recorder.settle()):
        await keeper.forget_all(ADA)
    assert (await member_data.show(ADA)).rows == ()
    assert "zanzibar" not in (await everything(database)).lower()
    assert await database.read(lambda s: members.load_header(s, ADA).profile.text) == ""


async def test_an_extraction_under_way_does_not_bring_back_one_forgotten_thing(
    database, recorder, keeper, member_data, extractor
):
    (event,) = await tell(recorder, "likes zanzibar")
    again = make_event("likes zanzibar", message_id=event.message_id, revision=3)
    await recorder.record(again, HERE)
    async with held_up(extractor, recorder.settle()):
        await keeper.forget(ADA, await number_of(member_data, "likes zanzibar"))
    assert await known(member_data) == []
    assert "zanzibar" not in (await everything(database)).lower()


# --- deleted messages, consent ------------------------------------------------------------------


def fill(connection, member, count, **changed):
    """Insert rows in bulk, as a long life would leave them."""
    values = {
        "GuildId": member.guild_id,
        "UserId": member.user_id,
        "ChannelId": CHANNEL,
        "Topics": "",
        "Importance": 2,
        "Kind": "fact",
        "FactKey": "",
        "Source": "chat",
        "Status": "active",
        "Confidence": 0.9,
        "EvidenceCount": 1,
        "SearchStems": "",
        "CreatedAt": at(),
        "LastConfirmedAt": at(),
        "UseCount": 0,
        "ExpiresAt": at() + days(30),
    } | changed
    name = f"{member.user_id:x}".rjust(12, "0")
    connection.execute(
        user_memory.insert(),
        [
            values | {"Uid": f"{name}{changed.get('Importance', 0)}{n:019d}", "Memory": f"row {n}"}
            for n in range(count)
        ],
    )
    supported = select(memory_evidence.c.MemoryId)
    rows = connection.execute(select(user_memory.c.Id).where(user_memory.c.Id.not_in(supported)))
    connection.execute(
        memory_evidence.insert(),
        [
            {
                "GuildId": member.guild_id,
                "MemoryId": row.Id,
                "MessageId": row.Id,
                "ChannelId": CHANNEL,
                "Quote": "",
                "Method": Method.RULE,
                "Model": "",
                "PromptHash": "",
                "SaidAt": at(),
            }
            for row in rows
        ],
    )


async def test_forgetting_never_waits_until_the_file_is_compacted(database, keeper):
    event = make_event("I have a dog named Zanzibar")
    row = await keeper.remember(ADA, event, "has a dog named Zanzibar", HERE)
    compacting = hold_compaction(database)
    async with asyncio.timeout(20):
        assert await keeper.forget(ADA, row.id)
        if database._url.get_backend_name() != "sqlite":
            return
        scrubbing = asyncio.create_task(database.finish_scrubbing())
        await compacting.begun.wait()
        assert compacting.ended == 0
        compacting.go_on.set()
        await scrubbing
    assert compacting.ended == 1
    file = drivers.sqlite_file(database._url)
    assert not any(b"Zanzibar" in part.read_bytes() for part in file.parent.glob("kith.db*"))

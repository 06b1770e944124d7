"""Pruning: what has ended goes, then what is over the cap, the least valued first."""

from collections import Counter

from sqlalchemy import func, select

from tests.fakes.builders import (
    ADA,
    GUILD,
    FakeExtractor,
    at,
    audience,
    make_candidate,
    make_event,
    make_extraction,
    make_memory_service,
    make_recorder,
)
from tests.integration.memory.member_data.test_editor import fill
from utils.database.memories import members, memories
from utils.database.schema.memory_tables import (
    heartbeat,
    lease,
    memory_audit,
    memory_evidence,
    user_memory,
)
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.pruning import prune
from utils.models.memory import Consent, Importance, Profile, Source
from utils.models.policy import WritePolicy
from utils.runtime.leases import Leases

LARGE = WritePolicy(cap=10_000)


async def count(database, table=user_memory, *where):
    return await database.read(
        lambda connection: connection.scalar(select(func.count()).select_from(table).where(*where))
    )


async def kept(database, member=ADA):
    return await database.read(memories.load_current, member, at())


async def test_what_has_ended_goes_with_its_evidence_and_words_and_the_rest_stays(database, clock):
    await make_memory_service(database, clock).set_consent(ADA, Consent.LASTING)
    extractor = FakeExtractor(
        lambda reading: make_extraction(
            make_candidate("visits zanzibar", lifetime_days=3), make_candidate("likes tea")
        )
    )
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    await recorder.record(make_event("visits zanzibar. likes tea"), audience())
    await recorder.settle()
    await recorder.close()
    clock.advance(days=3)
    report = await prune(database, clock, LARGE)
    assert str(report) == "1 expired and 0 surplus memories removed, 0 old messages erased"
    assert [row.text for row in await kept(database)] == ["likes tea"]
    assert await count(database, memory_evidence) == 1
    assert (await MemberData(database, clock).show(ADA)).profile == "Likes tea."
    words = await database.read(lambda s: s.execute(select(memory_audit.c.After)).scalars().all())
    assert [word for word in words if word is not None] == ["likes tea"]
    actions = await database.read(lambda s: s.scalars(select(memory_audit.c.Action)).all())
    assert actions.count("expired") == 1


async def test_of_20_rows_of_each_importance_a_cap_of_50_keeps_all_high_and_all_medium(
    database, clock
):
    for importance in Importance:
        await database.write(
            lambda connection, i=importance: fill(connection, ADA, 20, Importance=int(i))
        )
    report = await prune(database, clock, WritePolicy(cap=50))
    assert report.by_reason["over_cap"] == Counter({GUILD: 10})
    assert Counter(row.importance for row in await kept(database)) == {
        Importance.HIGH: 20,
        Importance.MEDIUM: 20,
        Importance.LOW: 10,
    }


async def test_what_members_asked_to_remember_goes_last_and_the_profiles_rows_as_others(
    database, clock
):
    def unit(connection):
        fill(connection, ADA, 20, Importance=3)
        fill(connection, ADA, 3, Importance=1, Source="explicit", Kind="preference")
        fill(connection, ADA, 2, Importance=2)
        rows = memories.load_current(connection, ADA, at())
        members.lock(connection, ADA)
        paragraph = Profile("Two things.", tuple(row.id for row in rows[-2:]))
        members.save_profile(connection, ADA, paragraph)
        return paragraph.row_ids

    in_profile = await database.write(unit)
    await prune(database, clock, WritePolicy(cap=5))
    rows = await kept(database)
    assert Counter(row.source for row in rows)[Source.EXPLICIT] == 3
    others = [row for row in rows if row.source is not Source.EXPLICIT]
    assert {row.importance for row in others} == {Importance.HIGH}
    assert {row.id for row in rows}.isdisjoint(in_profile)
    await prune(database, clock, WritePolicy(cap=2))
    assert {row.source for row in await kept(database)} == {Source.EXPLICIT}


async def test_the_least_recently_used_of_equals_go_first(database, clock):
    def unit(connection):
        fill(connection, ADA, 3, LastUsedAt=at(days=2), Importance=2)
        fill(connection, ADA, 3, CreatedAt=at(days=1), LastConfirmedAt=at(days=1), Source="import")

    await database.write(unit)
    await prune(database, clock, WritePolicy(cap=3))
    assert {row.source for row in await kept(database)} == {Source.CHAT}


async def test_the_profile_follows_what_the_cap_removes(database, clock):
    def unit(connection):
        fill(connection, ADA, 4)
        members.lock(connection, ADA)
        ids = [row.id for row in memories.load_current(connection, ADA, at())]
        members.save_profile(connection, ADA, Profile("All of it.", tuple(ids)))

    await database.write(unit)
    await prune(database, clock, WritePolicy(cap=2))
    assert (await MemberData(database, clock).show(ADA)).profile == "Row 2. Row 3."


async def test_only_leases_nobody_touched_for_days_are_tidied_away_and_fences_rise_on(
    database, clock
):
    holder = Leases(database, clock)
    async with holder.hold("once") as first:
        pass
    await prune(database, clock, LARGE)
    assert await count(database, lease) == 1
    clock.advance(days=8)
    await prune(database, clock, LARGE)
    assert await count(database, lease) == 0
    async with holder.hold("once") as second:
        assert second > first
    assert await count(database, heartbeat) == 0

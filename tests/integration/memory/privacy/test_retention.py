"""Members and servers that are gone, rows that lost their ground, and residue after all of it."""

from datetime import date
from itertools import product

import pytest
from sqlalchemy import func, select, update

from tests.fakes.builders import (
    CHANNEL,
    GUILD,
    at,
    make_event,
    make_guild_settings,
    make_infrastructure,
    make_rules,
)
from tests.integration.memory.privacy.test_one_night import remember
from tests.integration.residue import ADA, BOB, HERE, WORD
from tests.integration.ways_of_erasing import (
    THREAD,
    delete,
    delete_channel,
)
from utils.admin.job_runs import JobRuns
from utils.database.admin import token_usage
from utils.database.erasure import retention as stored_retention
from utils.database.memories import audit, members
from utils.database.schema.memory_tables import (
    channel_purpose,
    guild_settings,
    memory_event,
    memory_evidence,
    token_use,
    user_memory,
    user_state,
)
from utils.memory.privacy import pruning, retention, retraction
from utils.models.guild import ChannelPurpose, Purpose
from utils.models.llm import Usage
from utils.models.memory import Consent, Member


async def state_of(home, member=ADA):
    query = select(user_state).where(
        user_state.c.GuildId == member.guild_id, user_state.c.UserId == member.user_id
    )
    return await home.database.read(lambda s: s.execute(query).one_or_none())


async def seen(home, member, when):
    await home.recorder.close()  # or it would write when it saw them last
    await home.database.write(members.update_last_seen, {member: when})


# --- every way of forgetting ----------------------------------------------------------------------


# test_erasure_ledger.py looks into every table and file, test_erasure_walk.py into summaries, too
async def test_a_deleted_channel_leaves_nothing_in_what_was_written_of_conversations(home):
    await home.tell("home: lives in Oslo", channel_id=THREAD)
    event = await home.tell(f"home: lives in {WORD}", channel_id=THREAD)
    await home.tell("likes tea", BOB, channel_id=THREAD)
    await home.close_chapters()
    assert {"EpisodeSummary", "OpenLoop"} <= set(await home.residue())
    await delete_channel(home, event)
    assert await home.residue() == []
    await home.close_chapters()
    assert await home.residue() == []


async def test_a_deletion_erases_what_a_message_taught_whose_own_time_is_over(home):
    event = make_event(f"home: lives in {WORD}", created_at=home.clock.now())
    await home.recorder.record(event, HERE)
    await home.recorder.settle()
    home.clock.advance(days=400)
    await home.prune()
    stored = select(func.count()).select_from(memory_event)
    assert await home.database.read(lambda s: s.scalar(stored)) == 0
    assert await home.known() == [f"lives in {WORD}"]
    await delete(home, event)
    assert await home.known() == []


# --- members who left -----------------------------------------------------------------------------


async def test_who_left_is_erased_thirty_days_later_and_not_before(home):
    await home.tell("likes tea")
    await home.retention.record_departure(ADA)
    home.clock.advance(days=30, seconds=-1)
    assert "members" not in (await home.prune()).by_reason
    home.clock.advance(1)
    assert str(await home.prune()).endswith("1 departed members erased")
    assert await home.known() == []
    assert "members" not in (await home.prune()).by_reason


async def test_who_speaks_again_or_comes_back_has_not_left(home):
    for member in (ADA, BOB):
        await home.tell("likes tea", member)
        await home.retention.record_departure(member)
    home.clock.advance(days=10)
    await seen(home, ADA, home.clock.now())
    await home.retention.record_return(BOB)
    home.clock.advance(days=30)
    assert "members" not in (await home.prune()).by_reason
    assert (await state_of(home)).LeftAt is None
    assert (await home.known(), await home.known(BOB)) == (["likes tea"], ["likes tea"])


async def test_who_comes_back_while_they_are_being_erased_stays(home, monkeypatch):
    await home.tell("likes tea")
    await home.retention.record_departure(ADA)
    home.clock.advance(days=31)
    erase_most = pruning.erase_most

    async def erase_until_they_return(*args):
        await erase_most(*args)
        await home.retention.record_return(ADA)

    monkeypatch.setattr(pruning, "erase_most", erase_until_they_return)
    assert "members" not in (await home.prune()).by_reason
    assert await home.known() == ["likes tea"]


async def test_a_stranger_who_leaves_leaves_no_trace(home):
    await home.retention.record_departure(Member(GUILD, 31337))
    assert await state_of(home, Member(GUILD, 31337)) is None


async def test_consent_off_and_being_ignored_outlive_erasure_and_other_choices_do_not(home):
    await home.keeper.set_consent(BOB, Consent.OFF)
    await home.database.write(
        lambda s: s.execute(
            update(user_state).values(
                Ignored=True, PassiveOptIn=True, ConsentAskedAt=at(), LastSeenAt=at()
            )
        )
    )
    for member in (ADA, BOB):
        before = await state_of(home, member)
        await home.retention.erase_member(member.user_id, GUILD)
        after = await state_of(home, member)
        assert after.Consent is (Consent.OFF if member is BOB else None)
        assert after.Ignored
        assert after.MemoryVersion > before.MemoryVersion
        assert not any((after.PassiveOptIn, after.ConsentAskedAt, after.LastSeenAt, after.LeftAt))


async def test_those_unheard_for_three_days_are_asked_after_once_a_week(home, monkeypatch):
    monkeypatch.setattr(retention, "MEMBERS_PER_PAGE", 7)
    monkeypatch.setattr(retention, "PAUSE_S", 0)
    crowd = [Member(GUILD, number << 22) for number in range(1, 41)]
    for member in crowd:
        await home.database.write(remember, member, "likes tea")
        await seen(home, member, home.clock.now())
    home.clock.advance(days=2)
    assert await home.retention.members_to_check() == []
    asked = []
    await home.keeper.set_consent(crowd[0], Consent.LASTING)
    home.clock.advance(days=1)
    for _ in range(7):
        asked += await home.retention.members_to_check()
        home.clock.advance(days=1)
    assert sorted(asked) == crowd


async def test_who_left_unseen_is_erased_within_thirty_days_though_one_look_up_fails(home):
    """Each member is looked up once a week; the first look-up after ``failing_after`` days fails.

    Each has another day of the week, so each leaves at another time before the look-up, too.
    """
    leaving_and_failing = list(product([0.1, 6, 44.5], [0, 8]))
    gone = {Member(GUILD, n << 22): days for n, days in enumerate(leaving_and_failing, 1)}
    for member in gone:
        await home.keeper.set_consent(member, Consent.LASTING)
        await home.database.write(remember, member, f"likes {WORD}")
    for member in gone:
        await seen(home, member, home.clock.now())
    failed, erased_on = set(), {}
    for day in range(1, 90):
        home.clock.advance(days=1)
        for member in await home.retention.members_to_check():
            left_after, failing_after = gone[member]
            if day > left_after + failing_after and member not in failed:
                failed.add(member)
            elif day > left_after:
                await home.retention.record_departure(member, is_found_later=True)
        await pruning._erase_departed(home.database, home.clock, home.clock.now())
        known = await home.database.read(lambda s: set(s.scalars(select(user_memory.c.UserId))))
        for member in gone.keys() - erased_on.keys():
            if member.user_id not in known:
                erased_on[member] = day
        if len(erased_on) == len(gone):
            break
    assert failed >= {member for member, (_, failing_after) in gone.items() if not failing_after}
    for member, (left_after, failing_after) in gone.items():
        days = erased_on.get(member, 999) - left_after
        assert 13 <= days <= 31, (left_after, failing_after)


# --- servers --------------------------------------------------------------------------------------


async def test_a_server_that_removed_kith_is_erased_seven_days_later(home):
    chosen = (ChannelPurpose(CHANNEL, Purpose.GAME, (WORD,)),)  # its audit has the word, too
    await make_guild_settings(home.database, home.clock).set_values(GUILD, channels=chosen)
    day, used = date(2026, 3, 11), Usage(1, 2)
    await home.database.write(token_usage.add_use, GUILD, day, ADA.user_id, "chat", used)
    await home.tell(f"likes {WORD}")
    await home.retention.update_servers([], lambda _: True)
    home.clock.advance(days=7, seconds=-1)
    assert "servers" not in (await home.prune()).by_reason
    assert await home.known() != []
    home.clock.advance(1)
    assert str(await home.prune()).endswith("1 servers that removed me erased")
    assert await home.residue() == []

    def left(connection):
        tables = (guild_settings, channel_purpose, token_use, memory_evidence)
        return [connection.scalar(select(func.count()).select_from(table)) for table in tables]

    assert await home.database.read(left) == [0, 0, 0, 0]
    assert "servers" not in (await home.prune()).by_reason


async def test_a_server_that_takes_kith_back_keeps_everything(home):
    await home.tell("likes tea")
    await home.retention.update_servers([], lambda _: True)
    home.clock.advance(days=6)
    await home.retention.update_servers([GUILD], lambda _: True)
    home.clock.advance(days=6)
    await home.retention.update_servers([], lambda _: True)
    home.clock.advance(days=6)
    assert "servers" not in (await home.prune()).by_reason
    assert await home.known() == ["likes tea"]


async def test_servers_of_another_process_and_direct_messages_are_never_taken_for_gone(home):
    direct = Member(0, ADA.user_id)
    await home.tell("likes tea")
    await home.tell("likes tea", direct)
    await home.retention.update_servers([], lambda guild_id: guild_id != GUILD)
    home.clock.advance(days=8)
    assert "servers" not in (await home.prune()).by_reason


# --- rows -----------------------------------------------------------------------------------------


async def test_evidence_that_came_back_meanwhile_keeps_a_row(home):
    await home.tell("likes tea")
    (row,) = (await home.member_data.show(ADA)).rows
    dropped = await home.database.write(pruning._drop_still_unsupported, [(row.id, ADA)], at())
    assert dropped.total() == 0
    assert await home.known() == ["likes tea"]


async def test_what_tokens_were_spent_on_is_kept_for_ninety_days(home):
    def spend(connection):
        for day in (date(2025, 12, 10), date(2025, 12, 11), date(2026, 3, 11)):
            token_usage.add_use(connection, GUILD, day, ADA.user_id, "chat", Usage(1, 2))
            token_usage.add_use(connection, GUILD, day, BOB.user_id, "chat", Usage(1, 2))

    await home.database.write(spend)
    assert (await home.prune()).by_reason["token_use"] == {GUILD: 2}
    kept = await home.database.read(token_usage.by_day, GUILD, date(2000, 1, 1))
    assert [one.day.isoformat() for one in kept] == ["2025-12-11", "2026-03-11"]


# --- erasing --------------------------------------------------------------------------------------


async def test_a_person_is_erased_everywhere_or_in_one_server(home):
    places = [Member(guild_id, ADA.user_id) for guild_id in (0, 8, 9)]
    for member in places:
        await home.tell(f"likes {WORD}", member)
    await home.database.write(
        token_usage.add_use, 9, date(2026, 3, 11), ADA.user_id, "chat", Usage(1, 2)
    )
    one = await home.retention.erase_member(ADA.user_id, 9)
    assert str(one) == "1 memories, 1 messages and 1 other rows in 1 place"
    assert [await home.known(member) for member in places] == [[f"likes {WORD}"]] * 2 + [[]]
    rest = await home.retention.erase_member(ADA.user_id)
    assert (rest.memories, rest.messages, rest.is_scrubbed) == (2, 2, True)
    assert await home.residue() == []


async def test_words_in_the_audit_of_rows_long_gone_are_erased_too(home):
    def note(connection):
        words = {"before": WORD, "after": f"likes {WORD}"}
        audit.add(connection, ADA, [None], "corrected", at(), ADA.user_id, **words)

    await home.database.write(note)
    await home.retention.erase_member(ADA.user_id, GUILD)
    assert await home.residue() == []


async def test_a_server_that_takes_lasting_memory_back_shortens_what_nobody_chose(home):
    book, carl = make_guild_settings(home.database, home.clock), Member(GUILD, 30)
    await book.set_values(GUILD, consent_default=Consent.LASTING)
    await home.tell("likes tea")
    await home.tell("likes tea", carl)
    home.clock.advance(days=20)
    await home.tell("has a dog", carl)
    await book.set_values(GUILD, consent_default=Consent.TEMPORARY)
    home.clock.advance(days=15)
    assert await home.known(carl) == ["has a dog", "likes tea"], "not shortened yet"
    await home.retention.apply_temporary_default(GUILD)
    assert await home.known(carl) == ["has a dog"]
    assert await home.known() == ["likes tea"], "chose lasting"
    home.clock.advance(days=16)
    assert await home.known(carl) == []


async def test_a_kill_while_lifetimes_are_shortened_is_made_good_at_night(home, monkeypatch):
    book, carl, dora = make_guild_settings(home.database, home.clock), 30, 31
    await book.set_values(GUILD, consent_default=Consent.LASTING)
    for user_id in (carl, dora):
        await home.tell("likes tea", Member(GUILD, user_id))
    await home.tell("likes tea")
    await book.set_values(GUILD, consent_default=Consent.TEMPORARY)
    monkeypatch.setattr(retraction, "BATCH", 1)

    def killed(*_, **__):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(retraction.consent, "shorten_lifetimes", killed)
        with pytest.raises(RuntimeError):
            await home.retention.apply_temporary_default(GUILD)
    jobs = JobRuns(make_infrastructure(home.database, home.clock), make_rules())
    await jobs.prune(is_awaited=True)
    home.clock.advance(days=31)
    assert await home.known(Member(GUILD, carl)) == []
    assert await home.known(Member(GUILD, dora)) == []
    assert await home.known() == ["likes tea"], "chose lasting"
    assert await home.database.read(stored_retention.list_outliving_default, home.clock.now()) == []

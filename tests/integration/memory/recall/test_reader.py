"""Reader: what fits, for those who will read the answer, and nothing else."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    FakeExtractor,
    at,
    audience,
    days,
    heard,
    last_turns,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_memory_service,
    make_reader,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from tests.integration.stored_rows import stored
from utils.common.errors import DatabaseUnavailable
from utils.common.text import estimate_tokens
from utils.database.erasure import forgetting
from utils.database.memories import memory_changes
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.memory.consolidation.planner import plan_changes
from utils.memory.member_data.view import MemberData
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Consent, Importance, Kind, Member
from utils.models.policy import WritePolicy
from utils.models.recall import Person

ADA_HERE, BOB_HERE = Person(ADA.user_id, "Ada"), Person(BOB.user_id, "Bob")
PRIVATE, OTHER = 777, 888


@pytest.fixture
def reader(database, clock, keeper):
    return make_reader(database, clock)


@pytest.fixture
def member_data(database, clock, keeper):
    return MemberData(database, clock)


async def learn(database, *candidates, member=ADA, channel_id=CHANNEL, now=NOON):
    """Store candidates as if each had been said in the channel."""
    said = [
        make_event(
            candidate.quote,
            author_id=member.user_id,
            guild_id=member.guild_id,
            channel_id=channel_id,
            created_at=now,
        )
        for candidate in candidates
    ]
    extraction = make_extraction(
        *(replace(candidate, subject_id=member.user_id) for candidate in candidates)
    )

    def unit(connection):
        for event in said:
            events.insert(connection, event, now + days(30))
        ids = connection.scalars(
            select(memory_event.c.Id).where(
                memory_event.c.MessageId.in_([event.message_id for event in said])
            )
        ).all()
        judged = partial(
            plan_changes,
            extraction=extraction,
            write_policy=WritePolicy(),
            context=heard(channel_id),
        )
        memory_changes.change(connection, member, judged, now=now, event_ids=ids)

    await database.write(unit)


async def recalled(reader, text="hello", *sources, people=(ADA_HERE,), settings=None, **given):
    where = audience(*sources, **given)
    found = await reader.recall(
        where, people, text, settings=settings or GuildSettings(where.guild_id)
    )
    return found.block


# --- layers -------------------------------------------------------------------------------------


async def test_the_block_has_the_layers_of_the_design(database, reader, clock):
    await learn(
        database,
        make_candidate("lives in Berlin", importance=Importance.HIGH),
        make_candidate("no spoilers please", kind=Kind.CONSTRAINT),
        make_candidate("loves green tea", kind=Kind.PREFERENCE),
        make_candidate("moves house", kind=Kind.TASK, lifetime_days=7),
    )
    clock.advance(days=2)
    assert await recalled(reader, "fancy a tea?") == (
        "[What you know about Ada:]\n"
        "Profile: Lives in Berlin.\n"
        "Courtesy: no spoilers please\n"
        "Recent: moves house (2 days ago)\n"
        "Relevant: loves green tea (2 days ago)"
    )


async def test_several_people_get_a_block_each_and_the_names_are_told_apart(database, reader):
    await learn(database, make_candidate("lives in Berlin"))
    await learn(database, make_candidate("lives in Rome"), member=BOB)
    block = await recalled(reader, people=(ADA_HERE, BOB_HERE))
    assert block == (
        "[What you know about Ada:]\nProfile: Lives in Berlin.\n"
        "[What you know about Bob:]\nProfile: Lives in Rome."
    )
    assert "Rome" not in await recalled(reader, people=(ADA_HERE,))


# --- who may hear of it -------------------------------------------------------------------------


async def test_nothing_crosses_from_one_server_to_another(database, reader):
    await learn(database, make_candidate("lives in Berlin"))
    await learn(database, make_candidate("lives in Rome"), member=Member(9, ADA.user_id))
    assert "Rome" not in await recalled(reader, "Rome?")
    assert "Berlin" not in await recalled(reader, "Berlin?", guild_id=9)


async def test_direct_messages_are_a_space_of_their_own_for_each_channel(database, reader):
    in_dm = Member(DIRECT_MESSAGES, ADA.user_id)
    await learn(database, make_candidate("lives in Berlin"), member=in_dm, channel_id=PRIVATE)
    at_home = {"guild_id": DIRECT_MESSAGES, "channel_id": PRIVATE}
    assert "Berlin" in await recalled(reader, "Berlin?", **at_home)
    assert await recalled(reader, "Berlin?", PRIVATE) == ""
    elsewhere = {"guild_id": DIRECT_MESSAGES, "channel_id": OTHER}
    assert await recalled(reader, "Berlin?", **elsewhere) == ""


async def test_of_a_member_who_switched_memory_off_nothing_is_told_at_once(
    database, reader, keeper
):
    await learn(database, make_candidate("lives in Berlin"))
    assert "Berlin" in await recalled(reader)
    await keeper.set_consent(ADA, Consent.OFF)
    assert await recalled(reader) == ""


async def test_the_servers_default_holds_for_those_who_chose_nothing(database, reader):
    await learn(database, make_candidate("lives in Rome"), member=BOB)
    off = GuildSettings(GUILD, consent_default=Consent.OFF)
    assert await recalled(reader, people=(BOB_HERE,), settings=off) == ""
    assert "Rome" in await recalled(reader, people=(BOB_HERE,))


# --- time ---------------------------------------------------------------------------------------


async def test_what_has_ended_is_not_told_even_from_the_cache(database, reader, clock):
    await learn(database, make_candidate("moves house", kind=Kind.TASK, lifetime_days=7))
    assert "moves house" in await recalled(reader)
    clock.advance(days=7, seconds=-1)
    assert "moves house" in await recalled(reader)
    clock.advance(1)
    assert await recalled(reader) == ""


async def test_the_profile_loses_what_has_ended(database, reader, clock):
    await learn(database, make_candidate("lives in Berlin"))
    await learn(database, make_candidate("has a guest named Max", lifetime_days=3))
    assert "Max" in await recalled(reader)
    clock.advance(days=3)
    assert await recalled(reader) == "[What you know about Ada:]\nProfile: Lives in Berlin."


# --- the cache ----------------------------------------------------------------------------------


async def test_recalling_writes_nothing_until_it_is_asked_to(database, reader):
    await learn(database, make_candidate("loves tea", kind=Kind.PREFERENCE))

    used = partial(database.read, stored, user_memory.c.UseCount, user_memory.c.LastUsedAt)
    await recalled(reader, "tea")
    await recalled(reader, "tea")
    assert await used() == [(0, None)]
    await reader.write_uses()
    assert await used() == [(2, NOON)]
    await reader.write_uses()
    assert await used() == [(2, NOON)]


async def test_uses_that_could_not_be_written_are_written_the_next_time(
    database, reader, monkeypatch
):
    await learn(database, make_candidate("loves tea", kind=Kind.PREFERENCE))

    async def refuse(_unit, *args, **kwargs):
        await recalled(reader, "tea")
        raise DatabaseUnavailable

    await recalled(reader, "tea")
    with monkeypatch.context() as away:
        away.setattr(database, "write", refuse)
        with pytest.raises(DatabaseUnavailable):
            await reader.write_uses()
    await reader.write_uses()
    assert await database.read(stored, user_memory.c.UseCount) == [2]


# --- showing ------------------------------------------------------------------------------------


async def test_a_member_sees_everything_newest_first_wherever_it_was_said(
    database, member_data, clock
):
    await learn(database, make_candidate("lives in Berlin"))
    later = {"channel_id": PRIVATE, "now": at(seconds=5)}
    await learn(database, make_candidate("has a secret garden"), **later)
    shown = await member_data.show(ADA)
    assert [row.text for row in shown.rows] == ["has a secret garden", "lives in Berlin"]
    assert shown.profile == "Has a secret garden. Lives in Berlin."
    assert shown.consent is Consent.LASTING
    clock.jump(-days(1))
    assert len((await member_data.show(ADA)).rows) == 2
    assert (await member_data.show(BOB)).rows == ()


# --- working memory -----------------------------------------------------------------------------


async def test_working_memory_is_the_channels_last_ten_turns(database, reader, clock):
    recorder = make_recorder(database, clock, FakeExtractor())
    for n in range(12):
        await recorder.record(make_event(f"turn {n}"), audience())
    await recorder.record(make_event("elsewhere", channel_id=OTHER), audience())
    await recorder.record(make_event("\u200b"), audience())
    turns = await last_turns(database, clock)
    assert [event.text for event in turns] == [f"turn {n}" for n in range(2, 12)]


async def test_a_reset_makes_working_memory_begin_anew_and_keeps_what_is_known(
    database, reader, keeper, clock
):
    await learn(database, make_candidate("lives in Berlin"))
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.record(make_event("before"), audience())
    clock.advance(1)
    await keeper.reset(GUILD, CHANNEL)
    assert await last_turns(database, clock) == []
    clock.advance(1)
    await recorder.record(make_event("after", created_at=clock.now()), audience())
    assert [e.text for e in await last_turns(database, clock)] == ["after"]
    assert "Berlin" in await recalled(reader)


async def test_messages_past_their_end_are_not_working_memory(database, reader, clock):
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.record(make_event("old", author_id=BOB.user_id), audience())
    clock.advance(days=30)
    assert await last_turns(database, clock) == []


async def test_whose_question_kith_answered_is_known(database, member_data, clock):
    recorder = make_recorder(database, clock, FakeExtractor())
    question = make_event("hello")
    answer = make_answer(question)
    await recorder.record(question, audience())
    await recorder.record(answer, audience())
    assert await member_data.asked_by(GUILD, answer.message_id) == ADA.user_id
    assert await member_data.asked_by(GUILD, question.message_id) is None


# --- never anything else ------------------------------------------------------------------------

WORDS = ["tea", "coffee", "cake", "bread", "jam"]
THINGS = [
    "lamp",
    "kite",
    "drum",
    "boat",
    "sock",
    "vase",
    "harp",
    "tent",
    "sled",
    "mask",
]  # no two merge
DRAWN = st.lists(
    st.tuples(
        st.sampled_from([ADA, BOB, Member(9, ADA.user_id)]),
        st.sampled_from([CHANNEL, PRIVATE, OTHER]),
        st.sampled_from(Kind),
        st.sampled_from(WORDS),
        st.sampled_from([1, 7, 30, None]),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=settings.default.max_examples // 2)
@given(
    DRAWN,
    st.sets(st.sampled_from([PRIVATE, OTHER])),
    st.sampled_from(Consent),
    st.integers(0, 40),
    st.sampled_from(WORDS),
)
async def test_nothing_outside_audience_consent_status_and_expiry_is_ever_told(
    database, drawn, sources, consent, later, word
):
    for member in (ADA, BOB, Member(9, ADA.user_id)):
        await database.write(forgetting.forget_all, member, now=NOON, actor_id=member.user_id)
    clock = ManualClock()
    await make_memory_service(database, clock).set_consent(ADA, Consent.LASTING)
    for number, (member, channel_id, kind, what, lifetime) in enumerate(drawn):
        await learn(
            database,
            make_candidate(
                f"a {THINGS[number]} with {what}",
                kind=kind,
                lifetime_days=lifetime,
            ),
            member=member,
            channel_id=channel_id,
        )
    await make_memory_service(database, clock).set_consent(ADA, consent)
    clock.advance(days=later)
    found = await make_reader(database, clock).recall(
        audience(*sources), (ADA_HERE,), word, settings=GuildSettings(GUILD)
    )
    profile = [line for line in found.block.splitlines() if line.startswith("Profile: ")]
    rows = " ".join([*(row.text for row in found.rows), *profile]).lower()
    everything = f"{found.block} {rows}".lower()
    if consent is Consent.OFF:
        assert everything.strip() == ""
    for number, (member, channel_id, kind, what, _) in enumerate(drawn):
        told = f"a {THINGS[number]} with {what}"
        if told in everything:  # as a memory, or quoted from the message while that is kept
            assert member == ADA
            assert channel_id in {CHANNEL, *sources}
            assert told in rows or later < 30
        if told in rows:
            assert kind is not Kind.PATTERN
            # one that repeats another of its kind keeps the later end of the two
            lifetimes = [
                end for who, _, its_kind, _, end in drawn if (who, its_kind) == (member, kind)
            ]
            assert None in lifetimes or later < max(lifetimes)
    for row in found.rows:
        assert row.is_live(NOON + days(later))
    assert estimate_tokens(found.block) <= 400

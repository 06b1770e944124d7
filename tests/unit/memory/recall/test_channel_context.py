"""What belongs to a channel: its last turns, its episodes, what is open, the server's lore."""

from dataclasses import replace
from datetime import UTC, timedelta

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    at,
    audience,
    make_event,
    make_memory,
)
from tests.rows import each_row
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.channel_context import (
    NO_PAST_EPISODES,
    STILL_GOING_ON,
    PastEpisodes,
    RecallRequest,
    ServerContextCache,
    due_open_loops,
    is_later,
    matching_of_server,
    past_episodes,
    running_episode,
    running_turns,
)
from utils.memory.recall.documents import prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.models.episode import LoopKind, OpenLoop, Summary, SummaryPart
from utils.models.memory import DIRECT_MESSAGES, Kind, Role, Status
from utils.models.policy import WritePolicy
from utils.models.recall import NOTHING_SIMILAR, Said
from utils.nlp.stemming import stems

OTHER = 999
MOMENT = timedelta(seconds=1)


def request(text="the LAN party", *sources, **given):
    values = {
        "audience": audience(*sources),
        "query": Query.of(text, now=NOON, zone=UTC),
        "similarities": NOTHING_SIMILAR,
        "now": NOON,
        "zone": UTC,
        "visible_ids": frozenset({5}),
        "exclude_id": 6,
    } | given
    return RecallRequest(**values)


def test_what_is_in_sight_is_excluded_with_what_came_with_the_message():
    assert request().excluded_ids == {5, -6}


# --- the last turns -----------------------------------------------------------------------------


@each_row(
    ("ages", "expected"),
    [
        ([], 0),
        ([timedelta(0)], 1),
        ([timedelta(hours=8)], 1),
        ([timedelta(hours=8) + MOMENT], 0),
        ([2 * STILL_GOING_ON, STILL_GOING_ON], 2),
        ([2 * STILL_GOING_ON + MOMENT, STILL_GOING_ON, timedelta(0)], 2),
        ([3 * STILL_GOING_ON, timedelta(hours=1), timedelta(0)], 2),
    ],
)
def test_a_conversation_goes_on_until_a_pause_of_more_than_eight_hours(ages, expected):
    turns = [make_event(created_at=NOON - age) for age in ages]
    assert running_turns(turns, NOON, None) == turns[len(turns) - expected :]


@each_row(
    ("turn_id", "role", "message_id", "expected"),
    [
        (7, Role.MEMBER, 7, True),
        (8, Role.MEMBER, 7, True),
        (6, Role.MEMBER, 7, False),
        (7, Role.KITH, 7, True),
        (8, Role.KITH, 7, False),
        (8, Role.MEMBER, 0, False),
        (1, Role.MEMBER, 0, False),
        (8, Role.MEMBER, 1, True),
    ],
)
def test_a_members_later_message_is_no_turn_before(turn_id, role, message_id, expected):
    assert is_later(make_event(message_id=turn_id, role=role), message_id) is expected


# --- the cache ----------------------------------------------------------------------------------


def summary(id=1, text="we planned the LAN party with switches", **given):
    values = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "source_id": CHANNEL,
        "episode_id": id,
        "part": SummaryPart.FINAL,
        "first_event_id": 10,
        "last_event_id": 20,
        "structure": "",
        "stems": " ".join(stems(text)),
        "said_from": at(days=-2),
        "said_to": at(days=-2),
        "expires_at": at(days=9),
        "id": id,
        "about_ids": (ADA.user_id,),
    } | given
    return Summary(text=text, **values)


def past(*summaries):
    said = [
        Said(
            event_id=one.id,
            message_id=0,
            channel_id=one.channel_id,
            source_id=one.source_id,
            text=one.text,
            said_at=one.said_from,
            expires_at=one.expires_at,
            stems=one.stems,
        )
        for one in summaries
        if one.part is SummaryPart.FINAL
    ]
    return PastEpisodes(1, 1, {one.id: one for one in summaries}, prepare_messages(said))


def test_the_servers_used_last_are_cached_but_neither_nothing_nor_direct_messages():
    cache = ServerContextCache(capacity=2)
    lore, episodes = PreparedMemories((), 1), past(summary())
    cache.keep(1, None, NO_PAST_EPISODES)
    assert not (cache.lore or cache.past)
    cache.keep(DIRECT_MESSAGES, None, episodes)
    assert not cache.past
    for guild_id in (1, 2, 3):
        cache.keep(guild_id, lore, episodes)
    assert (cache.lore, cache.past) == ({2: lore, 3: lore}, {2: episodes, 3: episodes})
    cache.keep(2, None, NO_PAST_EPISODES)
    assert (cache.lore[2], cache.past[2]) == (lore, episodes)


# --- episodes -----------------------------------------------------------------------------------


def test_the_running_summary_is_the_channels_last_unless_its_episode_is_closed():
    running = summary(2, part=SummaryPart.RUNNING)
    elsewhere = summary(3, channel_id=OTHER)
    assert past(summary(1), running, elsewhere).running(CHANNEL) is running
    assert past(running, summary(4)).running(CHANNEL) is None
    assert past(summary(5, part=SummaryPart.CHUNK)).running(CHANNEL) is None
    assert NO_PAST_EPISODES.running(CHANNEL) is None


@each_row(
    ("changed", "is_shown"),
    [
        ({}, True),
        ({"said_to": NOON - STILL_GOING_ON}, True),
        ({"said_to": NOON - STILL_GOING_ON - MOMENT}, False),
        ({"source_id": OTHER}, False),
        ({"expires_at": NOON}, False),
        ({"expires_at": NOON + MOMENT}, True),
        ({"about_ids": tuple(range(100))}, True),
        ({"about_ids": tuple(range(101))}, False),
        ({"first_event_id": 10}, True),
        ({"first_event_id": 11}, False),  # its beginning is in sight
        ({"first_event_id": 12}, False),
    ],
)
def test_the_current_episode_is_summed_up_while_its_beginning_is_out_of_sight(changed, is_shown):
    made = summary(part=SummaryPart.RUNNING, **({"said_to": NOON} | changed))
    turns = [make_event(id=0), make_event(id=11), make_event(id=12)]
    shown = running_episode(past(made), request(), turns)
    assert (shown is made) is is_shown
    assert running_episode(past(made), request(audience=audience(channel_id=4)), turns) is None


@each_row(
    ("text", "is_told"),
    [
        ("switches", True),
        ("switches violins", True),
        ("switches violins gardens", True),
        ("switches violins gardens teapots", False),
        ("switches parties gardens teapots", True),
        ("violins", False),
        ("two days ago", True),
        ("", False),
    ],
)
def test_a_past_episode_shares_enough_words_or_its_day(text, is_told):
    episodes = past(summary())
    policy = RecallPolicy()
    assert bool(past_episodes(episodes, request(text), policy, [])) is is_told
    assert past_episodes(NO_PAST_EPISODES, request(text), policy, []) == []


def test_of_a_named_day_all_topics_are_told_whatever_words_the_question_has():
    made = [
        summary(1, "we planned the LAN party", said_from=at(days=-2, hours=1)),
        summary(2, "violins", said_from=at(days=-2, hours=3)),
        summary(3, "gardens", said_from=at(days=-2, hours=2), channel_id=OTHER),
        summary(4, "another day", said_from=at(days=-4)),
    ]
    episodes, policy = past(*made), RecallPolicy()
    told = past_episodes(episodes, request("which party was two days ago?"), policy, [])
    assert [one.id for one in told] == [1, 3, 2]


def test_at_most_two_past_episodes_are_told_and_only_readable_ones():
    made = [summary(n) for n in (1, 2, 3)]
    hidden = [summary(4, source_id=OTHER), summary(5, expires_at=NOON)]
    policy = RecallPolicy()
    told = past_episodes(past(*made, *hidden), request(), policy, [])
    assert len(told) == 2
    assert all(one in made for one in told)
    assert past_episodes(past(*hidden), request(), policy, []) == []
    assert past_episodes(past(hidden[0]), request("the LAN party", OTHER), policy, []) == hidden[:1]
    turns = [make_event(id=3)]
    assert past_episodes(past(*made), request(), policy, turns) == []
    elsewhere = request(audience=audience(CHANNEL, channel_id=4))
    assert len(past_episodes(past(*made), elsewhere, policy, turns)) == 2
    topics = request(query=replace(Query.of("hm"), channel_topics=frozenset({"parti"})))
    assert past_episodes(past(*made), topics, policy, []) == []


# --- lore and what is open ----------------------------------------------------------------------


def test_lore_matches_the_message_itself_and_is_readable_and_live():
    rows = [
        make_memory("the LAN party is in May", id=1, kind=Kind.LORE, topics=("party",)),
        make_memory("the LAN party needs a fact", id=2, kind=Kind.FACT),
        make_memory("the LAN party is secret", id=3, kind=Kind.LORE, channel_id=OTHER),
        make_memory("the LAN party was proposed", id=4, kind=Kind.LORE, status=Status.PROPOSED),
        make_memory("the LAN party is over", id=5, kind=Kind.LORE, expires_at=NOON),
        make_memory("our LAN party has figs", id=6, kind=Kind.LORE),
    ]

    def lore(asked, server=None, policy=None):
        server = PreparedMemories(rows, 1) if server is None else server
        found = matching_of_server(
            server, Kind.LORE, asked, RecallPolicy(), policy or WritePolicy()
        )
        return [row.id for row in found]

    assert sorted(lore(request())) == [1, 6]
    assert sorted(lore(request("LAN", OTHER))) == [1, 3, 6]
    channel = replace(Query.of("figs"), channel_topics=frozenset({"parti"}))
    assert lore(request(query=channel)) == [6]
    assert lore(request("hm")) == []
    assert lore(request(), PreparedMemories((), 1)) == []
    assert matching_of_server(None, Kind.LORE, request(), RecallPolicy(), WritePolicy()) == []
    faded = replace(rows[0], created_at=at(days=-365), last_confirmed_at=at(days=-365))
    assert lore(request(), PreparedMemories([faded], 1)) == []


def loop(id, **given):
    values = {
        "member": ADA,
        "channel_id": CHANNEL,
        "source_id": CHANNEL,
        "message_id": id,
        "kind": LoopKind.GOAL,
        "text": "to paint",
        "created_at": at(days=-1),
        "expires_at": at(days=9),
        "id": id,
    } | given
    return OpenLoop(**values)


def test_what_is_open_waits_for_its_time_and_those_with_a_time_come_first():
    loops = [
        loop(1),
        loop(2, due_at=NOON),
        loop(3, due_at=NOON + MOMENT),
        loop(4, created_at=NOON - STILL_GOING_ON),
        loop(5, created_at=NOON - STILL_GOING_ON + MOMENT),
        loop(6, source_id=OTHER),
        loop(7, expires_at=NOON),
        loop(8, expires_at=NOON + MOMENT, due_at=at(days=-1)),
        loop(9, created_at=NOON, due_at=NOON),
    ]
    assert [one.id for one in due_open_loops(loops, request())] == [2, 8, 9, 1, 4]
    assert [one.id for one in due_open_loops(loops, request("x", OTHER))] == [2, 8, 9, 1, 4, 6]

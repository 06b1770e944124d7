"""What rests on erased words: which answers, loops and summaries go, and what stays beside them."""

from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import confidences, dependants
from utils.database.erasure.dependants import Erased, erase_dependants
from utils.database.schema.memory_tables import (
    answer_removal,
    answer_source,
    artifact,
    artifact_text,
    episode,
    episode_summary,
    loop_source,
    memory_context,
    memory_event,
    memory_evidence,
    open_loop,
    user_memory,
)
from utils.models.memory import EventState, Form, Member, Role, Status
from utils.models.provenance import SourceKind, SourceRole
from utils.nlp.confidential import MARK

EVENT, SOURCE, MEMORY, LOOP = memory_event.c, answer_source.c, user_memory.c, open_loop.c
KITH = Member(GUILD, KITH_ID)
KITH_ELSEWHERE = Member(ELSEWHERE.guild_id, KITH_ID)


def add_answer(connection, *sources, kith=KITH, text="so it is", **values):
    """Store an answer that rests on these sources (kind, id, role); returns its database id."""
    values = {"Role": Role.KITH, "Text": text, "EpisodeId": None, "State": EventState.DONE} | values
    event_id = add(connection, memory_event, **by(kith), **values)
    for kind, source_id, role in sources:
        row = {"Kind": kind, "SourceId": source_id, "Role": role, "GuildId": kith.guild_id}
        add(connection, answer_source, EventId=event_id, **row)
    return event_id


def recalled(source_id, kind=SourceKind.MESSAGE):
    return kind, source_id, SourceRole.RECALLED


def said(source_id, kind=SourceKind.MESSAGE):
    return kind, source_id, SourceRole.SAID


def inherited(source_id, kind=SourceKind.MESSAGE):
    return kind, source_id, SourceRole.INHERITED


def texts(connection):
    return dict(stored(connection, EVENT.Id, EVENT.Text))


def removed_posts(connection):
    return {*stored(connection, answer_removal.c.MessageId)}


def message_ids(connection, event_ids):
    ids = dict(stored(connection, EVENT.Id, EVENT.MessageId))
    return {ids[event_id] for event_id in event_ids}


# --- answers ------------------------------------------------------------------------------------


def test_every_answer_that_rests_on_erased_words_is_blanked(connection):
    """It is deleted on Discord too if the words were recalled for it, or it may repeat one."""
    removed = [
        add_answer(connection, recalled(1)),
        add_answer(connection, said(2), text="The walrus sang."),
        add_answer(connection, said(1), text=""),
        add_answer(connection, recalled(70, SourceKind.MEMORY)),
        add_answer(connection, said(1), recalled(2)),
        add_answer(connection, recalled(2), said(1)),
        add_answer(connection, recalled(90, SourceKind.EPISODE)),
        add_answer(connection, inherited(90, SourceKind.EPISODE), text="It was the walrus."),
    ]
    standing = [
        add_answer(connection, said(1)),
        add_answer(connection, inherited(1)),
        add_answer(connection, inherited(90, SourceKind.EPISODE)),
        add_answer(connection, said(90, SourceKind.EPISODE)),
        add_answer(connection, recalled(3), said(2)),
    ]
    others = [
        add_answer(connection, recalled(3), text="a walrus"),
        add_answer(connection, recalled(70), text="a walrus"),
        add_answer(connection, recalled(1, SourceKind.MEMORY), text="a walrus"),
        add_answer(connection, recalled(1), kith=KITH_ELSEWHERE, text="a walrus"),
    ]
    before = texts(connection)
    erased = Erased([1, 2], [70], [90], frozenset({"walrus"}))
    erase_dependants(connection, GUILD, erased, NOON)
    gone = removed + standing
    assert texts(connection) == before | dict.fromkeys(gone, "")
    assert removed_posts(connection) == message_ids(connection, removed)
    removal = answer_removal.c
    assert {*stored(connection, removal.ChannelId, removal.GuildId, removal.DueAt)} == {
        (CHANNEL, GUILD, NOON)
    }
    assert {*stored(connection, SOURCE.EventId)} == {*gone, *others}  # until they are deleted


def test_answers_whose_words_only_ended_are_blanked_and_stay_on_discord(connection):
    sources = said(1), recalled(2), recalled(90, SourceKind.EPISODE)
    for source in sources:
        add_answer(connection, source, text="The walrus sang.")
    words = frozenset({"walrus"})
    erase_dependants(connection, GUILD, Erased([1, 2], (), [90], words, is_expired=True), NOON)
    assert [*texts(connection).values()] == [""] * len(sources)
    assert removed_posts(connection) == set()


def test_whether_an_answer_repeats_a_word_is_judged_before_it_is_blanked(connection):
    """Both later answers also rest on the summary of the conversation that goes with the first."""
    episode_id = add(connection, episode)
    summary = SourceKind.EPISODE
    removed = [
        add_answer(connection, recalled(1), EpisodeId=episode_id),
        add_answer(connection, said(1), recalled(episode_id, summary), text="Hm."),
    ]
    add_answer(connection, said(1), said(episode_id, summary), text="Hm.")
    erase_dependants(connection, GUILD, Erased([1], words=frozenset({"walrus"})), NOON)
    assert {*texts(connection).values()} == {""}
    assert removed_posts(connection) == message_ids(connection, removed)


def test_what_rests_on_blanked_answers_goes_too_and_what_rests_on_that(connection):
    """Message 1, an answer, its episode's summary and a note; from each of these, an answer."""
    episodes = [
        add(connection, episode, GuildId=guild_id, SummarisedId=9)
        for guild_id in (GUILD, GUILD, ELSEWHERE.guild_id)
    ]
    for episode_id, guild_id in zip(episodes, (GUILD, GUILD, ELSEWHERE.guild_id), strict=True):
        add(connection, episode_summary, GuildId=guild_id, EpisodeId=episode_id)
    first = add_answer(connection, recalled(1), EpisodeId=episodes[0], MessageId=50)
    from_summary = add_answer(connection, said(episodes[0], SourceKind.EPISODE))
    note = add(connection, user_memory, **of(BOB), Status=Status.ACTIVE)
    add(connection, memory_evidence, MemoryId=note, Quote="I like tea.")
    context = {"GuildId": GUILD, "ContextMessageId": 50, "ContextMemoryId": 0, "MemoryId": note}
    add(connection, memory_context, **context)
    by_chance = add(connection, user_memory, **of(BOB), Status=Status.ACTIVE)
    from_note = add_answer(connection, recalled(note, SourceKind.MEMORY))
    untouched = add_answer(
        connection, recalled(by_chance, SourceKind.MEMORY), EpisodeId=episodes[1]
    )
    loops = [
        add(connection, open_loop, **of(BOB), MessageId=message_id) for message_id in (1, 50, 51)
    ]
    erase_dependants(connection, GUILD, Erased([1]), NOON)
    assert {event_id for event_id, text in texts(connection).items() if not text} == {
        *(first, from_summary, from_note)
    }
    assert texts(connection)[untouched]
    assert stored(connection, episode_summary.c.EpisodeId) == episodes[1:]
    marks = stored(connection, episode.c.Id, episode.c.SummarisedId)
    assert marks == [(episodes[0], 0), (episodes[1], 9), (episodes[2], 9)]
    assert dict(stored(connection, MEMORY.Id, MEMORY.Form)) == {
        note: Form.QUOTE,
        by_chance: Form.NOTE,
    }
    assert stored(connection, LOOP.Id) == [loops[2]]
    assert removed_posts(connection) == message_ids(connection, [first, from_note])


def test_answers_that_rest_on_each_others_summaries_are_erased_once(connection):
    for episode_id, source_id in ((30, 31), (31, 32), (32, 30)):
        add(connection, episode_summary, EpisodeId=episode_id)
        add_answer(connection, recalled(source_id, SourceKind.EPISODE), EpisodeId=episode_id)
    erase_dependants(connection, GUILD, Erased(episode_ids=[31]), NOON)
    assert set(texts(connection).values()) == {""}
    assert stored(connection, episode_summary.c.EpisodeId) == []


def test_answers_that_rest_on_each_others_summaries_are_marked_and_the_search_ends(connection):
    add(connection, memory_event, **by(ADA), MessageId=1, EpisodeId=29, Role=Role.MEMBER)
    for episode_id, source_id in ((30, 29), (31, 30), (30, 31)):
        add_answer(connection, recalled(source_id, SourceKind.EPISODE), EpisodeId=episode_id)
    confidences.mark(connection, ADA, [1], NOON)
    assert all(MARK in stems for stems in stored(connection, EVENT.Stems))


def test_the_stems_of_messages_are_dropped_and_a_memorys_own_stay(connection):
    rows = []
    for stems, message_id, member in (
        *(("a\nb", 1, ADA), ("a", 1, ADA), ("a\n", 2, ADA), (f"a\n{MARK} b", 1, ADA)),
        *(("a\nb", 1, BOB), ("a\nb", 3, ADA)),
    ):
        row = add(connection, user_memory, **of(member), SearchStems=stems)
        add(connection, memory_evidence, MemoryId=row, MessageId=message_id)
        rows.append(row)
    elsewhere = add(connection, user_memory, **of(ADA), SearchStems="a\nb")
    other_guild = ELSEWHERE.guild_id
    add(connection, memory_evidence, MemoryId=elsewhere, MessageId=1, GuildId=other_guild)
    dependants.drop_source_stems(connection, ADA, [1, 2])
    after = [stems for _, stems in stored(connection, MEMORY.Id, MEMORY.SearchStems)]
    assert after == ["a", "a", "a", f"a {MARK}", "a\nb", "a\nb", "a\nb"]


def test_blanked_messages_lose_their_words_and_their_episode_its_summary(connection):
    ids = []
    for number, state in enumerate(EventState):
        row = {"State": state, "EpisodeId": 30 + number, "Text": "tea", "Stems": "tea"}
        ids.append(add(connection, memory_event, **by(ADA), **row))
    none = add(connection, memory_event, **by(ADA), EpisodeId=0, Text="tea")
    elsewhere = add(connection, memory_event, **by(ELSEWHERE), EpisodeId=99, Text="tea")
    for episode_id, guild_id in ((30, GUILD), (31, GUILD), (30, 9), (99, 9)):
        add(connection, episode_summary, EpisodeId=episode_id, GuildId=guild_id)
    assert dependants.blank(connection, GUILD, [*ids[::2], none, elsewhere]) == {30, 32, 34, 36}
    summary = episode_summary.c
    left = stored(connection, summary.EpisodeId, summary.GuildId)
    assert left == [(30, 9), (31, GUILD), (99, 9)]
    states = []
    for row in connection.execute(select(memory_event).order_by(EVENT.Id)):
        is_blank = (row.Text, row.Stems, row.AuthorName) == ("", "", "")
        assert is_blank is (row.Id in {*ids[::2], none})
        states.append(row.State)
    assert states[:7] == [
        *(EventState.DONE, EventState.CLAIMED, EventState.DONE, EventState.FAILED),
        *(EventState.OVERHEARD, EventState.IMPORTING, EventState.IMPORTED),
    ]
    dependants.blank(connection, GUILD, [ids[5]])
    state = connection.scalar(select(EVENT.State).where(EVENT.Id == ids[5]))
    assert state is EventState.IMPORTED


def test_the_newest_answers_that_still_have_words_or_stand_on_discord(connection):
    standing = [
        add_answer(connection),
        add_answer(connection, recalled(1), text=""),
        add_answer(connection, recalled(1)),
    ]
    add_answer(connection, text="")
    add_answer(connection, Role=Role.MEMBER)
    add_answer(connection, kith=KITH_ELSEWHERE)
    in_channel = EVENT.ChannelId == CHANNEL

    def found(limit):
        return dependants.answers_where(connection, GUILD, in_channel, limit)

    assert [*found(9)] == standing[::-1]
    assert [*found(2)] == standing[:0:-1]
    assert dependants.answers_where(connection, GUILD, EVENT.ChannelId == 7, 9) == {}
    answer = found(9)[standing[0]]
    assert {answer.message_id} == message_ids(connection, standing[:1])
    assert (answer.channel_id, answer.text, answer.is_recalled) == (CHANNEL, "so it is", False)


def test_an_answer_may_repeat_words_unless_it_has_none_of_them():
    def may_repeat(text, *words):
        return dependants.DependentAnswer(1, 2, text).may_repeat(frozenset(words))

    assert may_repeat("The walrus sang.", "walrus", "tea")
    assert not may_repeat("The walrus sang.", "tea")
    assert not may_repeat("The walrus sang.")
    assert may_repeat("")


def test_what_a_chapter_told_rests_on_the_sources_of_its_deleted_answers(connection):
    """Each is handed on once, to the same server's answers that inherited or recalled it."""
    told = inherited(90, SourceKind.EPISODE), recalled(90, SourceKind.EPISODE)
    for message_id, *sources in ((50, recalled(1), said(2)), (51, recalled(1), said(70), told[0])):
        add_answer(connection, *sources, MessageId=message_id, EpisodeId=90)
    given = {
        add_answer(connection, told[0]): {told[0], inherited(1), inherited(2), inherited(70)},
        add_answer(connection, told[1], recalled(1), recalled(70, SourceKind.MEMORY)): {
            *(told[1], recalled(1), recalled(70, SourceKind.MEMORY), inherited(2), inherited(70))
        },
        add_answer(connection, inherited(91, SourceKind.EPISODE)): {
            inherited(91, SourceKind.EPISODE)
        },
        add_answer(connection, inherited(90)): {inherited(90)},
        add_answer(connection, recalled(1), MessageId=52, EpisodeId=90): {recalled(1)},
        add_answer(connection, told[0], kith=KITH_ELSEWHERE, MessageId=50): {told[0]},
        add_answer(connection, told[0], MessageId=53, Role=Role.MEMBER): {
            *(told[0], inherited(1), inherited(2), inherited(70))
        },
    }
    dependants.drop_sources(connection, GUILD, [50, 51, 53])
    sources = stored(connection, SOURCE.EventId, SOURCE.Kind, SOURCE.SourceId, SOURCE.Role)
    assert sorted(sources) == sorted((n, *source) for n, each in given.items() for source in each)


# --- words --------------------------------------------------------------------------------------


def test_the_words_of_messages_include_those_of_their_attachments(connection):
    for member, message_id, text in (
        *((ADA, 1, "a walrus"), (BOB, 2, "tea"), (ADA, 3, "cake"), (ELSEWHERE, 1, "milk")),
    ):
        add(connection, memory_event, **by(member), MessageId=message_id, Text=text)
    for member, message_id, text in (
        *((ADA, 1, "a zebra"), (ADA, 3, "a yak"), (ELSEWHERE, 1, "a horse")),
    ):
        artifact_id = add(connection, artifact, **of(member), MessageId=message_id)
        add(connection, artifact_text, **of(member), ArtifactId=artifact_id, Text=text)
    assert dependants.words_of_messages(connection, GUILD, [1, 2]) == {"walrus", "tea", "zebra"}
    rows = [
        add(connection, user_memory, **of(ADA), Memory=text) for text in ("tea", "cake", "milk")
    ]
    assert dependants.words_of_memories(connection, rows[:2]) == {"tea", "cake"}


# --- open loops ---------------------------------------------------------------------------------


def test_loops_go_with_their_own_message_and_those_they_repeat(connection):
    def add_loop(member, message_id, *repeated):
        row_id = add(connection, open_loop, **of(member), MessageId=message_id)
        for other_id in repeated:
            row = {"LoopId": row_id, "MessageId": other_id}
            add(connection, loop_source, GuildId=member.guild_id, **row)
        return row_id

    gone = [add_loop(ADA, 1), add_loop(BOB, 7, 8, 2)]
    kept = [add_loop(ADA, 3, 4), add_loop(ELSEWHERE, 1), add_loop(ELSEWHERE, 5, 2)]
    has = dependants.has_dependants
    add_answer(connection, recalled(60))
    add_answer(connection, recalled(61, SourceKind.MEMORY))
    assert [has(connection, GUILD, [n]) for n in (2, 8, 4, 60)] == [True] * 4
    assert has(connection, GUILD, [99, 60]) and has(connection, GUILD, [99, 2])
    assert [has(connection, GUILD, [n]) for n in (1, 5, 61, 99)] == [False] * 4
    assert not has(connection, ELSEWHERE.guild_id, [60, 4])
    dependants.delete_loops(connection, GUILD, {1, 2, 99})
    assert stored(connection, LOOP.Id) == kept
    assert {*stored(connection, loop_source.c.LoopId)}.isdisjoint(gone)

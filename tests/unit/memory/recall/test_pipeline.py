"""A whole recall, composed of what was loaded: the block, and what it rests on."""

from dataclasses import replace
from datetime import UTC

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    at,
    audience,
    make_event,
    make_memory,
)
from tests.rows import each_row
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.channel_context import (
    NO_PAST_EPISODES,
    PastEpisodes,
    RecallRequest,
)
from utils.memory.recall.documents import prepare_messages
from utils.memory.recall.pipeline import Material, Rules, compose
from utils.memory.recall.prepared_cache import LoadedMemory, PreparedMember
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.models.episode import LoopKind, LoopState, OpenLoop, Summary, SummaryPart
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Form, Kind, Member, MemberHeader, Profile
from utils.models.policy import WriteMode
from utils.models.provenance import Provenance, SourceKind, SourceRef, SourceRole
from utils.models.recall import NOTHING_SIMILAR, Omission, Omissions, Person, Quote, Said
from utils.nlp.stemming import stems

OTHER_ADA = Member(GUILD, 11)
PRIVATE = 999
POLICY = RecallPolicy()


def said(event_id, text, **given):
    values = {
        "message_id": event_id + 100,
        "channel_id": CHANNEL,
        "source_id": CHANNEL,
        "said_at": at(days=-1),
        "expires_at": at(days=9),
        "stems": " ".join(stems(text)),
    } | given
    return Said(event_id=event_id, text=text, **values)


def loop(id, member=ADA, **given):
    values = {
        "member": member,
        "channel_id": CHANNEL,
        "source_id": CHANNEL,
        "message_id": id + 100,
        "kind": LoopKind.GOAL,
        "text": f"to paint {id} boats",
        "created_at": at(days=-1),
        "expires_at": at(days=9),
        "id": id,
    } | given
    return OpenLoop(**values)


def summary(id, text="we sailed the boat to Oslo and back", **given):
    values = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "source_id": CHANNEL,
        "episode_id": id + 1000,
        "part": SummaryPart.FINAL,
        "first_event_id": 10,
        "last_event_id": 20,
        "structure": "",
        "stems": " ".join(stems(text)),
        "said_from": at(days=-2),
        "said_to": NOON,
        "expires_at": at(days=9),
        "id": id,
        "about_ids": (id + 500,),
    } | given
    return Summary(text=text, **values)


def past_of(*summaries):
    closed = [
        said(one.id, one.text, said_at=one.said_from)
        for one in summaries
        if one.part is SummaryPart.FINAL
    ]
    return PastEpisodes(1, 1, {one.id: one for one in summaries}, prepare_messages(closed))


FINAL, RUNNING = summary(1), summary(2, "they plan a trip", part=SummaryPart.RUNNING)
LORE = make_memory("the boat is called Fig", id=50, user_id=0, kind=Kind.LORE)
HEADER = MemberHeader(profile=Profile("Sails a lot.", (1,)))
ROWS = (
    make_memory("sails a lot", id=1),
    make_memory("owns a boat", id=2, kind=Kind.PREFERENCE),
    make_memory("hates figs", id=3, kind=Kind.PREFERENCE, last_confirmed_at=at(days=-3)),
    make_memory("wants no boat jokes", id=4, kind=Kind.CONSTRAINT),
    make_memory("hides a boat", id=5, kind=Kind.PREFERENCE, channel_id=PRIVATE),
    make_memory("I sold another boat", id=6, form=Form.QUOTE),
)
MESSAGES = (
    said(7, "I painted my boat green"),
    said(8, "in sight I have a boat"),
    said(9, "privately I like my boat", source_id=PRIVATE),
)


def prepared(rows=(), messages=(), loops=(), behind=None, successors=None):
    return PreparedMember(
        rows=PreparedMemories(rows, 1, behind, successors),
        said=prepare_messages(messages),
        server_version=1,
        last_event_id=9,
        stale_at=None,
        loops=tuple(loops),
    )


ADAS = HEADER, prepared(ROWS, MESSAGES, [loop(1)])


def material(people=None, text="how is the boat?", sources=(), now=NOON, **given):
    people = {ADA: ADAS} if people is None else people
    linked = given.pop("linked", {})
    values = {
        "request": RecallRequest(
            audience=audience(*sources),
            query=Query.of(text, now=now, zone=UTC),
            similarities=given.pop("similarities", NOTHING_SIMILAR),
            now=now,
            zone=UTC,
            visible_ids=frozenset({108}),
            exclude_id=0,
        ),
        "about": {
            member: Person(member.user_id, {ADA: "Ada", BOB: "Bob"}[member])
            for member in people
            if member not in linked.values()
        },
        "loaded": LoadedMemory(people, PreparedMemories([LORE], 1), linked),
        "past": past_of(FINAL, RUNNING),
        "turns": [make_event(id=30)],
        "settings": GuildSettings(GUILD),
    } | given
    return Material(**values)


def composed(made=None, policy=POLICY, **rules):
    return compose(material() if made is None else made, policy, Rules(**rules))


def block(made=None, **rules):
    return composed(made, **rules).block


WHOLE = """\
[What you know about Ada:]
Profile: Sails a lot.
Courtesy: wants no boat jokes
Recent: hates figs (3 days ago)
Relevant: owns a boat (just now)
Said: "I sold another boat" (11 March) | "I painted my boat green" (10 March)
[What you know about this server:]
Lore: the boat is called Fig (just now)
[What was talked about before:]
Open: Ada: to paint 1 boats (a goal, yesterday)
Earlier: 9 March, we sailed the boat to Oslo and back"""


def test_a_recall_has_all_layers_and_says_what_it_rests_on():
    recall = compose(material(), POLICY, Rules(), cuts := Omissions())
    assert sorted(recall.block.splitlines()) == sorted(WHOLE.splitlines())
    assert ({row.id for row in recall.rows}, cuts.rows) == ({2, 3, 4, 6, 50}, {})
    assert recall.quotes == (Quote(7, 107, "I painted my boat green"),)
    assert recall.about_ids == (ADA.user_id, 501, 502, 0)
    assert recall.now == "Now: they plan a trip"
    assert recall.loops == (loop(1),)
    memory, message, episode = SourceKind.MEMORY, SourceKind.MESSAGE, SourceKind.EPISODE
    ids = [source.id for source in recall.provenance.sources if source.kind is memory]
    assert sorted(ids) == [1, 2, 3, 4, 6, 50]
    assert [source for source in recall.provenance.sources if source.kind is not memory] == [
        SourceRef(message, 107),
        SourceRef(message, 101),
        SourceRef(episode, 1001),
        SourceRef(episode, 1002, SourceRole.SAID),
    ]
    assert recall.provenance == Provenance(
        sources=recall.provenance.sources, event_ids=(7,), loops=((1, 101),)
    )
    matches = recall.matches_by_user[ADA.user_id]
    assert {match.row.id for match in matches.rows} == {2, 4, 6}
    assert {match.row.event_id for match in matches.messages} == {7}
    assert recall.matches_by_user.keys() == {ADA.user_id}


def test_attachment_texts_are_sources_without_events_of_their_own():
    picture = said(-3, "a boat in a picture", message_id=103, label="[image]")
    made = material({ADA: (MemberHeader(), prepared((), [picture]))})
    assert composed(made).provenance.event_ids == ()
    assert SourceRef(SourceKind.MESSAGE, 103) in composed(made).provenance.sources


@each_row(
    ("changed", "gone"),
    [
        ({"settings": GuildSettings(GUILD, lore=False)}, ["Lore"]),
        ({"past": NO_PAST_EPISODES}, ["Earlier"]),
        ({"people": {}}, ["[What you know about Ada:]", "Open", "Earlier"]),
        (
            {"settings": GuildSettings(GUILD, write_mode=WriteMode.MANUAL)},
            ["Open", "Earlier", "[What was talked about before:]"],
        ),
    ],
)
def test_what_is_switched_off_or_missing_is_left_out(changed, gone):
    text = block(material(**changed))
    assert text
    assert not any(line.startswith(start) for line in text.splitlines() for start in gone)


def test_without_approval_what_somebody_asked_for_is_still_brought_up():
    asked = [loop(1), loop(2, kind=LoopKind.ASK)]
    made = material(
        {ADA: (HEADER, prepared(ROWS, MESSAGES, asked))},
        settings=GuildSettings(GUILD, write_mode=WriteMode.SHADOW),
    )
    recall = composed(made)
    assert [one.id for one in recall.loops] == [2]
    assert recall.now == ""
    assert 502 not in recall.about_ids
    assert recall.quotes == ()  # no approved memory rests on a message


def test_the_current_episode_counts_only_where_it_is_told():
    recall = composed(may_tell=lambda text: "trip" not in text)
    assert (recall.now, 502 in recall.about_ids) == ("", False)
    assert 1002 not in {source.id for source in recall.provenance.sources}
    assert composed(material(past=past_of(FINAL))).now == ""


@each_row(
    ("consent", "default", "is_told"),
    [
        (None, Consent.LASTING, True),
        (None, Consent.OFF, False),
        (Consent.OFF, Consent.LASTING, False),
        (Consent.TEMPORARY, Consent.OFF, True),
    ],
)
def test_consent_decides_whether_a_person_is_told_of(consent, default, is_told):
    people = {ADA: (replace(HEADER, consent=consent), ADAS[1])}
    settings = GuildSettings(GUILD, consent_default=default)
    recall = composed(material(people, settings=settings))
    assert ("Ada" in recall.block) is is_told
    assert bool(recall.matches_by_user) is is_told
    assert bool(recall.loops) is is_told


def test_of_an_ignored_person_memories_are_told_and_neither_messages_nor_loops():
    recall = composed(material({ADA: (replace(HEADER, ignored=True), ADAS[1])}))
    assert 2 in {row.id for row in recall.rows}
    assert (recall.quotes, recall.loops) == ((), ())
    assert recall.matches_by_user[ADA.user_id].messages == ()


def test_rows_and_messages_of_readable_channels_are_ranked_also_by_meaning():
    recall = composed(material(sources=[PRIVATE]))
    assert {row.id for row in recall.rows} >= {2, 5}
    assert {quote.event_id for quote in recall.quotes} == {7, 9}
    near = replace(NOTHING_SIMILAR, rows={3: 0.9}, events={7: 0.9})
    matches = composed(material(text="hm", similarities=near)).matches_by_user[ADA.user_id]
    assert [match.row.id for match in matches.rows] == [3]
    assert [match.row.event_id for match in matches.messages] == [7]
    days = composed(material(text="what was yesterday?")).matches_by_user[ADA.user_id]
    assert [match.row.event_id for match in days.messages] == [7]


def test_a_second_account_of_the_speaker_is_told_under_their_name():
    header = replace(HEADER, linked_id=OTHER_ADA.user_id)
    other = (
        MemberHeader(),
        prepared([make_memory("rows a boat", id=20, kind=Kind.PREFERENCE)], (), [
            loop(3, OTHER_ADA)
        ]),
    )  # fmt: skip
    people = {ADA: (header, ADAS[1]), OTHER_ADA: other}
    recall = composed(material(people, linked={ADA: OTHER_ADA}))
    assert "rows a boat" in recall.block
    assert "Ada: to paint 3 boats" in recall.block
    assert recall.about_ids[:2] == (ADA.user_id, OTHER_ADA.user_id)
    assert recall.block.count("[What you know about Ada") == recall.block.count("about Ada") == 1
    assert {one.id for one in recall.loops} == {1, 3}


def test_only_the_speakers_own_loops_are_brought_up():
    bobs = (MemberHeader(), prepared([make_memory("owns a boat too", id=30)], (), [loop(4, BOB)]))
    recall = composed(material({ADA: ADAS, BOB: bobs}))
    assert [one.id for one in recall.loops] == [1]
    assert "[What you know about Bob:]" in recall.block
    turned = composed(material({BOB: bobs, ADA: ADAS}))
    assert [one.id for one in turned.loops] == [4]
    assert "Bob: to paint 4 boats" in turned.block


def test_a_settled_loop_is_not_brought_up_again():
    asked = []
    settled = composed(is_settled=lambda one, now: asked.append((one, now)) or True)
    assert settled.loops == ()
    assert asked == [(loop(1), NOON)]


def test_what_may_not_be_told_is_in_no_part():
    told = composed(may_tell=lambda text: "boat" not in text)
    assert "boat" not in told.block
    assert "Profile: Sails a lot." in told.block


def test_what_is_in_the_profile_is_not_repeated_and_recent_is_what_is_live_and_visible():
    rows = (
        make_memory("sails a lot", id=1),
        make_memory("I know figs", id=2, form=Form.QUOTE),
        make_memory("no jokes", id=3, kind=Kind.CONSTRAINT, channel_id=PRIVATE),
        make_memory("plays late", id=4, kind=Kind.PATTERN, last_confirmed_at=at(days=-80)),
        make_memory("left", id=5, expires_at=NOON),
        make_memory("hides", id=6, channel_id=PRIVATE),
        *(
            make_memory(
                f"likes {n} pears", id=n, kind=Kind.PREFERENCE, last_confirmed_at=at(days=n)
            )
            for n in range(-6, 0)
        ),
    )
    recall = composed(material({ADA: (HEADER, prepared(rows))}, text="sailing", past=past_of()))
    assert {row.id for row in recall.rows} == {-1, -2, -3, -4}
    assert "Courtesy" not in recall.block
    assert "Relevant" not in recall.block
    few = composed(
        material({ADA: (HEADER, prepared(rows))}, text="sailing"), replace(POLICY, most_recent=2)
    )
    assert {row.id for row in few.rows} == {-1, -2}


def test_a_message_is_left_out_where_moderators_have_not_approved_its_memory():
    long = "spent several weekends of the spring with green paint and two brushes"
    approved = make_memory(long, id=2, kind=Kind.PREFERENCE)  # the message is shorter
    rows = {ADA: (MemberHeader(), prepared([approved], MESSAGES, behind={2: (107,)}))}
    manual = GuildSettings(GUILD, write_mode=WriteMode.MANUAL)
    assert [quote.event_id for quote in composed(material(rows, settings=manual)).quotes] == [7]


def test_what_its_author_asks_to_keep_from_others_is_told_to_nobody_else():
    rows = (
        make_memory(
            "buys a boat", id=30, stems=search_stems("buys a boat", "don't tell her: a boat")
        ),
        make_memory("don't tell her that I race boats", id=31, form=Form.QUOTE),
        make_memory("no boat jokes, keep it a secret", id=32, kind=Kind.CONSTRAINT),
        make_memory("owns a red boat", id=33, stems=search_stems("owns a red boat", "my red boat")),
    )
    messages = (
        said(34, "the boat is for Ada, don't tell her"),
        said(35, "a drawing of the boat's plan", message_id=134, label="[plan.png]"),
        said(36, "my boat is small and blue"),
    )
    header = MemberHeader(profile=Profile("Buys a boat. Owns a red boat.", (30, 33)))
    bobs = header, prepared(rows, messages)
    cuts = Omissions()
    made = material({ADA: (MemberHeader(), prepared()), BOB: bobs}, "what is it with the boat?")
    recall = compose(made, POLICY, Rules(), cuts)
    assert "red boat" in recall.block
    assert "small and blue" in recall.block
    for text in ("uys a boat", "race boats", "jokes", "for Ada", "drawing"):
        assert text not in recall.block, text
    assert {30, 31, 32, 33} & {ref.id for ref in recall.provenance.sources} == {33}
    matches = recall.matches_by_user[BOB.user_id]
    assert {match.row.event_id for match in matches.messages} == {36}
    assert set(cuts.messages.values()) == {Omission.UNFIT}
    assert set(cuts.messages) == {34, 35}
    own = composed(material({BOB: bobs}, "what is it with the boat?"))
    for text in ("Buys a boat", "race boats", "jokes", "small and blue"):
        assert text in own.block, text
    assert {match.row.event_id for match in own.matches_by_user[BOB.user_id].messages} == {
        34,
        35,
        36,
    }


HOME = make_memory("lives in Dornbirn", id=9, kind=Kind.PREFERENCE)


def moved(*messages, behind, rows=(HOME,), successors=None, **given):
    """The block, and why messages are left out, after "lives in Bregenz" was superseded."""
    successors = {8: 9} if successors is None else successors
    people = {ADA: (HEADER, prepared(rows, messages, behind=behind, successors=successors))}
    made, cuts = material(people, "where do you live in Bregenz?", **given), Omissions()
    return compose(made, POLICY, Rules(), cuts).block, cuts.messages


def test_what_a_newer_note_made_untrue_is_not_quoted_beside_it():
    bregenz, dornbirn = said(1, "I live in Bregenz now"), said(2, "I live in Dornbirn now")
    block, cuts = moved(bregenz, dornbirn, behind={8: (101,), 9: (102,)})
    assert "Bregenz" not in block
    assert 'Said: "I live in Dornbirn now"' in block
    assert cuts[1] is Omission.OUTDATED


def test_a_question_about_what_ended_is_answered_with_what_took_its_place():
    block, _ = moved(said(1, "I live in Bregenz now"), behind={7: (101,)}, successors={7: 8, 8: 9})
    assert "Bregenz" not in block
    assert "lives in Dornbirn" in block


def test_a_contradiction_that_nothing_settles_is_told_with_both_dates():
    leeds, york, paints = (
        make_memory(text, id=id, fact_key=key, last_confirmed_at=at(days=days))
        for text, id, key, days in (
            ("lives in Leeds", 21, "home_city", -240),
            ("lives in York", 22, "home_city", -2),
            ("paints", 23, "hobby", -2),
        )
    )
    header = MemberHeader(profile=Profile("Lives in Leeds. Lives in York. Paints.", (21, 22, 23)))
    text = block(material({ADA: (header, prepared((leeds, york, paints)))}, "hello there"))
    assert "lives in Leeds (7 months ago)" in text
    assert "lives in York (2 days ago)" in text
    assert "paints (" not in text
    text = block(material({ADA: (header, prepared((york, paints)))}, "hello"))
    assert "Recent" not in text


def test_sentences_about_others_alone_are_not_quoted():
    rumour = said(7, "Bob hid my old boat in a barn. Bob sold his own boat to Carl last week")
    text = block(material({ADA: (HEADER, prepared((), [rumour])), BOB: ADAS}))
    assert "Bob hid my old boat" in text
    assert "Carl" not in text
    rumour = said(7, "@Dora painted her boat in many colours")
    assert "Dora" not in block(material({ADA: (HEADER, prepared((), [rumour]))}))


@pytest.mark.parametrize("kind", [LoopKind.REMINDER, LoopKind.ASK])
def test_a_request_that_was_carried_out_is_not_quoted_but_what_came_with_it_is(kind):
    asked = said(7, "remind me to paint the boat tomorrow")
    plan = said(-7, "boat plans with a sail", message_id=asked.message_id, label="[document #A1]")
    done = loop(5, kind=kind, message_id=asked.message_id, state=LoopState.CLOSED)
    text = block(material({ADA: (HEADER, prepared((), [asked, plan], [done]))}))
    assert "remind me" not in text
    assert "boat plans" in text


def test_of_what_was_asked_to_be_remembered_the_note_is_told_not_the_request():
    asked = said(7, "Remember that I own a boat, please")
    rows = PreparedMemories([ROWS[1]], 1, {2: (asked.message_id,)}, requests=[asked.message_id])
    person = replace(prepared((), [asked]), rows=rows)
    text = block(material({ADA: (HEADER, person)}))
    assert "Relevant: owns a boat" in text
    assert "Remember that" not in text


def test_the_text_of_a_page_is_told_to_a_question_only():
    page = said(-7, "A boat needs antifouling paint", message_id=107, label="[link #A1]")
    people = {ADA: (HEADER, prepared((), [replace(page, is_page=True)]))}
    assert "antifouling" in block(material(people, "does my boat need antifouling paint?"))
    assert "antifouling" not in block(material(people, "my boat needs antifouling paint."))

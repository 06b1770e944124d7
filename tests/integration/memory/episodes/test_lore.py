"""Lore: noted when an episode closes, judged, told where all may read it, gone with its words."""

from dataclasses import replace

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    audience,
    make_answer,
    make_event,
    make_guild_settings,
    make_reader,
)
from tests.fakes.scribe import Scribe
from tests.integration.memory.episodes.test_episodes import Hall
from utils.common.errors import ModelUnreachable
from utils.database.erasure import confidences
from utils.database.schema.memory_tables import memory_event, memory_evidence, user_memory
from utils.memory.member_data.review import ReviewQueue
from utils.memory.privacy.pruning import prune
from utils.models.guild import GuildSettings
from utils.models.memory import SERVER_USER_ID, Consent, Member, Status
from utils.models.policy import WritePolicy
from utils.models.provenance import Provenance, SourceKind, SourceRef
from utils.models.recall import Person

CAROL = Member(GUILD, 30)
TOLD = ("the goat ate our server again", "goat strikes, the server is toast")
STORY = "the goat that ate the server"


def story(text=STORY, **given):
    told = [{"person": "[p1]", "quote": TOLD[0]}, {"person": "p2", "quote": TOLD[1]}]
    return {"text": text, "told": told} | given


class Answers:
    """What the model says of an episode, and which of its stories may be kept."""

    def __init__(self):
        self.lore, self.kept = [story()], ["#1."]

    def __call__(self, asked):
        if "STORY 1" in asked:
            if isinstance(self.kept, Exception):
                raise self.kept
            return {"kept": self.kept}
        return {"summary": "They laughed about the goat.", "lore": self.lore}


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
async def hall(database, clock, answers):
    made = Hall(database, clock, Scribe(answers))
    for member in (ADA, BOB):
        await made.keeper.set_consent(member, Consent.LASTING)
    return made


async def tell(hall):
    first = await hall.say(TOLD[0])
    second = await hall.say(TOLD[1], by=BOB)
    await hall.say("haha yes", by=ADA)
    await hall.hush()
    return first, second


async def noted(hall):
    is_lore = user_memory.c.UserId == SERVER_USER_ID
    return await hall.rows(user_memory.c.Memory, where=is_lore)


async def told(hall, clock, *sources, channel_id=CHANNEL, lore=True):
    """What stands in a prompt about the goat."""
    found = await make_reader(hall.database, clock).recall(
        audience(*sources, channel_id=channel_id),
        (Person(30, "Carol"),),
        "do you know the goat?",
        settings=GuildSettings(GUILD, lore=lore),
    )
    return [line for line in found.block.splitlines() if line.startswith("Lore: ")]


async def test_what_two_told_in_fun_is_noted_with_a_sentence_of_each(hall, clock):
    first, second = await tell(hall)
    assert await noted(hall) == [STORY]
    evidence = memory_evidence.c
    assert await hall.rows(evidence.MessageId, evidence.Quote, evidence.VerifiedBy) == [
        (first.message_id, TOLD[0], "model"),
        (second.message_id, TOLD[1], "model"),
    ]
    assert set(await hall.rows(evidence.Model, evidence.VerifierModel)) == {
        ("fake-triage", "fake-verify")
    }
    assert hall.scribe.models == ["fake-triage", "fake-verify"]
    assert len(await told(hall, clock)) == 1
    await hall.hush()
    await hall.chronicler.catch_up()
    assert await noted(hall) == [STORY]


async def test_it_has_no_words_of_messages_with_which_it_would_not_go(hall, answers):
    answers.lore = [story("the goat that ate the server in zanzibar")]
    await hall.say(TOLD[0])
    await hall.say(TOLD[1], by=BOB)
    await hall.say("that was in zanzibar, when I was ill", by=CAROL)
    await hall.hush()
    assert await noted(hall) == []


async def test_it_is_told_only_where_everybody_can_read_its_source(hall, clock):
    await tell(hall)
    assert await told(hall, clock, channel_id=CHANNEL + 1) == []
    assert await told(hall, clock, CHANNEL, channel_id=CHANNEL + 1)


async def test_moderators_switch_it_off_and_on(hall, clock):
    settings = make_guild_settings(hall.database, clock)
    assert (await settings.set_values(GUILD, lore=False)).lore is False
    await tell(hall)
    assert await noted(hall) == []
    assert (await settings.set_values(GUILD, lore=True)).lore is True
    await tell(hall)
    assert await noted(hall) == [STORY]
    assert await told(hall, clock, lore=False) == []


@pytest.mark.parametrize("kept", [[], ModelUnreachable("away")])
async def test_without_a_clear_verdict_nothing_is_noted(hall, answers, kept):
    answers.kept = kept
    await tell(hall)
    assert await noted(hall) == []
    assert await hall.texts("final") == ["They laughed about the goat."]


@pytest.mark.parametrize(
    "wrong",
    [
        story(told=[{"person": "[p1]", "quote": TOLD[0]}]),
        story(told=[{"person": "p1", "quote": TOLD[1]}, {"person": "p2", "quote": TOLD[1]}]),
        story(
            told=[{"person": "[p1]", "quote": TOLD[0]}, {"person": "p2", "quote": "made up words"}]
        ),
        story("the king of France eats cake"),
        story("the goat ate the server, call +49 170 1234567"),
    ],
)
async def test_what_was_not_told_by_two_in_these_words_is_not_noted(hall, answers, wrong):
    answers.lore = [wrong]
    await tell(hall)
    assert await noted(hall) == []


async def test_nobody_is_named_who_did_not_tell_it(hall, answers):
    again = "goat strikes again"
    quotes = [{"person": "[p1]", "quote": TOLD[0]}, {"person": "p2", "quote": again}]
    answers.lore = [story("Bob's goat ate the server", told=quotes)]
    carol = make_event(again, author_id=30, author_name="Carol", created_at=hall.clock.now())
    await hall.say(TOLD[0])
    await hall.recorder.record(carol, audience())
    await hall.say("what goat?", by=BOB)
    await hall.hush()
    assert await noted(hall) == []


async def forget_all(hall, member, event):
    await hall.keeper.forget_all(member)


async def shorten(hall, member, event):
    await hall.keeper.set_consent(member, Consent.TEMPORARY)


async def delete(hall, member, event):
    await hall.retention.retract(GUILD, [event.message_id])


WAYS = (forget_all, shorten, delete)


@pytest.mark.parametrize(("number", "way"), [*enumerate(WAYS)])
async def test_each_teller_takes_it_away(hall, clock, number, way):
    events = await tell(hall)
    assert await told(hall, clock)
    teller = number % 2
    await way(hall, (ADA, BOB)[teller], events[teller])
    assert await noted(hall) == []
    assert await told(hall, clock) == []


async def test_an_answer_made_from_it_goes_with_it(hall):
    first, _ = await tell(hall)
    is_lore = user_memory.c.UserId == SERVER_USER_ID
    (lore_id,) = await hall.rows(user_memory.c.Id, where=is_lore)
    asked = await hall.say("which animal was it?", by=Member(GUILD, 30))
    recalled = Provenance((SourceRef(SourceKind.MEMORY, lore_id),))
    answer = replace(make_answer(asked, "An old friend of yours."), provenance=recalled)
    await hall.recorder.record(answer, audience())
    text = memory_event.c.Text
    is_answer = memory_event.c.MessageId == answer.message_id
    assert await hall.rows(text, where=is_answer) == [answer.text]
    await hall.retention.retract(GUILD, [first.message_id])
    assert await hall.rows(text, where=is_answer) == [""]


@pytest.mark.parametrize("is_told_already", [False, True])
async def test_a_story_of_something_confidential_is_not_kept(hall, clock, is_told_already):
    if is_told_already:
        await tell(hall)
        assert await told(hall, clock, CHANNEL)
        first, *_ = await hall.rows(memory_evidence.c.MessageId)
        await hall.database.write(
            confidences.mark, member=ADA, message_ids=[first], now=clock.now()
        )
    else:
        await hall.say(TOLD[0])
        await hall.say("don't tell anyone", by=ADA)
        await hall.say(TOLD[1], by=BOB)
        await hall.hush()
    assert await noted(hall) == []
    assert await told(hall, clock, CHANNEL) == []


async def test_it_ends_with_the_first_of_its_sentences(hall, clock):
    await hall.keeper.set_consent(BOB, Consent.TEMPORARY)
    await tell(hall)
    clock.advance(days=29)
    assert await told(hall, clock)
    clock.advance(days=1)
    assert await told(hall, clock) == []
    await prune(hall.database, clock, WritePolicy())
    assert await noted(hall) == []


@pytest.mark.parametrize("blocked", ["consent", "ignored"])
async def test_no_story_of_somebody_who_may_not_be_noted(hall, clock, answers, blocked):
    settings = make_guild_settings(hall.database, clock)
    await hall.say(TOLD[0])
    await hall.say(TOLD[1], by=BOB)
    await hall.say("haha yes")
    if blocked == "consent":
        await hall.keeper.set_consent(BOB, Consent.OFF)
    else:
        await settings.ignore(BOB, ignored=True)
    await hall.hush()
    assert await noted(hall) == []


async def test_in_manual_mode_moderators_decide(hall, clock):
    settings = make_guild_settings(hall.database, clock)
    await settings.set_policy(GUILD, {"mode": "manual"}, actor_id=900, reason="")
    await tell(hall)
    status = user_memory.c.Status
    assert await hall.rows(status, where=user_memory.c.UserId == SERVER_USER_ID) == [
        Status.PROPOSED
    ]
    assert await told(hall, clock) == []
    (waiting,) = await ReviewQueue(hall.database, clock).waiting(GUILD)
    await hall.keeper.review(GUILD, waiting.id, approve=True, moderator_id=900)
    assert await told(hall, clock)

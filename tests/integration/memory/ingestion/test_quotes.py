"""Quotes and notes in the database: extracted again, fallen back, absorbed, reviewed."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeExtractor,
    FakeVerifier,
    audience,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_guild_settings,
    make_memory_service,
    make_reader,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from utils.common.errors import ModelUnreachable, RequestRefused
from utils.database.schema.memory_tables import (
    memory_context,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.extraction import BY_RULE, NO_VERDICT, Judgement
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind, VerifiedBy
from utils.models.policy import WriteMode
from utils.models.recall import Person
from utils.nlp.confidential import MARK


class House:
    """A recorder with a verifier, and short ways to look at what is stored."""

    def __init__(self, database) -> None:
        self.database, self.clock = database, ManualClock()
        self.verifier = FakeVerifier()
        self.extractor = FakeExtractor(self.read)
        self.notes: dict[str, tuple[str, dict]] = {}
        self.recorder = make_recorder(database, self.clock, self.extractor, verifier=self.verifier)
        self.keeper = make_memory_service(database, self.clock, verifier=self.verifier)

    def read(self, reading):
        candidates = []
        for event in reading.burst.events:
            for quote, (note, given) in self.notes.items():
                if quote in event.text:
                    row = {
                        key: next((r.id for r in reading.rows if r.text == value), None)
                        for key, value in given.items()
                        if key in ("confirms", "replaces")
                    }
                    candidates.append(
                        make_candidate(
                            note,
                            quote=quote,
                            subject_id=event.author_id,
                            **({"verdict": NO_VERDICT} | given | row),
                        )
                    )
        return make_extraction(*candidates)

    async def hear(self, text, note="", quote="", reply_to=None, **given):
        if note:
            self.notes[quote or text] = (note, given)
        event = make_event(text, created_at=self.clock.now(), reply_to_id=reply_to)
        await self.recorder.record(event, audience())
        await self.recorder.settle()
        return event

    async def rows(self):
        query = select(user_memory.c.Form, user_memory.c.Memory, user_memory.c.Status)
        found = await self.database.read(
            lambda s: s.execute(query.order_by(user_memory.c.Id)).all()
        )
        return [tuple(row) for row in found if row.Status in ("active", "proposed", "shadow")]

    async def notes_and_quotes(self):
        return [(form.value, text) for form, text, _ in await self.rows()]

    async def all_of(self, table):
        return await self.database.read(lambda s: s.execute(select(table)).all())

    async def block(self, text):
        reader = make_reader(self.database, self.clock)
        people = (Person(ADA.user_id, "Ada"),)
        elsewhere = audience(CHANNEL, channel_id=300)  # the last turns there are others
        recall = await reader.recall(elsewhere, people, text, settings=GuildSettings(GUILD))
        return recall.block


@pytest.fixture
async def house(database):
    made = House(database)
    await made.keeper.set_consent(ADA, Consent.LASTING)
    await made.recorder.start()
    yield made
    await made.recorder.close()


# --- verified later -------------------------------------------------------------------------------


async def test_a_burst_without_a_verdict_waits_whole_until_the_model_is_back(house, caplog):
    house.verifier.failures.append(ModelUnreachable())
    house.notes["I keep bees"] = ("keeps bees", {})
    house.notes["I am Ada"] = ("name is Ada", {"verdict": BY_RULE})
    await house.hear("I keep bees! I am Ada")
    assert await house.notes_and_quotes() == []
    assert "a burst of 1 messages waits for its verdicts" in caplog.text
    house.clock.advance(minutes=29)
    await house.recorder.settle()
    assert await house.notes_and_quotes() == []
    house.clock.advance(minutes=2)
    await house.recorder.settle()
    assert await house.notes_and_quotes() == [("note", "keeps bees"), ("note", "name is Ada")]
    assert {row.VerifiedBy for row in await house.all_of(memory_evidence)} == {
        VerifiedBy.MODEL,
        VerifiedBy.RULE,
    }


async def test_what_is_said_meanwhile_does_not_wait_and_costs_no_attempt(house):
    house.verifier.failures.append(ModelUnreachable())
    await house.hear("I keep bees", "keeps bees")
    for word in ("oboe", "harp", "lute", "drum"):
        house.clock.advance(minutes=5)
        await house.hear(f"I play the {word}", f"plays the {word}")
    assert len(await house.notes_and_quotes()) == 4
    house.clock.advance(minutes=15)
    await house.recorder.settle()
    assert ("note", "keeps bees") in await house.notes_and_quotes()


@pytest.mark.parametrize(
    ("refuser", "error", "pauses", "left"),
    [
        ("verifier", ModelUnreachable(), (1, 7, 25), 5),
        ("extractor", RequestRefused(), (1, 7, 25, 50), 5),
    ],
)
async def test_after_some_more_attempts_the_sentences_become_quotes(
    house, refuser, error, pauses, left
):
    failures = getattr(house, refuser).failures
    failures.extend([error] * 9)
    await house.hear("I keep bees", "keeps bees")
    for hours in pauses:
        assert await house.notes_and_quotes() == []
        house.clock.advance(hours=hours)
        await house.recorder.settle()
    assert await house.notes_and_quotes() == [("quote", "I keep bees")]
    house.clock.advance(hours=40)
    await house.recorder.settle()
    assert len(failures) == left


@pytest.mark.parametrize(
    ("judgement", "left"),
    [(Judgement.UNSUPPORTED, [("quote", "I keep bees")]), (Judgement.OTHER, [])],
)
async def test_a_late_verdict_against_a_note_makes_none(house, judgement, left):
    house.verifier.failures.append(ModelUnreachable())
    await house.hear("I keep bees", "keeps wolves")
    house.verifier.judge = lambda claim: judgement
    house.clock.advance(minutes=31)
    await house.recorder.settle()
    assert await house.notes_and_quotes() == left


async def test_what_is_told_in_confidence_is_kept_from_others_though_its_verdict_is_missing(house):
    house.verifier.failures.append(ModelUnreachable())
    read = house.extractor.read

    def confide(reading):
        told = tuple(event.message_id for event in reading.burst.events)
        return replace(read(reading), confidential=told)

    house.extractor.read = confide
    await house.hear("I keep bees", "keeps bees")
    (event,) = await house.all_of(memory_event)
    assert MARK in event.Stems


async def test_of_a_deleted_message_nothing_is_learnt_later(house):
    house.verifier.failures.append(ModelUnreachable())
    event = await house.hear("I keep bees", "keeps bees")
    await house.keeper.retention.retract(GUILD, [event.message_id])
    house.clock.advance(minutes=31)
    await house.recorder.settle()
    assert await house.notes_and_quotes() == []


# --- lifetimes and corrections --------------------------------------------------------------------


async def test_lasting_consent_does_not_make_a_quote_permanent(house):
    await house.keeper.set_consent(ADA, Consent.TEMPORARY)
    house.verifier.judge = lambda claim: Judgement.UNSUPPORTED
    await house.hear("I keep bees", "keeps wolves")
    await house.keeper.set_consent(ADA, Consent.LASTING)
    (row,) = await house.all_of(user_memory)
    assert row.ExpiresAt == row.CreatedAt + timedelta(days=30)


# --- context --------------------------------------------------------------------------------------


async def test_a_note_falls_back_to_its_quote_when_what_it_answers_is_deleted(house):
    question = make_event("how did the driving test go?", author_id=BOB.user_id, author_name="Bob")
    await house.recorder.record(question, audience())
    await house.recorder.settle()
    await house.hear(
        "I PASSED!!!!!", "passed the driving test", quote="I PASSED", kind=Kind.EPISODE,
        reply_to=question.message_id,
    )  # fmt: skip
    assert await house.notes_and_quotes() == [("note", "passed the driving test")]
    (context,) = await house.all_of(memory_context)
    assert context.ContextMessageId == question.message_id
    await house.keeper.retention.retract(GUILD, [question.message_id])
    assert await house.notes_and_quotes() == [("quote", "I PASSED!!!!!")]
    assert await house.all_of(memory_context) == []
    stored = await house.all_of(user_memory)
    assert not any("driv" in str(value) for row in stored for value in row)


async def test_nothing_is_learnt_from_a_word_that_answers_for_a_password(house):
    asked = make_event("hi", created_at=house.clock.now())
    await house.recorder.record(asked, audience())
    await house.recorder.settle()
    await house.recorder.record(make_answer(asked, "what is your wifi password?"), audience())
    await house.hear("hunter2 of course", "likes hunting")
    assert await house.notes_and_quotes() == []
    assert house.recorder.extraction.refused["secret"] == 1


# --- in the prompt --------------------------------------------------------------------------------


async def test_a_quote_is_never_told_as_a_fact(house):
    house.verifier.judge = lambda claim: Judgement.UNSUPPORTED
    await house.hear("I keep bees on the roof", "keeps wolves", quote="I keep bees")
    block = await house.block("what about the bees?")
    assert "wolves" not in block
    assert block.count("bees") == 1
    assert 'Said: "I keep bees on the roof"' in block


# --- review ---------------------------------------------------------------------------------------


async def test_a_note_without_a_verdict_confirms_nothing(house):
    settings = make_guild_settings(house.database, house.clock)
    await settings.set_policy(GUILD, {"mode": WriteMode.MANUAL}, actor_id=1, reason="by hand")
    await house.hear("I keep bees", "keeps bees")
    house.verifier.failures.extend(ModelUnreachable() for _ in range(4))
    await house.hear("bees are what I keep", "keeps bees")
    for hours in (1, 7, 25):
        house.clock.advance(hours=hours)
        await house.recorder.settle()
    assert len(await house.all_of(memory_evidence)) == 1
    assert house.recorder.extraction.refused["unverified"] == 1

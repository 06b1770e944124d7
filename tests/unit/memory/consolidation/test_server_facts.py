"""What a member states for the server: a memory of the server, never of the member."""

from dataclasses import replace
from datetime import date, timedelta

from tests.fakes.builders import NOON, heard, make_candidate, make_event
from tests.rows import each_row
from tests.unit.memory.consolidation.test_planner import UNSUPPORTED, planned
from utils.memory.verification.checks import states_for_server
from utils.memory.verification.extraction_context import ContextText
from utils.models.extraction import NO_VERDICT
from utils.models.memory import Consent, ContextRef, Form, Kind, Source, Status
from utils.models.policy import WriteMode, WritePolicy

GAME_NIGHT = "game night is Friday at 8"


def fact(text=GAME_NIGHT, **given):
    return make_candidate(text, kind=Kind.SERVER_FACT, **given)


def test_it_is_the_servers_and_ends_after_its_day():
    plan = planned(fact())  # noon is on a Wednesday
    assert plan.inserts == ()
    (new,) = plan.server_facts
    assert (new.kind, new.form, new.status) == (Kind.SERVER_FACT, Form.NOTE, Status.ACTIVE)
    assert new.text.startswith("game night is Friday")
    assert new.evidence.quote == GAME_NIGHT
    assert NOON < new.expires_at <= NOON + timedelta(days=7)
    assert new.expires_at.hour == 0  # the end of that Friday
    assert new.expires_at.weekday() == 5


def test_a_rule_ends_with_its_message_and_after_ninety_days_at_most():
    (new,) = planned(fact("spoilers only in #films"), consent=Consent.TEMPORARY).server_facts
    assert new.expires_at == NOON + timedelta(days=30)
    (new,) = planned(fact("spoilers only in #films")).server_facts
    assert new.expires_at == NOON + timedelta(days=90)
    own = WritePolicy(longest_days={Kind.SERVER_FACT: 3})
    (new,) = planned(fact("spoilers only in #films"), policy=own).server_facts
    assert new.expires_at == NOON + timedelta(days=3)


@each_row(
    ("candidate", "reason"),
    [
        (fact(verdict=UNSUPPORTED), "unverified"),
        (fact(verdict=NO_VERDICT), "unverified"),
        (fact(source=Source.PASSIVE), "unverified"),
        (fact("my game night is Friday at 8"), "about another"),
        (fact("you play on Friday at 8"), "about another"),
        (fact(until=date(2020, 1, 2)), "over"),
    ],
)
def test_what_is_not_stated_for_everybody_is_neither_a_fact_nor_a_quote(candidate, reason):
    plan = planned(candidate)
    assert (plan.inserts, plan.server_facts) == ((), ())
    assert plan.refused == {reason: 1}


def test_what_needs_the_words_of_another_message_is_not_kept():
    before = ContextText(ContextRef(message_id=5, author_id=9), "is it in Lisbon?")
    context = replace(heard(), around=(before,))
    said = make_event(GAME_NIGHT)
    plan = planned(
        fact("game night is Friday in Lisbon", quote=GAME_NIGHT), said=said, context=context
    )
    assert (plan.server_facts, plan.refused) == ((), {"unsure": 1})


def test_moderators_may_want_to_approve_or_refuse_the_kind():
    wait = WritePolicy(approve_kinds=frozenset({Kind.SERVER_FACT}))
    assert planned(fact(), policy=wait).server_facts[0].status is Status.PROPOSED
    manual = WritePolicy(mode=WriteMode.MANUAL)
    assert planned(fact(), policy=manual).server_facts[0].status is Status.PROPOSED
    never = WritePolicy(refused_kinds=frozenset({Kind.SERVER_FACT}))
    assert planned(fact(), policy=never).server_facts == ()


def test_consent_off_keeps_nothing():
    assert planned(fact(), consent=Consent.OFF).server_facts == ()


def test_other_notes_of_the_same_message_stay_the_members():
    said = make_event("Game night is on Friday. I have a dog named Rex")
    night = fact("game night is on Friday")
    plan = planned(night, make_candidate(quote="I have a dog named Rex"), said=said)
    assert [new.text for new in plan.inserts] == ["has a dog named Rex"]
    assert len(plan.server_facts) == 1


@each_row(
    ("sentence", "expected"),
    [
        ("game night is Friday at 8", True),
        ("Spieleabend ist Freitag um 20 Uhr", True),
        ("@everyone game night is Friday at 8", True),
        ("spoilers only in #films", True),
        ("I host game night on Friday", False),
        ("unser Spieleabend ist Freitag", False),
        ("is game night on Friday?", False),
        ("@Bob game night is Friday", False),
        ("Bob runs game night on Friday", False),
        ("Kith, game night is Friday", False),
        ("your game night is Friday", False),
        ("du musst Spoiler markieren", False),
    ],
)
def test_it_speaks_of_nobody_and_to_nobody(sentence, expected):
    assert states_for_server(sentence, ("Bob",)) is expected

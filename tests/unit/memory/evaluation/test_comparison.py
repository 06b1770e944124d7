"""Comparing policies: the split, what is scored, and a search that never looks at the holdout."""

import math
import time
from dataclasses import replace
from datetime import timedelta
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.builders import CHANNEL, NOON, make_event, make_memory
from tests.unit.memory.policy.test_recall_policy_fields import POLICIES
from utils.common.text import estimate_tokens
from utils.memory.evaluation import comparison
from utils.memory.evaluation.comparison import (
    RecallOutcome,
    compare,
    outcome,
    tune,
    violations,
)
from utils.memory.evaluation.exchanges import RecordedMember, is_held_out, used
from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy
from utils.memory.recall.pipeline import Rules, compose
from utils.models.memory import Consent, Kind, Member, MemberHeader, Status
from utils.models.recall import Said
from utils.nlp.stemming import stems

THINGS = ("bicycle", "violin", "greenhouse", "telescope", "canoe", "pottery wheel", "beehive")
FITTED = [number for number in range(1, 40) if not is_held_out(f"1/{number}")]
HELD_OUT = [number for number in range(1, 40) if is_held_out(f"1/{number}")]
LASTING = MemberHeader(version=1, consent=Consent.LASTING)


def recorded_member(user_id):
    """A member tells of things they bought, and is answered which colours they have."""
    said, rows, behind, answered = [], [], {}, []
    for number, thing in enumerate(THINGS):
        at, colour = NOON + timedelta(days=number), ("red", "green", "blue")[number % 3]
        for part, text in enumerate(
            (f"I bought a {colour} {thing} at the market", f"The weather was lovely, day {number}")
        ):
            event_id = 2 * number + part + 1
            said.append(
                Said(
                    event_id=event_id,
                    message_id=1_000 + event_id,
                    channel_id=CHANNEL,
                    source_id=CHANNEL,
                    text=text,
                    said_at=at + timedelta(minutes=part),
                    expires_at=at + timedelta(days=365),
                    stems=" ".join(stems(text)),
                )
            )
        about = {"id": number + 1, "user_id": user_id, "created_at": at, "kind": Kind.EPISODE}
        row = make_memory(f"bought a {thing}", **about)
        rows.append(row)
        behind[row.id] = (1_000 + 2 * number + 1,)
        asked = make_event(
            f"What colour is the {thing} that I got?",
            id=100 + number,
            author_id=user_id,
            created_at=NOON + timedelta(days=30),
        )
        answered.append((asked, f"You bought a {colour} one at the market"))
    return RecordedMember(Member(1, user_id), LASTING, rows, behind, said, answered)


def exchanges_of(*user_ids):
    """The exchanges, of which only the message about the thing asked for is evidence."""
    exchanges = []
    for user_id in user_ids:
        for number, exchange in enumerate(recorded_member(user_id).exchanges()):
            evidence = frozenset([1_000 + 2 * number + 1])
            assert evidence <= exchange.message_ids
            exchanges.append(replace(exchange, memory_ids=frozenset(), message_ids=evidence))
    return exchanges


def ticks():
    """A clock that goes on by one at each look: how far a search gets is no matter of chance."""
    return map(float, count()).__next__


def policy(**weights):
    """A policy that ranks by what was said last."""
    plain = RankingWeights(text=0.1, coverage=0.0, date=0.0, continuity=3.0)
    return RecallPolicy(asking=replace(plain, **weights), most_items=2, most_recent=0)


# --- the split ----------------------------------------------------------------------------------


def test_the_split_is_the_one_it_has_always_been():
    """Were it to change, weights would be judged on what they were fitted on."""
    names = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43")
    assert [is_held_out(name) for name in names] == [False, True, False, False, True]
    shares = [is_held_out(f"guild/{number}") for number in range(4000)]
    assert 0.47 < sum(shares) / len(shares) < 0.53


# --- scoring ------------------------------------------------------------------------------------


def test_policies_are_compared_on_success_tokens_latency_and_violations_in_one_score():
    policies = {"good": RecallPolicy(), "small": policy()}
    found = compare(policies, exchanges_of(1, 2), Rules(), time.perf_counter)
    good, small = found.results.values()
    assert (found.exchanges, found.members) == (2 * len(THINGS), 2)
    assert good.outcome.success > 0.9 > small.outcome.success
    assert good.outcome.tokens > small.outcome.tokens
    assert good.outcome.violations == small.outcome.violations == 0.0
    assert 0.0 < good.outcome.ms < 1_000.0
    assert (good.better, good.worse, small.better, small.worse) == (0, 0, 0, 2)
    assert compare(policies, [], Rules(), time.perf_counter).results == {}


def test_each_part_of_the_score_has_its_price():
    best = RecallOutcome(success=1.0, tokens=0.0, ms=0.0, violations=0.0)
    assert best.score == 1.0
    assert replace(best, tokens=400.0).score == pytest.approx(0.9)
    assert replace(best, ms=10.0).score == pytest.approx(0.99)
    assert replace(best, violations=1.0).score == pytest.approx(0.0)


def test_what_may_not_be_shown_counts_whoever_let_it_through():
    exchange = exchanges_of(1)[0]
    recall = compose(exchange.material, RecallPolicy(), Rules())
    assert recall.rows and recall.quotes
    assert violations(exchange.material, recall, Rules()) == 0
    request = exchange.material.request
    shown = len(recall.rows) + len(recall.quotes)
    nowhere = replace(request, audience=replace(request.audience, sources=frozenset([1])))
    assert violations(replace(exchange.material, request=nowhere), recall, Rules()) == shown
    assert violations(exchange.material, recall, Rules(may_tell=lambda text: False)) == shown
    later = replace(request, now=request.now + timedelta(days=40_000))
    over = violations(replace(exchange.material, request=later), recall, Rules())
    assert over == len(recall.quotes)
    forgotten = replace(recall.rows[0], status=Status.FORGOTTEN)
    leaky = replace(recall, rows=(forgotten, *recall.rows[1:]))
    assert violations(exchange.material, leaky, Rules()) == 1
    assert outcome(exchange, leaky, Rules()).violations == 1
    others = replace(recall.rows[0], id=999)
    assert violations(exchange.material, replace(recall, rows=(others,), quotes=()), Rules()) == 1


ANY_EXCHANGE = exchanges_of(1)[3]


@settings(max_examples=settings.default.max_examples // 3)
@given(POLICIES)
def test_whatever_policy_may_be_applied_recall_answers_within_its_budget(any_policy):
    recall = compose(ANY_EXCHANGE.material, any_policy, Rules())
    assert not recall.block or estimate_tokens(recall.block) <= any_policy.block_tokens
    assert outcome(ANY_EXCHANGE, recall, Rules()).violations == 0
    (fits,) = recall.matches_by_user.values()
    assert all(np.isfinite(one.score) for one in (*fits.rows, *fits.messages))


@given(
    st.frozensets(st.sampled_from("abcdefgh"), min_size=1),
    st.frozensets(st.sampled_from("abcdefgh")),
    st.frozensets(st.sampled_from("abcdefgh")),
)
def test_an_answer_used_only_what_it_says_and_the_question_did_not(text, question, answer):
    found = used(" ".join(text), question, answer)
    new = text - question
    assert found == (
        len(new & answer) >= max(1, min(2, len(new))) and 2 * len(new & answer) >= len(new)
    )


# --- searching ----------------------------------------------------------------------------------


def test_nothing_of_the_holdout_can_be_fitted_on():
    with pytest.raises(ValueError, match="is held out"):
        tune(RecallPolicy(), exchanges_of(FITTED[0], HELD_OUT[0]), Rules(), math.inf, ticks())


def test_a_search_finds_what_was_hidden_from_it_and_never_ends_worse():
    start, exchanges = policy(), exchanges_of(FITTED[0])
    found, tried = tune(start, exchanges, Rules(), 40.0, ticks())
    both = {"start": start, "found": found}
    before, after = compare(both, exchanges, Rules(), lambda: 0.0).results.values()
    assert before.outcome.success < 0.8
    assert after.outcome.score > before.outcome.score + 0.1
    assert (after.better, after.worse) == (1, 0)
    assert tried > 10


def test_the_search_starts_at_the_policy_it_is_given_and_keeps_what_it_does_not_search():
    found, _ = tune(policy(), exchanges_of(FITTED[0]), Rules(), 20.0, ticks())
    assert (found.most_items, found.asking.text) == (2, 0.1)
    assert set(comparison.SEARCHED) <= set(comparison.field_schemas())

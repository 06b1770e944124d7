"""Judging policies: the split, the intervals, what is scored, and a search that never peeks."""

import json
import math
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.datasets import load
from benchmarks.datasets.convert import convert
from tests.rows import each_row
from tests.unit.memory.policy.test_recall_policy_fields import POLICIES
from utils.common.text import estimate_tokens
from utils.memory.evaluation import dialogue_exchanges, replay, tuning
from utils.memory.evaluation.comparison import compare
from utils.memory.evaluation.dialogue_exchanges import (
    Dialogue,
    DialogueFact,
    DialogueMessage,
    DialogueQuestion,
    exchanges,
)
from utils.memory.evaluation.recorded_exchanges import used
from utils.memory.evaluation.replay import (
    OBJECTIVES,
    evaluate,
    is_held_out,
    scored,
    table,
    violations,
)
from utils.memory.evaluation.tuning import EvidenceShares, HeldOut, cases, leaning, search, worth
from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy
from utils.memory.recall.pipeline import Rules, compose
from utils.memory.recall.ranking import MAX_RANKED, weigh
from utils.models.memory import Status
from utils.nlp.bootstrap import difference, interval

START = datetime(2026, 1, 5, 18, tzinfo=UTC)
FITTED = [name for name in map(str, range(40)) if not is_held_out(name)]
HELD_OUT = [name for name in map(str, range(40)) if is_held_out(name)]
THINGS = ("bicycle", "violin", "greenhouse", "telescope", "canoe", "pottery wheel", "beehive")


def conversation(name):
    """Somebody tells of things they bought, and is asked which colours they have."""
    made = Dialogue(name, ["Ada"])
    for number, thing in enumerate(THINGS):
        at = START + timedelta(days=number)
        text = f"I bought a {('red', 'green', 'blue')[number % 3]} {thing} at the market"
        made.messages.append(DialogueMessage(f"D{number}:1", 0, text, at))
        chat = f"The weather was lovely again, day {number}, we laughed a lot"
        made.messages.append(DialogueMessage(f"D{number}:2", 0, chat, at + timedelta(minutes=1)))
        made.facts.append(DialogueFact(f"D{number}:1", 0, f"bought a {thing}", f"D{number}:1"))
        question = f"What colour is the {thing} that Ada bought at the market?"
        gold = frozenset([f"D{number}:1"])
        asked_at = START + timedelta(days=30)
        made.questions.append(DialogueQuestion(question, gold, 4, (0,), asked_at, len(THINGS)))
    for question in made.questions:
        assert question.after == len(made.facts)
    return made


def replayed(*names):
    return [one for name in names for one in exchanges(conversation(name))]


def looks():
    """A clock that goes on by one at each look: how far a search gets is no matter of chance."""
    return map(float, count()).__next__


def policy(**weights):
    plain = RankingWeights(text=0.1, coverage=0.0, date=0.0, continuity=3.0)
    return RecallPolicy(asking=replace(plain, **weights))


# --- the split ----------------------------------------------------------------------------------


@given(st.text(max_size=40))
def test_a_conversation_lies_on_one_side_whatever_else_there_is(name):
    assert is_held_out(name) is is_held_out(name)


def test_the_split_is_the_one_it_has_always_been():
    """Were it to change, weights would be judged on what they were fitted on."""
    names = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43", "1/2", "")
    assert [is_held_out(name) for name in names] == [
        *(False, True, False, False, True),
        is_held_out("1/2"),
        is_held_out(""),
    ]
    shares = [is_held_out(f"guild/{number}") for number in range(4000)]
    assert 0.47 < sum(shares) / len(shares) < 0.53


# --- intervals ----------------------------------------------------------------------------------


def test_intervals_hold_a_known_mean_about_as_often_as_they_say():
    chance, held = np.random.default_rng(3), 0
    for trial in range(200):
        values = {}
        for name in range(30):
            level = chance.normal(0.4, 0.1)  # values of one conversation resemble each other
            values[str(name)] = list(chance.normal(level, 0.2, size=8))
        found = interval(values, seed=trial)
        held += found.low <= 0.4 <= found.high
    assert 0.88 <= held / 200 <= 0.985


def test_an_interval_is_the_same_each_time_and_honest_where_there_is_nothing_to_draw():
    values = {"a": [1.0, 0.0, float("nan")], "b": [0.5]}
    assert interval(values) == interval(values)
    assert interval(values).mean == 0.5
    assert np.isnan(interval({}).mean)
    assert np.isnan(interval({"only": [1.0, 2.0]}).low)


def test_a_difference_is_paired():
    before = {str(n): [float(n), float(n) + 5] for n in range(20)}
    after = {name: [one + 0.1 for one in some] for name, some in before.items()}
    found = difference(before, after)
    assert found.low == pytest.approx(0.1) and found.high == pytest.approx(0.1)


# --- scoring ------------------------------------------------------------------------------------


def test_a_policy_is_scored_on_every_objective_at_once():
    found = evaluate(
        {"good": RecallPolicy(), "small": RecallPolicy(most_items=1)},
        replayed("a", "b"),
        Rules(),
        time.perf_counter,
    )
    lines = {line.objective: line for line in table(found).lines}
    assert set(lines) == set(OBJECTIVES)
    assert lines["evidence in block"].means["good"].mean == 1.0
    assert lines["precision"].means["small"].mean == 1.0
    assert lines["tokens"].difference.high < 0
    assert lines["violations"].means["good"].mean == 0.0
    assert lines["duplicates"].means["good"].mean == 0.0
    assert table(found).exchanges == 2 * len(THINGS)


def test_what_may_not_be_shown_counts_whoever_let_it_through():
    exchange = replayed("a")[0]
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
    assert scored(exchange, leaky, Rules())["violations"] == 1.0


ANY_EXCHANGE = replayed("a")[3]


@settings(max_examples=60)
@given(POLICIES)
def test_whatever_policy_may_be_applied_recall_answers_within_its_budget(any_policy):
    recall = compose(ANY_EXCHANGE.material, any_policy, Rules())
    assert not recall.block or estimate_tokens(recall.block) <= any_policy.block_tokens
    found = scored(ANY_EXCHANGE, recall, Rules())
    assert found["violations"] == 0.0
    (fits,) = recall.matches_by_user.values()
    assert all(np.isfinite(one.score) for one in (*fits.rows, *fits.messages))


def test_what_is_shown_twice_is_a_duplicate():
    exchange = replayed("a")[0]
    recall = compose(exchange.material, RecallPolicy(), Rules())
    twice = replace(recall, rows=recall.rows * 2, quotes=())
    assert scored(exchange, twice, Rules())["duplicates"] == pytest.approx(0.5)


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


def test_the_search_orders_as_recall_does():
    read = RecallPolicy()
    for case in cases(replayed(FITTED[0]), read):
        exchange = case.exchange
        (fits,) = compose(exchange.material, read, Rules()).matches_by_user.values()
        for is_said, ranked in ((False, fits.rows), (True, fits.messages)):
            of = exchange.evidence_by_message if is_said else exchange.evidence_by_memory
            key = "message_id" if is_said else "id"
            is_gold = [
                bool(of.get(getattr(one.row, key), frozenset()) & exchange.gold) for one in ranked
            ]
            found = tuning._best_bits(case, read, is_said=is_said)
            most = min(len(found), len(is_gold), MAX_RANKED)
            assert [bool(bits) for bits in found[:most]] == is_gold[:most]


def test_weights_below_zero_make_no_match_one():
    """Shares of the best match would change their signs, or be divided by nothing."""
    read = policy(coverage=-0.3)
    for case in cases(replayed(FITTED[0]), read):
        for part in case.parts:
            terms = weigh(part.matches, read, in_context=part.is_said).terms
            assert (terms >= 0).all()
            assert np.isfinite(terms).all()


def test_nothing_of_the_holdout_can_be_fitted_on(monkeypatch):
    with pytest.raises(HeldOut):
        cases(replayed(FITTED[0], HELD_OUT[0]), RecallPolicy())
    looked_at = []
    real = tuning._shares
    monkeypatch.setattr(
        tuning,
        "_shares",
        lambda case, policy: looked_at.append(case.exchange.conversation) or real(case, policy),
    )
    some = replayed(*FITTED[:2], *HELD_OUT[:2])
    fitting = cases((one for one in some if not is_held_out(one.conversation)), policy())
    search(fitting, policy(), seed=1, until=100.0, monotonic=looks())
    assert set(looked_at) == set(FITTED[:2])


def test_thresholds_are_never_tried_on_the_holdout(monkeypatch):
    looked_at = []
    real = replay.scored
    monkeypatch.setattr(
        replay,
        "scored",
        lambda exchange, *rest: looked_at.append(exchange.conversation) or real(exchange, *rest),
    )
    start = EvidenceShares(0.0, 0.0, 0.0)
    proposal = tuning.Proposal(RecallPolicy(), start, start, 0.0, None, 0)
    some = replayed(FITTED[0], HELD_OUT[0])
    tuning.with_thresholds(proposal, some, Rules(), math.inf, looks())
    assert set(looked_at) == {FITTED[0]}


def test_a_search_finds_what_was_hidden_from_it_and_never_ends_worse():
    start = policy()  # what was said last, whatever is asked
    fitting = cases(replayed(*FITTED[:3]), start)
    found = search(fitting, start, seed=1, until=1_000.0, monotonic=looks())
    assert found.before.both < 0.95
    assert found.after.both > 0.99
    assert found.unseen_gain > 0.05
    assert found.tried > 10


@each_row(
    ("after", "share"),
    [
        (EvidenceShares(0.6, 0.5, 0.5), 0.0),  # both layers gained as much
        (EvidenceShares(0.6, 0.5, 0.4), 1.0),  # messages alone gained nothing
        (EvidenceShares(0.6, 0.45, 0.5), 0.5),
        (EvidenceShares(0.4, 0.3, 0.3), 0.0),
    ],
)
def test_a_gain_that_leans_on_one_layer_counts_for_less(after, share):
    before = EvidenceShares(0.5, 0.4, 0.4)
    assert leaning(before, after) == pytest.approx(share)
    gain = after.both - before.both
    assert worth(before, after) == pytest.approx(gain * (1 - 0.5 * share))


def test_a_converted_file_is_read_and_replayed(tmp_path):
    file = tmp_path / "locomo.json"
    said = {
        "speaker_a": "Ada",
        "speaker_b": "Bob",
        "session_1": [{"dia_id": "D1:1", "speaker": "Ada", "text": "I bought a canoe"}],
        "session_1_date_time": "1:00 pm on 8 May, 2023",
    }
    question = {"question": "Which canoe has Ada?", "evidence": ["D1:1"], "category": 4}
    others = {"question": "What did Bob buy?", "evidence": ["D1:1"], "category": 5}
    entry = {"sample_id": "conv-1", "conversation": said, "qa": [question, others]}
    file.write_text(json.dumps([entry]))
    converted = tmp_path / "exchanges.json"
    converted.write_text(dialogue_exchanges.to_json(convert(file)))
    (dialogue,) = dialogue_exchanges.load(converted)
    assert [dialogue] == convert(file)
    (exchange,) = exchanges(dialogue)
    recall = compose(exchange.material, RecallPolicy(), Rules())
    assert scored(exchange, recall, Rules())["evidence in block"] == 1.0


def test_conversations_without_a_name_are_told_apart(tmp_path):
    said = {"speaker_a": "Ada", "speaker_b": "Bob"}
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"conversation": said}, {"sample_id": "", "conversation": said}]))
    assert [one.name for one in load(file)[1]] == ["conversation 1", "conversation 2"]


# --- two policies on the same -----------------------------------------------------------------


def test_a_policy_compared_with_itself_changes_nothing():
    found = compare(RecallPolicy(), RecallPolicy(), replayed(*FITTED[:2]), Rules())
    assert (found.exchanges, found.members) == (2 * len(THINGS), 2)
    assert (found.same, found.alike.mean) == (found.exchanges, 1.0)
    assert [one.difference.mean for one in found.lines] == [0.0, 0.0, 0.0]


def test_what_another_policy_leaves_out_is_counted_and_evidence_only_where_it_is_known():
    first, *others = replayed(FITTED[0])
    some = [first, *(replace(one, gold=frozenset()) for one in others)]
    found = compare(RecallPolicy(), RecallPolicy(most_items=1, most_recent=0), some, Rules())
    items, tokens, evidence = found.lines
    assert (found.with_evidence, items.means["after"].mean) == (1, 1.0)
    assert found.same == 0 and 0 < found.alike.mean < 1
    assert items.difference.mean < 0 and tokens.difference.mean < 0
    known = compare(RecallPolicy(), RecallPolicy(most_items=1, most_recent=0), [first], Rules())
    assert evidence.means == known.lines[2].means
    nothing = compare(RecallPolicy(), RecallPolicy(), [], Rules())
    assert (nothing.exchanges, nothing.members, nothing.with_evidence) == (0, 0, 0)

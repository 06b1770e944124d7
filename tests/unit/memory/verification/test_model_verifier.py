"""The verification call: a short prompt, and nothing supported that is not listed."""

import json
from dataclasses import replace

import pytest

from tests.fakes.builders import ADA, BOB, KITH_ID, at, make_candidate, make_event, make_memory
from tests.fakes.clock import NOON
from tests.rows import each_row
from utils.common.errors import ModelMalformed
from utils.common.text import estimate_tokens
from utils.llm import prompts
from utils.llm.json_repair import parse_arguments
from utils.memory.verification.model_verifier import (
    TOOL,
    Claim,
    Verification,
    VerificationInput,
    build_messages,
    parse,
)
from utils.models.extraction import Judgement, Verdict
from utils.models.memory import Role, VerifiedBy

SAID = make_event("I moved to Oslo, and sold the boat", id=7)


def claim(text="lives in Oslo", sentence=SAID.text, event=SAID, **given):
    return Claim(make_candidate(text), event, sentence, **given)


def reading(*claims, **given):
    return VerificationInput(ADA, claims, (), NOON, "Europe/Berlin", **given)


def judged(*claims, **lists):
    answer = {"own": "s1", "follows": "", "same": "", "untrue": "", "profile": False} | lists
    return parse(answer, reading(*claims), "small-1")


def test_each_sentence_stands_once_with_its_notes_and_what_is_known():
    boat = make_memory("owns a boat")
    text = build_messages(reading(claim(), claim("sold the boat", known=boat)))[1].text
    assert text == (
        "TODAY Wednesday, 2026-03-11\n"
        "SAID\n"
        "s1: I moved to Oslo, and sold the boat\n"
        "  n1 lives in Oslo\n"
        "  n2 sold the boat (KNOWN: owns a boat)"
    )


def test_the_turns_before_and_the_reply_target_stand_with_it():
    question = make_event("where to?", author_id=KITH_ID, role=Role.KITH)
    late = make_event("Oslo!", id=8, created_at=at(days=-3))
    given = replace(
        reading(claim(sentence="Oslo!", event=late), replied_to={8: "where do you live?"}),
        previous=(question, make_event("guess", author_id=999)),
    )
    text = build_messages(given)[1].text
    assert "BEFORE\nKITH: where to?\nanother: guess" in text
    assert 's1 [2026-03-08, to "where do you live?"]: Oslo!' in text


def test_what_the_speaker_said_just_before_stands_with_it_unless_it_is_shown():
    text = build_messages(reading(claim(before="We had enough.")))[1].text
    assert 's1 [after "We had enough."]: I moved to Oslo' in text
    both = (claim(sentence="We had enough."), claim(before="We had enough."))
    assert "after" not in build_messages(reading(*both))[1].text


def test_what_the_speaker_said_just_after_stands_with_it_unless_it_is_shown():
    text = build_messages(reading(claim(before="We had enough.", after="jk\nlol")))[1].text
    assert 's1 [after "We had enough.", then "jk lol"]: I moved to Oslo' in text
    both = (claim(sentence="We sold it."), claim(after="We sold it."))
    assert "then" not in build_messages(reading(*both))[1].text
    long = build_messages(reading(claim(after="kidding " * 40)))[1].text
    assert f'then "{"kidding " * 14}kidding…"]' in long


def test_the_words_of_an_attachment_are_marked():
    text = build_messages(reading(claim(message_text="my flight!")))[1].text
    assert 's1 [in an attachment of "my flight!", own only if this calls it theirs]: ' in text


def test_only_what_is_listed_is_supported():
    verdicts = judged(claim(), claim("sold the boat"), follows="n2", untrue="n2").verdicts
    assert [verdict.judgement for verdict in verdicts] == [
        Judgement.UNSUPPORTED,
        Judgement.SUPPORTED,
    ]
    assert [verdict.ends for verdict in verdicts] == [False, True]
    assert verdicts[1].model == "small-1"
    assert verdicts[1].prompt_hash


def test_a_sentence_that_is_not_listed_as_own_is_dropped_whatever_follows():
    given = (claim(sentence="I moved to Oslo"), claim("sold the boat", sentence="I sold the boat"))
    verdicts = judged(*given, own="s2", follows="n1 n2").verdicts
    assert [one.judgement for one in verdicts] == [Judgement.OTHER, Judgement.SUPPORTED]
    assert judged(claim(), own="", follows="").verdicts[0].judgement is Judgement.OTHER


def test_nothing_is_supported_where_no_sentence_is_listed_as_own():
    verdicts = judged(claim(), claim("sold the boat"), own="", follows="n1").verdicts
    assert [one.judgement for one in verdicts] == [Judgement.UNSUPPORTED, Judgement.OTHER]


@each_row("missing", ["same", "untrue"])
def test_without_a_list_about_what_is_known_notes_with_a_known_one_are_not_supported(missing):
    beside = claim("sold the boat", known=make_memory("owns a boat"))
    verdicts = judged(claim(), beside, follows="n1 n2", **{missing: None}).verdicts
    assert [one.judgement for one in verdicts] == [Judgement.SUPPORTED, Judgement.UNSUPPORTED]
    assert judged(beside, **{missing: None}).verdicts[0].judgement is Judgement.UNSUPPORTED


@each_row("left_out", ["same", "untrue", "profile"])
def test_a_model_may_leave_out_what_it_has_nothing_to_say_about(left_out):
    written = {"own": "s1", "follows": "n1", "same": "", "untrue": "", "profile": False}
    del written[left_out]
    read = parse_arguments(json.dumps(written), TOOL.parameters)
    (verdict,) = parse(read, reading(claim()), "small-1").verdicts
    assert verdict.judgement is Judgement.SUPPORTED


@each_row(
    "ids", ["s1, n1", ["s1", "n1"], "S1 N1", "[s1], [n1].", '"s1" / "n1"', "s1 and n1", "1", [1]]
)
def test_lists_are_read_in_any_writing(ids):
    (verdict,) = judged(claim(), own=ids, follows=ids).verdicts
    assert verdict.judgement is Judgement.SUPPORTED


@each_row(
    "broken",
    [
        *({"own": None}, {"follows": 7}, {"own": {"s1": True}}),
        *({"follows": "n1: no"}, {"follows": ["not n1"]}, {"own": "s1 (cites a song)"}),
        *({"own": "all"}, {"own": "I moved to Oslo"}, {"own": "s7"}, {"follows": "#9"}),
        *({"follows": "1. n1"}, {"own": "n1"}, {"follows": "n1-n1"}),
    ],
)
def test_an_answer_without_its_lists_is_no_verdict(broken):
    with pytest.raises(ModelMalformed):
        judged(claim(), **broken)


@each_row("nothing", ["", "none", "-", [], ["none"], "n/a"])
def test_nothing_follows_where_a_list_names_none(nothing):
    (verdict,) = judged(claim(), follows=nothing).verdicts
    assert verdict.judgement is Judgement.UNSUPPORTED


@each_row("profile", [None, "yes", 1])
def test_a_profile_is_supported_only_by_a_plain_yes(profile):
    assert not judged(claim(), profile=profile).is_profile_supported
    assert judged(claim(), profile=True).is_profile_supported


@each_row("count", [1, 5, 10])
def test_a_call_takes_at_most_300_tokens_and_60_a_candidate(count):
    """The estimate is never too low: js-tiktoken counts a fifth less."""
    known = make_memory("used to live in a small flat in Hamburg")
    claims = [
        claim(
            f"has moved to a house in Oslo number {n}",
            sentence=f"hey we finally moved to a house in Oslo last week, number {n}",
            known=known,
        )
        for n in range(count)
    ]
    messages = build_messages(reading(*claims))
    definition = json.dumps([TOOL.name, TOOL.description, TOOL.parameters])
    tokens = sum(estimate_tokens(message.text) for message in messages)
    assert tokens + estimate_tokens(definition) <= 1.35 * (300 + 60 * count)


def test_a_whole_prompt_of_two_people_marks_who_said_what_when_and_where():
    bobs = make_event("flight", id=8, author_id=BOB.user_id, created_at=at(days=-1, hours=11))
    long = "w " * 200
    previous = (
        make_event("a\nb", author_id=ADA.user_id),
        make_event("c", author_id=KITH_ID, role=Role.KITH),
        make_event("d" * 120, author_id=999),
        make_event("e " * 61, author_id=999),
    )
    claims = (
        claim(known=make_memory("x " * 200)),
        claim("f\ng", "Flight", bobs, before="h\ni", message_text=long),
        claim("sold it", sentence="I sold it", before=SAID.text),
        claim("has moved"),
    )
    given = replace(
        reading(*claims, replied_to={8: long}, profile_update="Ada\nlives.", facts=("j", "k")),
        previous=previous,
    )
    assert [message.role for message in build_messages(given)] == ["system", "user"]
    assert build_messages(given)[1].text == (
        "TODAY Wednesday, 2026-03-11\nBEFORE\nspeaker: a b\nKITH: c\n"
        f"another: {'d' * 120}\nanother: …{'e ' * 59}e\n"
        "SAID\n"
        "s1 by p1: I moved to Oslo, and sold the boat\n"
        f"  n1 lives in Oslo (KNOWN: {'x ' * 79}x…)\n"
        "  n4 has moved\n"
        "s2 by p1: I sold it\n"
        "  n3 sold it\n"
        f's3 by p2 [to "…{"w " * 59}w", after "h i", '
        f'in an attachment of "{"w " * 59}w…", own only if this calls it theirs]: Flight\n'
        "  n2 f g\n"
        "PROFILE (profile: whether it says nothing beyond FACTS)\n"
        "Ada lives.\nFACTS\nj | k"
    )


def test_a_verdict_names_its_model_and_what_it_repeats_or_ends():
    hash_ = prompts.load("verify").hash
    verification = judged(
        claim(), claim("b"), claim("c", sentence="other"), own="s1", follows="n2", same="n1 n3"
    )
    assert verification == Verification(
        (
            Verdict(Judgement.UNSUPPORTED, VerifiedBy.MODEL, True, False, "small-1", hash_),
            Verdict(Judgement.SUPPORTED, VerifiedBy.MODEL, False, False, "small-1", hash_),
            Verdict(Judgement.OTHER, VerifiedBy.MODEL, True, False, "small-1", hash_),
        )
    )

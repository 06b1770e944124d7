"""Whatever a member writes, reading it costs little: the time is linear in the text's length.

The limit is ten times what the slowest of these takes on the build machine, in CPU time; a pattern
that is quadratic in these texts takes a second and more.
"""

from collections.abc import Callable
from datetime import UTC
from functools import partial
from time import process_time

import pytest

from tests.fakes.builders import make_event
from tests.fakes.clock import NOON
from tests.hostile_texts import ENDLESS, WITH_END
from tests.rows import each_row
from utils.common import links
from utils.common import text as texts
from utils.conversation import output_filter, prompt_messages
from utils.conversation.message_split import split_message
from utils.llm.json_repair import written_calls
from utils.llm.thoughts import without_thoughts
from utils.memory.extraction import endings, rule_extractor
from utils.memory.policy import storable_events
from utils.memory.recall.query import Query
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification import sentences
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.normalization import disguises, fold
from utils.nlp.phrase_matcher import tokens_of
from utils.sentiment import prefilter
from utils.without_model import questions, small_talk, wishes

LIMIT_S = 0.5
EVERY = {"rules": 5}  # of the texts: a hundred short sentences are a hundred statements
QUICK_EVERY = 8  # of the texts for each reader, other ones for the next reader
TRIES = 3  # the least counts: a collection of garbage may fall into one


def all_disguises(text: str) -> list[str]:
    lowered = fold(text).casefold()
    return list(disguises(lowered, tokens_of(lowered), has_digits=True))


def extracted_by_rules(text: str) -> list[object]:
    return list(rule_extractor.candidates(make_event(text), UTC))


def questions_of(text: str) -> object:
    return questions.parse_question(text, ["Ada"], NOON, UTC)


def answers_of(text: str) -> object:
    return questions.SentenceWords.of(text)


READERS: dict[str, Callable[[str], object]] = {
    "the safety filter": refusal_reason,
    "disguised words": all_disguises,
    "the prefilter of watching": prefilter.looks_heated,
    "trivial messages": prefilter.is_trivial,
    "wishes": lambda text: [wishes.parse_wish(text[at : at + 400]) for at in range(0, 1600, 400)],
    "remarks": small_talk.parse_remark,
    "questions": questions_of,
    "answers": answers_of,
    "ends": lambda text: endings.last_day(text, NOON, UTC),
    "slurs in answers": output_filter.has_slur,
    "splitting of answers": split_message,
    "a model's thoughts": without_thoughts,
    "links in answers": partial(links.shown, mode=links.LinkMode.NONE),
    "words in a prompt": prompt_messages.safe_words,
    "quotations": sentences.own_words,
    "sentences": partial(sentences.passage, quote="I live in Rome"),
    "tidied quotes": lambda text: sentences.tidied_passage(text, text[:500]),
    "long tidied quotes": partial(sentences.tidied_passage, quote="I'm a quote. " * 300),
    "short tidied quotes": partial(sentences.tidied_passage, quote="I'm"),
    "cleaning": texts.clean,
    "joining": texts.join_sentences,
    "topics": texts.clip_topics,
    "markdown": texts.escape_markdown,
    "mentions": texts.defuse_mentions,
    "storable text": storable_events.storable_text,
    "dates": partial(mentioned_dates, now=NOON, zone=UTC),
    "recall": lambda text: Query.of(text, ["Ada"], (), NOON, UTC),
    "rules": extracted_by_rules,
}


def is_slow(read: Callable[[str], object], text: str) -> bool:
    for _ in range(TRIES):
        started = process_time()
        read(text)
        if process_time() - started <= LIMIT_S:
            return False
    return True


@each_row("number, reader", enumerate(READERS))
def test_no_text_takes_long_to_read(number: int, reader: str) -> None:
    texts = list(WITH_END.items())[number % QUICK_EVERY :: QUICK_EVERY * EVERY.get(reader, 1)]
    assert slow_texts(reader, texts) == []


@pytest.mark.slow
@pytest.mark.parametrize("texts", [WITH_END, ENDLESS])
@each_row("reader", READERS)
def test_nor_does_any_other(reader: str, texts: dict[str, str]) -> None:
    assert slow_texts(reader, list(texts.items())[:: EVERY.get(reader, 1)]) == []


def slow_texts(reader: str, texts: list[tuple[str, str]]) -> list[str]:
    """Return the names of the texts that take a reader long."""
    read = READERS[reader]
    read("hello there, I live in Rome")  # what is loaded at the first use
    return [name for name, text in texts if is_slow(read, text)]


def test_nor_does_one_line_that_somebody_pastes_into_the_console():
    assert not is_slow(extracted_by_rules, "x " * 20_000)
    for words in ("x ", "mate "):
        assert not is_slow(small_talk.parse_remark, words * 20_000)


LONG_ANSWERS = {
    "less-than signs": "<" * 200_000,
    "blank lines": " \n" * 100_000,
    "open thoughts": "<think>" * 30_000,
    "answers": "<answer>x" * 20_000,
    "channels": "<|channel|>" * 20_000,
    "marks of calls": "<" + "tool_call_" * 20_000,
    "actions": "Action:" + "\n" * 100_000,
    "pads": "<pad>" * 40_000 + "x",
    "lines of calls": '\n{"name":' * 20_000,
    "a call's parameter": "<function=remember><parameter=" + "a" * 59_000,
    "a call's quotes": 'remember("' + '\\"' * 29_990,
}
LONG_LIMIT_S = 5.0  # what is quadratic takes minutes


@each_row("name", LONG_ANSWERS)
@pytest.mark.parametrize("is_growing", [True, False])
def test_nor_does_an_answer_without_an_end(name: str, is_growing: bool) -> None:
    started = process_time()
    written_calls(without_thoughts(LONG_ANSWERS[name], is_growing=is_growing), {"remember": {}})
    assert process_time() - started < LONG_LIMIT_S

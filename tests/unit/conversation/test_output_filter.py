"""What is never said: found in every spelling, and not where it isn't."""

from pathlib import Path

import pytest

from tests.rows import each_row
from utils.conversation.output_filter import Fault, fault, has_slur

SLURS = [
    "you nigger",
    "N1GG3R",
    "n i g g e r",
    "n.i.g.g.e.r",
    "niiiigger",
    "ｎｉｇｇｅｒ",
    "fаggot",  # a Cyrillic а
    "f@gg0t",
    "**faggots**",
    "n*gger",
    "fa##ot",
    "you retard",
    "dirty kike",
    "filthy coons",
    "Kanaken",
    "Schwuchtel",
    "Kümmeltürke",
    "Neger",
    "bougnoule",
    "sale nègre",
    "maricón",
    "frocio",
    "viado",
    "zandneger",
    "czarnuch",
    "пидорас",
    "жиды",
    "ibne",
    "黑鬼",
    "깜둥이",
]
SEXUAL = [
    "She gives him a blowjob",
    "suck my cock",
    "ride my dick",
    "he fucked her hard",
    "b l o w j o b",
    "bl0wj0b",
    "Sie lutscht seinen Schwanz",
    "suce ma bite",
    "chúpame la polla",
    "соси мой член",
    "口交",
]


@each_row("text", SLURS)
@each_row("age_restricted", [True, False])
def test_a_slur_is_found_however_it_is_spelt(text, age_restricted):
    assert fault(text, age_restricted=age_restricted) is Fault.SLUR
    assert fault(f"Well, {text}, they said.", age_restricted=age_restricted) is Fault.SLUR
    assert has_slur(text)


@each_row("text", SEXUAL)
def test_sexual_content_is_for_age_restricted_channels(text):
    assert fault(text, age_restricted=False) is Fault.SEXUAL
    assert fault(text, age_restricted=True) is None
    assert not has_slur(text)


@each_row(
    "text", ["A 16 year old gives a blowjob", "the loli rides his dick", "kids and a blowjob"]
)
def test_nothing_sexual_about_minors_is_said_anywhere(text):
    assert fault(text, age_restricted=True) is Fault.SEXUAL


LONG = [
    "The quick brown fox jumps over 1 lazy dog. " * 180,
    "a" * 8000,
    "n*g*" * 2000,
    "4 a " * 2000,
]


@pytest.mark.timeout(10)
@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:12])
def test_a_long_answer_is_judged_quickly(text):
    assert fault(text, age_restricted=False) is None
    assert fault(f"{text} nigger", age_restricted=False) is Fault.SLUR


# --- two lists, written before the phrases that find them ---------------------------------------

LISTS = Path(__file__).resolve().parents[2] / "fixtures" / "output_filter"
KNOWN_MISSES = {
    "you're a n i g g e r",
    "you halfbreed coon",
    "white trash and negroes",
    "bist du behindert oder was",
}
KNOWN_FALSE_ALARMS = {
    "paki is short for what?",
    "a faggot is also a bundle of sticks",
    "Schlitzaugen hat die Maske",
}


def listed(name):
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    return {line.split("\t")[1] for line in lines}


def test_insults_with_slurs_are_found():
    texts = listed("slurs.tsv")
    assert len(texts) > 80
    assert {text for text in texts if not has_slur(text)} == KNOWN_MISSES


def test_names_of_places_people_dishes_and_talk_about_words_are_not():
    texts = listed("innocent.tsv")
    assert len(texts) > 100
    assert {text for text in texts if has_slur(text)} == KNOWN_FALSE_ALARMS

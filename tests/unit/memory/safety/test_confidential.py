"""What asks that somebody is not told is recognised, and ordinary talk is not."""

import pytest

from utils.memory.consolidation.wording import search_stems
from utils.memory.safety.confidential import MARK, is_confidential, with_mark


@pytest.mark.parametrize(
    "text",
    [
        "Ich plane eine Überraschungsparty für Jonas am 19. Dezember, sag ihm nichts",
        "sag es niemandem",
        "sags keinem weiter",
        "verrat es ihm nicht",
        "verrate Jonas nichts",
        "Verrat das bitte nicht",
        "verratet nichts",
        "erzähl das nicht weiter",
        "das bleibt unter uns",
        "Unter uns: ich kündige",
        "unter uns gesagt, ich kündige",
        "psst, geheim",
        "Jonas darf nichts davon erfahren",
        "niemand darf es wissen",
        "bitte nicht weitersagen",
        "sag meiner Schwester nichts",
        "kein Wort zu Jonas",
        "behalt das für dich",
        "I plan a surprise party for Jonas on 19 December, don't tell him",
        "DON’T TELL HER",
        "dont tell jonas",
        "Please do not tell my brother",
        "don't tell anyone",
        "tell nobody",
        "between you and me, I quit",
        "keep it a secret",
        "keep this between us",
        "keep it to yourself",
        "not a word to Jonas",
        "he must not know",
        "Jonas mustn't find out",
        "it's a secret!",
    ],
)
def test_a_request_to_tell_somebody_nothing_is_recognised(text):
    assert is_confidential(text)


@pytest.mark.parametrize(
    "text",
    [
        "tell me nothing beats pizza",
        "I don't tell jokes",
        "don't tell me you like it",
        "tell him I said hi",
        "he told nobody",
        "he must know",
        "she can learn German",
        "the distance between us",
        "I have a secret recipe",
        "I keep a diary",
        "I can't tell the difference",
        "das sagt mir nichts",
        "Der Name sagt ihm nichts",
        "sag mir nichts",
        "sag nicht sowas",
        "unter uns wohnt ein Nachbar",
        "er weiß nichts",
        "erzähl ihm von der Party",
        "ich darf nicht rauchen",
        "das Geheimnis der Pyramiden ist spannend",
        "",
    ],
)
def test_ordinary_talk_is_not(text):
    assert not is_confidential(text)


def test_a_memory_is_marked_by_its_text_its_message_and_the_memory_that_it_replaces():
    open_stems = search_stems("owns a boat", "I own a boat", "what do you own?")
    marked = search_stems("owns a boat", "I own a boat, don't tell him", "what do you own?")
    assert MARK not in open_stems
    assert marked.replace(f"{MARK} ", "").split("\n")[::2] == open_stems.split("\n")[::2]
    assert marked.split("\n")[1].startswith(f"{MARK} ")
    assert MARK in search_stems("don't tell him", "", "")
    assert MARK in with_mark("own boat\n\n", marked)
    assert with_mark(marked, marked) == marked

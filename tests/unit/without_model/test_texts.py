"""Every sentence without a model is in each language that has any, and is said somewhere."""

import re
from pathlib import Path

from utils.models.conversation import Result
from utils.nlp.languages import languages
from utils.without_model.wishes import WishKind


def test_every_language_has_the_same_sentences_with_the_same_slots():
    slots = {
        code: {key: set(re.findall(r"{\w*}", text)) for key, text in texts.items()}
        for code, language in languages().items()
        if (texts := language.answers.texts)
    }
    assert len(slots) > 1
    assert all(of_language == slots["en"] for of_language in slots.values())


def test_every_wish_of_a_language_file_has_a_known_kind_and_every_remark_an_answer():
    for language in languages().values():
        assert language.wishes.patterns.keys() <= set(WishKind)
        assert language.answers.remarks.keys() <= languages()["en"].answers.texts.keys()


def test_every_sentence_is_said():
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path("utils").rglob("*.py"))
    english = languages()["en"]
    said = {*re.findall(r"\b(?:texts|self)\.(\w+)", source)}
    said |= {*re.findall(r"texts\[[\"'](\w+)[\"']\]", source)}
    assert english.answers.texts.keys() - {*english.answers.remarks, *Result} <= said

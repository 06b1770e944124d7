"""What Kith says about a wish that it carried out or asks back, in the member's language. Pure."""

from collections.abc import Mapping

from utils.models.conversation import EVERYTHING, ForgetQuestion, Outcome, Result
from utils.nlp.languages import languages

DEFAULT = "en"


def wish_texts(language: str) -> Mapping[str, str]:
    """Return the sentences of a language; English ones if it has none."""
    return languages()[language].wishes.texts or languages()[DEFAULT].wishes.texts


def wish_reply(outcome: Outcome, language: str) -> str:
    """Return what to say about a wish; a question names all that would be erased."""
    texts = wish_texts(language)
    if outcome.question is not None:
        question = _question(outcome, texts)
        if outcome.result is Result.ASKED:
            return question
        return f"{_done(outcome, texts)}\n{question}"
    return _done(outcome, texts)


def choices(question: ForgetQuestion, language: str) -> list[str]:
    """Return the labels of a question's choices: its options, then to keep it all."""
    texts, count = wish_texts(language), len(question.options)
    if count == 1:
        labels = [texts["forget_choice"]]
    else:
        labels = [*map(str, range(1, count)), texts["all_choice"]]
    return [*labels, texts["keep_choice"]]


def _done(outcome: Outcome, texts: Mapping[str, str]) -> str:
    if outcome.result in (Result.CORRECTED, Result.REMEMBERED) and not outcome.texts:
        return texts["noted_instead"]
    return texts[outcome.result].format(what=", ".join(outcome.texts))


def _question(outcome: Outcome, texts: Mapping[str, str]) -> str:
    question = outcome.question
    if question is not None and question.options == ((EVERYTHING,),):
        return texts["ask_all"]
    if len(outcome.asked_about) == 1:
        return texts["ask"].format(what=outcome.asked_about[0])
    lines = [texts["ask_which"], *(f"{i}. {text}" for i, text in enumerate(outcome.asked_about, 1))]
    if outcome.more:
        lines.append(f"({texts['more'].format(count=outcome.more)})")
    return "\n".join(lines)

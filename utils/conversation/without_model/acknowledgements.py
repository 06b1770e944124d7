"""Reply without a model to what asks nothing: a statement, a greeting, thanks. Pure."""

from collections.abc import Sequence
from datetime import date

from utils.common.text import clip, one_line
from utils.conversation.without_model.quotable_messages import NO_CATEGORIES
from utils.conversation.without_model.requests import Remark
from utils.conversation.without_model.texts import MAX_NAME, PlainTexts
from utils.memory.extraction.facts import own_name_in
from utils.memory.extraction.own_statements import own_statements
from utils.memory.extraction.rule_extractor import REMEMBER, is_of_author, statement_facts
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Event, Memory

NOT_NOTED = ("secret", "contact", "address", "link")
REACTION = "🙂"


def must_not_be_noted(text: str) -> bool:
    """Whether a text holds a secret, contact data, an address or a link."""
    return refusal_reason(text, NO_CATEGORIES) in NOT_NOTED


def acknowledgement(
    text: str, texts: PlainTexts, today: date, forbidden: frozenset[Category]
) -> str | None:
    """Return what to say to a statement; None if the text says nothing about its author.

    Args:
        text: the message.
        texts: the sentences in its language.
        today: the day on which it is said.
        forbidden: the sensitive subjects that are never noted.
    """
    request = REMEMBER.match(text)
    statements = list(own_statements(request["what"] if request else text))
    if not statements and request is None:
        return None
    if refusal_reason(text, NO_CATEGORIES) is not None:  # such as an order to Kith
        return texts.not_noted if must_not_be_noted(text) else None
    sentences = [statement.sentence for statement in statements] or [text]
    if all(refusal_reason(sentence, forbidden) for sentence in sentences):
        return texts.sensitive
    facts = [fact for statement in statements for fact in statement_facts(statement, today)]
    names = [own_name_in(fact.text) for fact in facts if fact.attribute == "name"]
    if names and (name := names[-1]) is not None:  # the last: "I'm Tom. Sorry, I'm Tim"
        return texts.met.format(name=clip(name, MAX_NAME))
    if facts or (request and is_of_author(request["what"])):
        return texts.noted
    return texts.only_own if request else texts.thanks_for_telling


def example(texts: PlainTexts, rows: Sequence[Memory]) -> str:
    """Return an example of what to say, about something that is not known yet."""
    topics = {topic for row in rows for topic in row.topics}
    unknown = (text for topic, text in texts.examples if topic not in topics)
    text = next(unknown, None)
    if text is None:
        return texts.question_example
    return texts.for_example.format(example=text)


def short_answer(remark: Remark, texts: PlainTexts, event: Event, rows: Sequence[Memory]) -> str:
    """Return the answer to a remark that asks nothing; ``rows`` is what is known of its author."""
    match remark:
        case Remark.GREETING:
            greeting = texts.greeting.format(name=clip(one_line(event.author_name), MAX_NAME))
            return greeting if rows else f"{greeting} {texts.nothing_asked} {example(texts, rows)}"
        case Remark.REACTION:
            return REACTION
        case Remark.AGREEMENT:
            return f"{texts.nothing_asked} {example(texts, rows)}"
    text: str = getattr(texts, remark.name.lower())
    return text

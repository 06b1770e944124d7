"""Extract what members say about themselves without a model.

Every sentence in which a member says something about themselves becomes a quote. Only what they
ask Kith to remember, and the name that they give themselves, becomes a note.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

from utils.common.text import clip, one_line
from utils.common.visible_text import own_words_of
from utils.memory.extraction.endings import last_day
from utils.memory.extraction.own_statements import MIN_WORDS, own_statements
from utils.memory.extraction.stated_names import name_note, stated_name
from utils.models.extraction import (
    BY_RULE,
    Candidate,
    Extraction,
    ExtractionInput,
    Judgement,
    Verdict,
)
from utils.models.memory import (
    MEMORY_LIMIT,
    NAME,
    Event,
    Importance,
    Kind,
    Method,
    Source,
    VerifiedBy,
)
from utils.nlp.person_and_negation import has_first_person

BY_MEMBER = Verdict(Judgement.SUPPORTED, VerifiedBy.MEMBER, repeats=True, ends=True)
REMEMBER = re.compile(
    r"\W*(?:(?:hey|hi|hallo|ok|okay|kith|please|pls|bitte|and|und)\b[\s,!:-]*)*(?:"
    r"(?:remember|don['’]?t forget|keep in mind|note)(?: please)?(?: that |: ?| (?=i\b|i['’]?m\b|"
    r"my\b))"
    r"|(?:merk dir|merke dir|vergiss nicht|denk dran|denk daran)(?! (?:bitte )?nicht?\b)"
    r"(?: bitte)?[,:]? )"
    r"(?P<what>.+)",
    re.IGNORECASE,
)


class RuleExtractor:
    """The extractor for installations without a model."""

    async def extract(self, inputs: ExtractionInput) -> Extraction:
        """Return quotes, and notes of what is explicit, without duplicates."""
        zone = ZoneInfo(inputs.time_zone)
        by_key: dict[str, Candidate] = {}
        for event in inputs.burst.events:
            for candidate in candidates(event, zone):
                key = candidate.attribute or candidate.text or f"\n{candidate.quote.casefold()}"
                by_key[key] = candidate  # of two names the last one counts
        return Extraction(tuple(by_key.values()), Method.RULE)


def candidates(event: Event, zone: ZoneInfo) -> Iterator[Candidate]:
    """Yield the candidates of a message: notes of what is explicit, and quotes.

    A quote ends when all that it says is over, in the server's time zone.
    """
    for line in own_words_of(event.text).split("\n"):
        wish = REMEMBER.match(line)
        if wish is not None and is_of_author(wish["what"]):
            what = one_line(wish["what"])
            yield replace(
                _quote(what, event, None),
                text=clip(what.strip(" .!;,"), MEMORY_LIMIT, at_word=True),
                verdict=BY_MEMBER,
                source=Source.EXPLICIT,
                importance=Importance.HIGH,
            )
    for sentence in own_statements(event.text):
        if REMEMBER.match(sentence):
            continue
        name = stated_name(sentence)
        if name is not None:
            yield replace(
                _quote(sentence, event, None),
                text=name_note(*name),
                attribute=NAME,
                topics=(NAME,),
                verdict=BY_RULE,
            )
        # Behind "my name is Tom" nothing is left to be quoted.
        ends_with_name = name and sentence.rstrip(" .!").casefold().endswith(name.name.casefold())
        if not ends_with_name and (name is None or len(sentence.split()) >= MIN_WORDS):
            yield _quote(sentence, event, last_day(sentence, event.created_at, zone))


def is_of_author(request: str) -> bool:
    """Whether what a member asked Kith to remember is about them, so that it is noted."""
    return len(request) > 2 and has_first_person(request) and not request.endswith("?")


def _quote(sentence: str, event: Event, until: date | None) -> Candidate:
    """Return a sentence to be kept as a quote, without a note."""
    return Candidate(
        subject_id=event.author_id,
        text="",
        quote=sentence,
        kind=Kind.FACT,
        importance=Importance.MEDIUM,
        lifetime_days=None,
        until=until,
        message_id=event.message_id,
    )

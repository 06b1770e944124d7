"""Whom does a sentence speak of? Pure: grammar only, without a model.

"My brother lives in Rome" and "Alex has a dog" must not become facts about their author. So each
sentence is cut into spans by their subject, and a memory may use only its author's own spans.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from utils.memory.verification import person_words
from utils.memory.verification.modality import REQUEST, sentences
from utils.memory.verification.note_words import PAST, WORD
from utils.nlp.stemming import language_of, stems

_TOKEN = re.compile(rf"@?{WORD.pattern}['’]?|[,;:()—–…\"]| - ")
_AM = frozenset(["i'm", "im", "am", "bin", "suis", "soy", "sou", "sono"])


class Owner(Enum):
    """Whose a span of a sentence is."""

    NOBODY = "no subject in sight"
    AUTHOR = "author"
    THING = "something that the author speaks of"
    ASKED = "whoever is asked to do something for the author"
    OTHER = "somebody else"


@dataclass(slots=True)
class Span:
    """Words in a row that speak of one subject; ``anchor`` is the noun that names it, if any.

    ``is_kin``: the anchor is a relative or an animal of the author's.
    """

    owner: Owner
    anchor: str = ""
    is_kin: bool = False
    words: list[str] = field(default_factory=list)


def spans(sentence: str, others: Iterable[str] = ()) -> list[Span]:
    """Cut a sentence into spans by whom they speak of. ``others`` are names in sight."""
    names = frozenset(name.casefold().split()[0] for name in others if name.strip())
    unspaced = person_words.JAPANESE_OTHER.search(sentence) or person_words.KOREAN_OTHER.search(
        sentence
    )
    if unspaced:
        return [Span(Owner.OTHER, unspaced[0], words=[sentence])]
    if topic := person_words.JAPANESE_TOPIC.search(sentence):
        return [Span(Owner.THING, topic[1], words=[sentence])]
    parts = _Scan(sentence, names).run()
    if REQUEST.match(sentence):
        for span in parts:
            is_you = span.owner is Owner.NOBODY or bool(
                set(span.words) & person_words.SECOND_PERSON
            )
            span.owner = Owner.ASKED if is_you else span.owner
    return parts


def owner_of(found: Sequence[Span]) -> Span:
    """Return the last span with a subject; an unowned span if there is none."""
    with_subject = [span for span in found if span.owner is not Owner.NOBODY]
    return with_subject[-1] if with_subject else Span(Owner.NOBODY)


def asks_author(question: str) -> bool:
    """Whether the last question in a text is about the person who answers it."""
    last_question = _last_question(question)
    words = {word.casefold() for word in _TOKEN.findall(last_question)}
    return bool(words & person_words.SECOND_PERSON) or _is_unspaced(last_question)


def asks_about_another(question: str, others: Iterable[str] = ()) -> bool:
    """Whether the last question in a text is about another person than the one who answers it."""
    last_question = _last_question(question)
    if not last_question or asks_author(last_question):
        return False
    tokens = _TOKEN.findall(last_question)
    words = {word.casefold().removesuffix("'s") for word in tokens}
    names = {"her", "him", *(name.casefold() for name in others)}
    strangers = (
        person_words.THIRD_PERSON
        | person_words.RELATIVES
        | person_words.NOBODY_IN_PARTICULAR
        | names
    )
    return bool(words & strangers) or any(word[:1].isupper() for word in tokens[1:] if word != "I")


def _last_question(text: str) -> str:
    return next(
        (sentence for sentence in reversed(sentences(text)) if sentence.endswith(("?", "？"))), ""
    )


class _Scan:
    """Goes through a sentence word by word and keeps track of its subject."""

    def __init__(self, sentence: str, names: frozenset[str]) -> None:
        self._tokens = [token.replace("’", "'") for token in _TOKEN.findall(sentence)]
        self._lower = [token.casefold() for token in self._tokens]
        self._names = names
        self._language = language_of(sentence)
        self._is_of_pronouns = person_words.PRONOUNS.search(sentence) is not None
        verbs = person_words.THIRD_VERBS.get(self._language, frozenset())
        self._verbs = verbs | person_words.ANY_THIRD_VERBS
        self._found = [Span(Owner.NOBODY)]
        self._clause = 0  # the index of the span in which the clause began
        self._is_start = True
        self._has_subject = False
        self._kin = ""

    def run(self) -> list[Span]:
        """Return the spans."""
        index = 0
        while index < len(self._tokens):
            index += self._step(index)
        return [span for span in self._found if span.words]

    def _step(self, index: int) -> int:
        """Read a word, or several; returns how many."""
        word = self._lower[index]
        if not word[0].isalnum() and word[0] != "@":
            self._next_clause()
            return 1
        if word in person_words.NEXT_CLAUSE:
            self._add(index)
            if not self._is_start:
                self._next_clause(is_relative=word in person_words.RELATIVE_PRONOUNS)
            if self._describes(index):
                self._begin(Owner.THING, self._lower[index - 1])
            return 1
        if self._reports(index):
            self._begin(Owner.OTHER)
            for position in range(index, len(self._tokens)):
                self._add(position)
            return len(self._tokens)
        length = self._subject(index)
        for offset in range(length):
            self._add(index + offset)
        following_me = self._lower[index + length : index + length + 1] == ["me"]
        if word in person_words.THINKING and self._found[-1].owner is Owner.AUTHOR:
            self._next_clause()
        elif word in person_words.CAUSING and following_me:
            return length + self._caused(index + length)
        elif word not in person_words.LEADING | person_words.ARTICLES | person_words.SOME:
            self._is_start = False
        return length

    def _caused(self, index: int) -> int:
        """Read "me" after "let" or "taught": what follows is the author's to do or to have."""
        self._add(index)
        self._has_subject, self._is_start = True, False
        self._found.append(Span(Owner.AUTHOR))
        return 1

    def _subject(self, index: int) -> int:
        """Notice a subject where one begins; returns how many words it takes."""
        word = self._lower[index]
        following = self._lower[index + 1] if index + 1 < len(self._lower) else ""
        if word in person_words.FIRST_PERSON or word.startswith(("j'", "i'm", "i've")):
            self._begin(Owner.AUTHOR)
        elif word.removesuffix("'s") in person_words.MINE:
            return self._mine(index)
        elif word in person_words.FIRST_OBJECT and not self._has_subject and self._is_start:
            self._begin(Owner.AUTHOR)
        elif word.startswith("@"):
            self._begin(Owner.OTHER)
        elif word in person_words.NOBODY_IN_PARTICULAR and self._is_open():
            if following != "," and (following or not index):  # not "oh man"
                self._begin(Owner.OTHER)
        elif word in person_words.THIRD_PERSON and not self._is_article(index):
            self._third(word)
        elif word in ("you", "you're", "you've", "du", "tu", "tú", "você", "ты", "usted", "vous"):
            before = self._lower[index - 1] if index else ""
            if before not in person_words.ADDRESSED_AFTER and following != "know":
                self._begin(Owner.OTHER)
        elif word in self._verbs:
            self._verb(index)
        else:
            self._noun(index, following)
        return 1

    def _describes(self, index: int) -> bool:
        """Whether "that" tells what the thing before it does: "a firm that makes chairs"."""
        before, after = self._lower[index - 1 : index], self._lower[index + 1 : index + 2]
        if self._lower[index] != "that" or not before or not after or not stems(before[0]):
            return False
        is_verb = after[0].endswith("s") or self._is_past(index + 1)
        return is_verb and before[0] not in person_words.THINKING and bool(stems(after[0]))

    def _is_article(self, index: int) -> bool:
        """Whether "il" is Italian's article, not French's pronoun."""
        is_own = self._found[-1].owner is Owner.AUTHOR
        return self._lower[index] == "il" and (is_own or self._language == "it")

    def _mine(self, index: int) -> int:
        """Read "my …": the author's thing, animal or relative."""
        ahead = self._lower[index + 1 : index + 4]
        bare = [word.removesuffix("'s").removesuffix("'") for word in ahead]
        kin = next((i for i, word in enumerate(bare) if word in person_words.RELATIVES), None)
        animal = next((i for i, word in enumerate(bare) if word in person_words.PETS), None)
        head = kin if kin is not None else animal
        if head is None:
            if self._is_open():
                self._begin(*self._thing(ahead, is_past=self._is_past(index + 2)))
            return 1
        self._kin = bare[head]
        following = self._lower[index + 2 + head : index + 5 + head]
        is_joint = any(" ".join(following[i:]).startswith(person_words.TOGETHER) for i in (0, 1))
        if is_joint and self._is_open():
            self._begin(Owner.AUTHOR)
        elif self._is_open():
            self._begin(Owner.OTHER, bare[head], is_kin=True)
        return 1

    def _thing(self, ahead: Sequence[str], *, is_past: bool) -> tuple[Owner, str]:
        """Return whom "my …" makes a clause about: a thing that does something, or the author."""
        noun, verb = (*ahead, "", "")[:2]
        noun = noun.removesuffix("'s")
        is_verb = len(verb) > 3 and verb.endswith("s") and not verb.endswith(("ss", "'s"))
        acts = is_verb and verb not in person_words.BEING | person_words.LEADING and len(ahead) > 2
        acts = acts or (is_past and bool(stems(noun)))
        return (Owner.THING, noun) if acts else (Owner.AUTHOR, "")

    def _third(self, word: str) -> None:
        """Read "he", "she", "they": the relative or animal spoken of last, or a stranger."""
        if self._is_of_pronouns:
            return
        is_possessive = word in person_words.THEIRS
        if is_possessive and (self._has_subject or not self._is_start):
            return
        if word in person_words.ENGLISH_SUBJECTS and not self._has_subject and self._has_content():
            self._next_clause()  # "no spoilers please they ruin it"
        self._begin(Owner.OTHER, self._kin, is_kin=bool(self._kin))

    def _verb(self, index: int) -> None:
        """Read a verb that cannot be the author's: who else is its subject?"""
        owner = self._found[-1].owner
        if owner is Owner.AUTHOR and index and self._tokens[index - 1] == ",":
            self._begin(Owner.OTHER)  # "Sam, I believe, hates cats"
        elif owner is Owner.NOBODY or (not self._has_subject and owner is not Owner.OTHER):
            self._claim(*self._late_subject(self._lower[index]))
        elif owner is Owner.AUTHOR and any(span.owner is Owner.OTHER for span in self._found):
            self._begin(Owner.OTHER)

    def _late_subject(self, verb: str) -> tuple[Owner, str]:
        """Return whom a clause speaks of whose verb was read before its subject was noticed."""
        before = [word for word in self._clause_words() if word not in person_words.LEADING]
        is_person = bool(set(before) & (person_words.NOBODY_IN_PARTICULAR | person_words.RELATIVES))
        if not before and verb in person_words.THIRD_VERBS["en"]:  # as in "likes tea"
            return Owner.NOBODY, ""
        if before and before[0].endswith(("ing", "ed")) and not is_person:
            return Owner.NOBODY, ""  # "dancing makes me happy", "obsessed with watches"
        if (
            before
            and not is_person
            and before[0] in person_words.UNSEEN_SUBJECT | person_words.ARTICLES
        ):
            return Owner.NOBODY, ""
        if before and not is_person and verb in person_words.BEING:
            return (Owner.NOBODY, "") if len(before) > 1 else (Owner.THING, before[-1])
        return Owner.OTHER, ""

    def _noun(self, index: int, following: str) -> None:
        """Read any other word: a name with a verb after it is a subject."""
        word = self._lower[index]
        bare = word.removesuffix("'s")
        current = self._found[-1]
        if bare in person_words.RELATIVES and self._is_open() and index and "my" not in self._lower:
            self._kin = bare
            if self._lower[index - 1] in person_words.ARTICLES:  # "a friend of mine"
                self._begin(Owner.OTHER, bare, is_kin=True)
                return
        if bare in person_words.PETS | person_words.RELATIVES and current.owner is not Owner.OTHER:
            self._kin = bare
        next_words = " ".join(self._lower[index + 1 : index + 4])
        if next_words.startswith(person_words.TOGETHER) or word in person_words.UNSEEN_SUBJECT:
            return
        is_name = self._tokens[index][:1].isupper() and index > 0
        is_beside = word in person_words.LEADING or word.endswith("ly") or not stems(bare)
        if is_beside and not is_name:
            return
        if word.endswith("ing") and len(word) > 5:  # "getting lost"
            return
        if current.is_kin and len(current.words) < 4:  # "my dog Luna"
            return
        is_known = bare in self._names and len(bare) > 2
        goes_on = current.owner is Owner.AUTHOR and not (is_name or is_known)  # "and stay focused"
        has_past = self._is_past(index + 1) and not goes_on
        has_verb = following in self._verbs | person_words.MODALS or has_past
        is_addressed = following in (",", ":") or (not following and index > 0)  # "thanks, Sam!"
        is_spoken_of = self._is_open() and not is_addressed
        is_kin = bare in person_words.RELATIVES
        is_couple = (
            self._is_open()
            and following == "and"
            and bool(person_words.THEIRS.intersection(self._lower[index + 2 : index + 3]))
        )  # "Lena and her brother"
        has_their = bare != word and self._is_open()
        if has_their and self._is_mine_ahead(index):  # "painting's how I relax"
            self._begin(Owner.THING, bare)
        elif is_couple or has_their or (is_known and (has_verb or is_spoken_of)):
            self._begin(Owner.OTHER, bare if is_kin else "", is_kin=is_kin)
        elif has_verb and (is_name or self._is_open()) and not self._is_past(index):
            before = self._lower[index - 1] if index else ""
            is_thing = following in person_words.BEING or before in person_words.ARTICLES
            if (
                before not in person_words.ARTICLES
                or bare in person_words.NOBODY_IN_PARTICULAR
                or is_name
            ):
                self._begin(Owner.THING if is_thing else Owner.OTHER, bare if is_thing else "")

    def _is_mine_ahead(self, index: int) -> bool:
        """Whether a clause is about a thing, not a person, and the author appears in it."""
        is_name = index > 0 and self._tokens[index][:1].isupper()
        ahead = self._lower[index + 1 :]
        people = self._names | person_words.RELATIVES | person_words.NOBODY_IN_PARTICULAR
        is_about_me = not (person_words.MINE | person_words.FIRST_OBJECT).isdisjoint(ahead)
        return is_about_me and not is_name and self._lower[index].removesuffix("'s") not in people

    def _is_past(self, index: int) -> bool:
        """Whether a word is an English verb in the past, which belongs to the words before it."""
        word = self._lower[index] if index < len(self._lower) else ""
        return word in PAST or (len(word) > 4 and word.endswith("ed") and word[-3] not in "aeiou")

    def _reports(self, index: int) -> bool:
        """Whether what follows was said by another person, so that "I" in it is not the author."""
        words = self._lower[index : index + 4]
        if words[:2] == ["according", "to"] or words[:2] in (["was", "like"], ["were", "like"]):
            return self._found[-1].owner is not Owner.AUTHOR or words[0] == "according"
        is_told = words[:2] == ["told", "me"] and bool(
            words[2:3] and words[2] not in person_words.FEW_WORDS_TOLD
        )
        if not (words and (words[0] in person_words.REPORTING or is_told)):
            return False
        before = self._lower[index - 1] if index else ""
        is_own = self._found[-1].owner is Owner.AUTHOR
        if before in person_words.FIRST_PERSON or (is_own and before in person_words.LEADING):
            return False
        return not is_own or self._has_stranger()

    def _has_stranger(self) -> bool:
        return any(span.owner is Owner.OTHER for span in self._found)

    def _is_open(self) -> bool:
        """Whether a subject may stand here: nothing but adverbs stands before it in its clause."""
        return self._is_start

    def _clause_words(self) -> list[str]:
        return [word for span in self._found[self._clause :] for word in span.words]

    def _has_content(self) -> bool:
        """Whether the clause so far says something by itself."""
        return any(stems(word) for word in self._clause_words() if word not in person_words.LEADING)

    def _next_clause(self, *, is_relative: bool = False) -> None:
        owner, anchor, kin = (
            self._found[-1].owner,
            self._found[-1].anchor,
            self._found[-1].is_kin,
        )
        if is_relative and not _AM & set(self._clause_words()):
            owner, anchor, kin = Owner.OTHER, self._kin, bool(self._kin)
        self._found.append(Span(owner, anchor, kin))
        self._clause = len(self._found) - 1
        self._is_start = not is_relative
        self._has_subject = is_relative

    def _begin(self, owner: Owner, anchor: str = "", *, is_kin: bool = False) -> None:
        """Begin a span; what stood before it in the clause, without a subject, belongs to it."""
        if not self._has_subject:
            for span in self._found[self._clause :]:
                if span.owner is Owner.NOBODY or len(self._found) - 1 == self._clause:
                    span.owner, span.anchor, span.is_kin = owner, anchor, is_kin
        self._found.append(Span(owner, anchor, is_kin))
        self._has_subject = True
        self._is_start = False

    def _claim(self, owner: Owner, anchor: str) -> None:
        """Give the whole clause so far to a subject that was noticed late."""
        if owner is Owner.NOBODY:
            return
        for span in self._found[self._clause :]:
            span.owner, span.anchor, span.is_kin = owner, anchor, False
        self._has_subject = True

    def _add(self, index: int) -> None:
        self._found[-1].words.append(self._lower[index].removeprefix("@"))


def _is_unspaced(text: str) -> bool:
    return any("\u0e00" <= character <= "\u9fff" for character in text if character.isalpha())

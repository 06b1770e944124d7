"""Whom does a sentence speak of? Pure: what the grammar says, without a model.

"My brother lives in Rome" and "Alex has a dog" must not become facts about whoever wrote them,
whatever a model makes of them. So each sentence is cut into spans by whose they are, and a memory
may only use those that are its author's own.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from utils.memory import persons
from utils.memory.earnest import REQUEST, sentences
from utils.memory.note_words import PAST, WORD
from utils.memory.stems import language_of, stems

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
    unspaced = persons.JAPANESE_OTHER.search(sentence) or persons.KOREAN_OTHER.search(sentence)
    if unspaced:
        return [Span(Owner.OTHER, unspaced[0], words=[sentence])]
    if topic := persons.JAPANESE_TOPIC.search(sentence):
        return [Span(Owner.THING, topic[1], words=[sentence])]
    found = _Scan(sentence, names).run()
    if REQUEST.match(sentence):
        for span in found:
            is_you = span.owner is Owner.NOBODY or bool(set(span.words) & persons.SECOND_PERSON)
            span.owner = Owner.ASKED if is_you else span.owner
    return found


def owner_of(found: Sequence[Span]) -> Span:
    """Return the span that says whom a sentence speaks of last; nobody's if it has no subject."""
    with_subject = [span for span in found if span.owner is not Owner.NOBODY]
    return with_subject[-1] if with_subject else Span(Owner.NOBODY)


def asks_author(question: str) -> bool:
    """Whether the last question in a text is about whoever answers it."""
    asked = _last_question(question)
    words = {word.casefold() for word in _TOKEN.findall(asked)}
    return bool(words & persons.SECOND_PERSON) or _is_unspaced(asked)


def asks_about_another(question: str, others: Iterable[str] = ()) -> bool:
    """Whether the last question in a text is about somebody else than whoever answers it."""
    asked = _last_question(question)
    if not asked or asks_author(asked):
        return False
    tokens = _TOKEN.findall(asked)
    words = {word.casefold().removesuffix("'s") for word in tokens}
    names = {"her", "him", *(name.casefold() for name in others)}
    strangers = persons.THIRD_PERSON | persons.RELATIVES | persons.NOBODY_IN_PARTICULAR | names
    return bool(words & strangers) or any(word[:1].isupper() for word in tokens[1:] if word != "I")


def _last_question(text: str) -> str:
    return next((one for one in reversed(sentences(text)) if one.endswith(("?", "？"))), "")


class _Scan:
    """Goes through a sentence word by word and keeps track of its subject."""

    def __init__(self, sentence: str, names: frozenset[str]) -> None:
        self._tokens = [token.replace("’", "'") for token in _TOKEN.findall(sentence)]
        self._lower = [token.casefold() for token in self._tokens]
        self._names = names
        self._language = language_of(sentence)
        self._is_of_pronouns = persons.PRONOUNS.search(sentence) is not None
        verbs = persons.THIRD_VERBS.get(self._language, frozenset())
        self._verbs = verbs | persons.ANY_THIRD_VERBS
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
        if word in persons.NEXT_CLAUSE:
            self._add(index)
            if not self._is_start:
                self._next_clause(is_relative=word in persons.RELATIVE_PRONOUNS)
            if self._describes(index):
                self._begin(Owner.THING, self._lower[index - 1])
            return 1
        if self._reports(index):
            self._begin(Owner.OTHER)
            for rest in range(index, len(self._tokens)):
                self._add(rest)
            return len(self._tokens)
        taken = self._subject(index)
        for offset in range(taken):
            self._add(index + offset)
        following_me = self._lower[index + taken : index + taken + 1] == ["me"]
        if word in persons.THINKING and self._found[-1].owner is Owner.AUTHOR:
            self._next_clause()
        elif word in persons.CAUSING and following_me:
            return taken + self._caused(index + taken)
        elif word not in persons.LEADING | persons.ARTICLES | persons.SOME:
            self._is_start = False
        return taken

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
        if word in persons.FIRST_PERSON or word.startswith(("j'", "i'm", "i've")):
            self._begin(Owner.AUTHOR)
        elif word.removesuffix("'s") in persons.MINE:
            return self._mine(index)
        elif word in persons.FIRST_OBJECT and not self._has_subject and self._is_start:
            self._begin(Owner.AUTHOR)
        elif word.startswith("@"):
            self._begin(Owner.OTHER)
        elif word in persons.NOBODY_IN_PARTICULAR and self._is_open():
            if following != "," and (following or not index):  # not "oh man"
                self._begin(Owner.OTHER)
        elif word in persons.THIRD_PERSON and not self._is_article(index):
            self._third(word)
        elif word in ("you", "you're", "you've", "du", "tu", "tú", "você", "ты", "usted", "vous"):
            before = self._lower[index - 1] if index else ""
            if before not in persons.ADDRESSED_AFTER and following != "know":
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
        return is_verb and before[0] not in persons.THINKING and bool(stems(after[0]))

    def _is_article(self, index: int) -> bool:
        """Whether "il" is Italian's article, not French's pronoun."""
        is_own = self._found[-1].owner is Owner.AUTHOR
        return self._lower[index] == "il" and (is_own or self._language == "it")

    def _mine(self, index: int) -> int:
        """Read "my …": the author's thing, animal or relative."""
        ahead = self._lower[index + 1 : index + 4]
        bare = [one.removesuffix("'s").removesuffix("'") for one in ahead]
        kin = next((i for i, one in enumerate(bare) if one in persons.RELATIVES), None)
        animal = next((i for i, one in enumerate(bare) if one in persons.PETS), None)
        head = kin if kin is not None else animal
        if head is None:
            if self._is_open():
                self._begin(*self._thing(ahead, is_past=self._is_past(index + 2)))
            return 1
        self._kin = bare[head]
        rest = self._lower[index + 2 + head : index + 5 + head]
        is_joint = any(" ".join(rest[i:]).startswith(persons.TOGETHER) for i in (0, 1))
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
        acts = is_verb and verb not in persons.BEING | persons.LEADING and len(ahead) > 2
        acts = acts or (is_past and bool(stems(noun)))
        return (Owner.THING, noun) if acts else (Owner.AUTHOR, "")

    def _third(self, word: str) -> None:
        """Read "he", "she", "they": the relative or animal spoken of last, or a stranger."""
        if self._is_of_pronouns:
            return
        is_possessive = word in persons.THEIRS
        if is_possessive and (self._has_subject or not self._is_start):
            return
        if word in persons.ENGLISH_SUBJECTS and not self._has_subject and self._has_content():
            self._next_clause()  # "no spoilers please they ruin it"
        self._begin(Owner.OTHER, self._kin, is_kin=bool(self._kin))

    def _verb(self, index: int) -> None:
        """Read a verb that cannot be the author's: who else is its subject?"""
        owner = self._found[-1].owner
        if owner is Owner.AUTHOR and index and self._tokens[index - 1] == ",":
            self._begin(Owner.OTHER)  # "Sam, I believe, hates cats"
        elif owner is Owner.NOBODY or (not self._has_subject and owner is not Owner.OTHER):
            self._claim(*self._late_subject(self._lower[index]))
        elif owner is Owner.AUTHOR and any(one.owner is Owner.OTHER for one in self._found):
            self._begin(Owner.OTHER)

    def _late_subject(self, verb: str) -> tuple[Owner, str]:
        """Return whom a clause speaks of whose verb was read before its subject was noticed."""
        before = [one for one in self._clause_words() if one not in persons.LEADING]
        is_person = bool(set(before) & (persons.NOBODY_IN_PARTICULAR | persons.RELATIVES))
        if not before and verb in persons.THIRD_VERBS["en"]:  # as in "likes tea"
            return Owner.NOBODY, ""
        if before and before[0].endswith(("ing", "ed")) and not is_person:
            return Owner.NOBODY, ""  # "dancing makes me happy", "obsessed with watches"
        if before and not is_person and before[0] in persons.UNSEEN_SUBJECT | persons.ARTICLES:
            return Owner.NOBODY, ""
        if before and not is_person and verb in persons.BEING:
            return (Owner.NOBODY, "") if len(before) > 1 else (Owner.THING, before[-1])
        return Owner.OTHER, ""

    def _noun(self, index: int, following: str) -> None:
        """Read any other word: a name with a verb after it is a subject."""
        word = self._lower[index]
        bare = word.removesuffix("'s")
        current = self._found[-1]
        if bare in persons.RELATIVES and self._is_open() and index and "my" not in self._lower:
            self._kin = bare
            if self._lower[index - 1] in persons.ARTICLES:  # "a friend of mine"
                self._begin(Owner.OTHER, bare, is_kin=True)
                return
        if bare in persons.PETS | persons.RELATIVES and current.owner is not Owner.OTHER:
            self._kin = bare
        rest = " ".join(self._lower[index + 1 : index + 4])
        if rest.startswith(persons.TOGETHER) or word in persons.UNSEEN_SUBJECT:
            return
        is_name = self._tokens[index][:1].isupper() and index > 0
        is_beside = word in persons.LEADING or word.endswith("ly") or not stems(bare)
        if is_beside and not is_name:
            return
        if word.endswith("ing") and len(word) > 5:  # "getting lost"
            return
        if current.is_kin and len(current.words) < 4:  # "my dog Luna"
            return
        is_known = bare in self._names and len(bare) > 2
        goes_on = current.owner is Owner.AUTHOR and not (is_name or is_known)  # "and stay focused"
        has_past = self._is_past(index + 1) and not goes_on
        has_verb = following in self._verbs | persons.MODALS or has_past
        is_addressed = following in (",", ":") or (not following and index > 0)  # "thanks, Sam!"
        is_spoken_of = self._is_open() and not is_addressed
        is_kin = bare in persons.RELATIVES
        is_couple = (
            self._is_open()
            and following == "and"
            and bool(persons.THEIRS.intersection(self._lower[index + 2 : index + 3]))
        )  # "Lena and her brother"
        has_their = bare != word and self._is_open()
        if has_their and self._is_mine_ahead(index):  # "painting's how I relax"
            self._begin(Owner.THING, bare)
        elif is_couple or has_their or (is_known and (has_verb or is_spoken_of)):
            self._begin(Owner.OTHER, bare if is_kin else "", is_kin=is_kin)
        elif has_verb and (is_name or self._is_open()) and not self._is_past(index):
            before = self._lower[index - 1] if index else ""
            is_thing = following in persons.BEING or before in persons.ARTICLES
            if before not in persons.ARTICLES or bare in persons.NOBODY_IN_PARTICULAR or is_name:
                self._begin(Owner.THING if is_thing else Owner.OTHER, bare if is_thing else "")

    def _is_mine_ahead(self, index: int) -> bool:
        """Whether something, not somebody, is what a clause is about, and the author is in it."""
        is_name = index > 0 and self._tokens[index][:1].isupper()
        ahead = self._lower[index + 1 :]
        known = self._names | persons.RELATIVES | persons.NOBODY_IN_PARTICULAR
        is_about_me = not (persons.MINE | persons.FIRST_OBJECT).isdisjoint(ahead)
        return is_about_me and not is_name and self._lower[index].removesuffix("'s") not in known

    def _is_past(self, index: int) -> bool:
        """Whether a word is an English verb in the past, which tells of whatever stands before."""
        word = self._lower[index] if index < len(self._lower) else ""
        return word in PAST or (len(word) > 4 and word.endswith("ed") and word[-3] not in "aeiou")

    def _reports(self, index: int) -> bool:
        """Whether what follows was said by somebody else, whoever "I" is in it."""
        words = self._lower[index : index + 4]
        if words[:2] == ["according", "to"] or words[:2] in (["was", "like"], ["were", "like"]):
            return self._found[-1].owner is not Owner.AUTHOR or words[0] == "according"
        is_told = words[:2] == ["told", "me"] and bool(
            words[2:3] and words[2] not in persons.FEW_WORDS_TOLD
        )
        if not (words and (words[0] in persons.REPORTING or is_told)):
            return False
        before = self._lower[index - 1] if index else ""
        is_own = self._found[-1].owner is Owner.AUTHOR
        if before in persons.FIRST_PERSON or (is_own and before in persons.LEADING):
            return False
        return not is_own or self._has_stranger()

    def _has_stranger(self) -> bool:
        return any(one.owner is Owner.OTHER for one in self._found)

    def _is_open(self) -> bool:
        """Whether a subject may stand here: nothing but adverbs stands before it in its clause."""
        return self._is_start

    def _clause_words(self) -> list[str]:
        return [word for span in self._found[self._clause :] for word in span.words]

    def _has_content(self) -> bool:
        """Whether the clause so far says something by itself."""
        return any(stems(one) for one in self._clause_words() if one not in persons.LEADING)

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

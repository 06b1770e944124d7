"""Does a sentence speak of its author, in earnest? Pure: what the grammar says, in six languages.

"My brother lives in Rome", "Alex has a dog" and "if I were rich" are sentences that must not become
facts about whoever wrote them, whatever a model makes of them.
"""

import re
from collections.abc import Iterable

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_FIRST_PERSON = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|im|ive|me|my|mine|myself|we|our|us|ours|"
    r"ich|mir|mich|mein\w*|wir|unser\w*|"
    r"je|j['’]\w+|moi|mon|ma|mes|nous|notre|"
    r"yo|mi|mis|conmigo|nosotros|nuestr[oa]s?|soy|tengo|vivo|estoy|"
    r"eu|meu|minha|meus|minhas|mim|nós|noss[oa]s?|sou|tenho|moro|estou|"
    r"я|мне|меня|мной|мо[йяёеи]|моего|моей|мою|моих|мы|нам|нас|наш\w*)\b"
    r"|私|僕|俺|わたし|我|나는|저는|내가|제가|أنا",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(
    r"\b(?:he|she|they|his|him|their|he['’]s|she['’]s|they['’]re|"
    r"er|ihr|ihre|sein|seine|il|elle|ils|elles|él|ella|ellos|ellas|ele|ela|eles|elas|"
    r"он|она|они|его|её|ее)\b|@\w",
    re.IGNORECASE,
)
_VERB = (
    r"(?:has|had|is|was|lives|works|loves|likes|hates|plays|moved|got|owns|wants|prefers|studies|"
    r"hat|ist|war|wohnt|lebt|arbeitet|mag|liebt|spielt|"
    r"habite|vit|travaille|aime|joue|tiene|es|vive|trabaja|juega|tem|mora|trabalha|joga|"
    r"живет|живёт|работает|любит|играет)"
)
_SOMEBODY = re.compile(rf"^\W*[^\W\d_a-zа-я][\w'’-]*(?:\s+[^\W\d_a-zа-я][\w'’-]*)?\s+{_VERB}\b")
_REPORTED = re.compile(
    r"\b(?:said|says|told me|tells me|thinks|claims|wrote|calls me|called me|"
    r"sagt|sagte|meint|dit|dice|dijo|diz|disse|говорит|сказал\w*)\b",
    re.IGNORECASE,
)
_SELF_REPORTED = re.compile(r"\b(?:i|we)\s+(?:said|told|think|wrote)\b", re.IGNORECASE)
_RELATIVES = (
    r"brother|sister|mother|mom|mum|father|dad|parents?|son|daughter|kids?|child|children|baby|"
    r"wife|husband|partner|boyfriend|girlfriend|bf|gf|ex|fianc[eé]e?|friends?|bestie|buddy|mate|"
    r"boss|coworkers?|colleagues?|roommates?|flatmates?|neighbou?rs?|uncle|aunt|cousins?|nephew|"
    r"niece|grandma|grandpa|grandmother|grandfather|teacher|doctor|landlord|"
    r"bruder|schwester|mutter|vater|eltern|sohn|tochter|frau|mann|freund|freundin|chef|nachbar|"
    r"frère|sœur|mère|père|fils|fille|mari|femme|ami|amie|patron|voisin|"
    r"hermano|hermana|madre|padre|hijo|hija|esposa|marido|amigo|amiga|jefe|vecino|"
    r"irmão|irmã|mãe|pai|filho|filha|chefe|vizinho|"
    r"брат|сестра|мама|папа|мать|отец|сын|дочь|муж|жена|друг|подруга|сосед"
)
_MY_RELATIVE = re.compile(
    rf"\b(?:my|our|mein\w*|unser\w*|mon|ma|mes|mi|mis|meu|minha|мо[йяи]|наш\w*)\s+"
    rf"(?:\w+\s+)?({_RELATIVES})(?:['’]s)?\b",
    re.IGNORECASE,
)
_I = re.compile(r"\b(?:i|i['’](?:m|ve)|ich|je|j['’]\w+|yo|eu|я)\b", re.IGNORECASE)
_NOT_EARNEST = re.compile(
    r"/s\b|\b(?:jk|just kidding|kidding|joking|lol no|not really|as if|role-?play\w*|in character|"
    r"my character|if i were|if i was|if i had|imagine (?:i|if)|suppose i|pretend\w*|i wish|"
    r"hypothetically|what if i|wenn ich .{0,20}(?:wäre|hätte)|stell dir vor|spaß|si j['’]étais|"
    r"si fuera|se eu fosse|если бы я|шучу)\b",
    re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^\s*>+.*$", re.MULTILINE)
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_QUOTATION = re.compile(r"[\"“„«]([^\"”“»\n]{1,400})[\"”“»]")
LONG_QUOTATION_WORDS = 4


def own_words(text: str) -> str:
    """Return a message without what it only cites: quoted lines, code, longer quotations."""
    text = _CODE.sub(" ", _QUOTED_LINE.sub(" ", text))
    return _QUOTATION.sub(_keep_titles, text)


def speaks_of_author(sentence: str, memory: str, others: Iterable[str] = ()) -> bool:
    """Whether a sentence is about whoever wrote it, as far as ``memory`` makes use of it.

    A sentence without any subject ("in Porto, since 2019") counts as theirs: look at what stands
    before it. ``others`` are the names of other people in sight.
    """
    if _REPORTED.search(sentence) and not _SELF_REPORTED.search(sentence):
        return False
    if not _FIRST_PERSON.search(sentence):
        return not is_of_somebody_else(sentence, others)
    relative = _MY_RELATIVE.search(sentence)
    if relative is None or relative[1].casefold() in memory.casefold():
        return True
    speaks = _I.search(sentence)
    return speaks is not None and speaks.start() < relative.start()


def is_of_somebody_else(sentence: str, others: Iterable[str] = ()) -> bool:
    """Whether a sentence has a subject, and it is not its author."""
    if _FIRST_PERSON.search(sentence):
        return False
    if _THIRD_PERSON.search(sentence) or _SOMEBODY.search(sentence):
        return True
    words = sentence.casefold()
    return any(name and name.casefold() in words for name in others)


def lacks_subject(sentence: str) -> bool:
    """Whether a sentence names nobody at all, as in "in Porto, since 2019"."""
    return not _FIRST_PERSON.search(sentence) and not is_of_somebody_else(sentence)


def is_earnest(sentence: str) -> bool:
    """Whether nothing in a sentence marks it as a joke, a role or a supposition."""
    return not _NOT_EARNEST.search(sentence)


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def _keep_titles(quotation: re.Match[str]) -> str:
    """Keep what is too short to be somebody's sentence, such as a title."""
    said = quotation[1]
    is_speech = len(said.split()) >= LONG_QUOTATION_WORDS or _FIRST_PERSON.search(said)
    return " " if is_speech else said

"""Words that announce another topic, and words that have none. Pure.

A marker stands at the beginning of a message or a clause and mostly is the whole clause ("anyway,
different topic: …"). "Anyway" or "by the way" alone announce nothing: most often the talk goes on.
Languages: English, German, French, Spanish, Portuguese, Russian; no other is guessed at.
"""

import re
from collections.abc import Iterator

from utils.memory.folding import fold
from utils.memory.phrases import Lexicon, tokens_of
from utils.memory.stems import stems

_MOST_READ = 600  # characters of a message in which a marker is looked for
_PAUSES = re.compile(r"[,，、()\[\]…]|\s[-–—]+\s|—")  # what parts clauses, besides . ! ? ; :
_SIGNS = frozenset(".!?;:\n")
# What may stand before a marker: skipped where a clause begins.
_SOFT_WORDS = """
anyway anyways anyhow ok okay so well right now but and btw alright hey also oh sorry guys
gut naja jetzt nun aber und ubrigens egal na leute bon bref sinon alors et mais du coup enfin
bueno pues ahora y pero oye vale entonces bom bem agora e mas entao enfim gente
ладно так ну а но и теперь кстати короче ребята
"""
_SOFT = frozenset(_SOFT_WORDS.split())
# In the notation of utils.memory.phrases, each from where a clause begins.
_MARKERS = {
    "en": """
completely/totally/slightly/entirely? different/new/another/next/other/separate/unrelated
  topic/subject/topics $/but/though
| on a/an? completely/totally/slightly/entirely? different/another/other/separate/
  unrelated/new/lighter note/topic/subject $/but/
  i/we/did/do/does/have/has/what/who/how/when/where/is/are/anyone/can/my
| a? completely/totally/slightly? unrelated/random/different/new question $/but/for
| completely/totally/slightly unrelated $/but
| to? change/changing of? the? subject/topic/topics $/but/for/here/now/completely/slightly/a
| change of topic/subject $
| not to change the topic/subject $/but
| let's/lets/shall+we/can+we/could+we change the? subject/topic $/please/to/now
| let's/lets/shall+we/can+we/could+we talk/chat about something/anything/sth
  else/different $/please/now
| let's/lets move on to something/another/a+new/a+different
| moving on to something/another/other/a+new/a+different
| on to something else/different/new $
| enough about/of this/that/me/you/us/him/her/them/work/school/it $
| off topic $/but/question
""",
    "de": """
ein/mal? ganz/komplett/vollig? anderes/neues/nachstes thema $/aber
| andere/neue frage $
| kurzer/kleiner? themenwechsel $
| mal was/etwas ganz/komplett/vollig? anderes $
| zu etwas/was ganz? anderem $
| ganz? ohne zusammenhang $/aber
| um das? thema zu wechseln $
| lass/lasst/lassen uns/sie+uns? mal? das? thema wechseln $
| wechseln wir mal/lieber/doch? das? thema $
| lass/lasst/lassen uns/sie+uns uber/von was/etwas anderes/anderem reden/sprechen $
| reden/sprechen wir lieber/mal/doch? uber/von was/etwas anderes/anderem $
| genug davon $
| off topic $/aber/frage
""",
    "fr": """
tout/un/completement? autre/nouveau sujet $/mais
| un? sujet different $/mais
| autre/nouvelle question $
| changeons/on+change un+peu? de sujet $
| pour? changer un+peu? de sujet $/mais
| changement de sujet $
| rien a voir mais/sinon
| sans transition $/mais
| sans rapport mais
| passons a autre+chose/un+autre+sujet
| parlons/on+parle d'autre chose $
| dans un tout? autre registre $
| assez parle de
| hors sujet $/mais
""",
    "es": """
cambiando/cambiemos/cambiamos un+poco? de tema $/pero
| para? cambiar un+poco? de tema $/pero
| cambio de tema $
| es? otro/nuevo tema $/pero
| tema nuevo/aparte/diferente/distinto $
| otra/nueva pregunta $
| hablemos/hablando de otra+cosa/algo+distinto/otro+tema $
| vamos/podemos a? hablar/cambiar de otra+cosa/otro+tema/tema $
| pasando/pasemos a otra+cosa/otro+tema
| nada que ver pero
| fuera de tema $/pero
""",
    "pt": """
mudando/mudemos/trocando um+pouco? de assunto/tema $/mas
| para/pra? mudar um+pouco? de assunto/tema $/mas
| mudanca de assunto/tema $
| vamos/podemos mudar de assunto/tema $
| outro/novo assunto/tema $/mas
| assunto diferente/novo $
| outra/nova pergunta $
| falando/falemos de outra+coisa/outro+assunto $
| vamos/podemos falar de outra+coisa/outro+assunto $
| passando para outro+assunto/outra+coisa
| nada a ver mas
| fora do? assunto/topico $/mas
""",
    "ru": """
совсем/совершенно? другая/новая/следующая тема $/но
| совсем/совершенно? на другую тему $/но
| другой/новый вопрос $
| вопрос не по теме $
| не по теме $/но
| давай/давайте? сменим/поменяем/переменим тему $
| меняя тему $/но
| чтобы? сменить/поменять тему $
| смена темы $
| давай/давайте? поговорим о другом/чем-нибудь+другом $
| давай/давайте о другом $
| перейдем к другой/следующей/новой теме $
| хватит об этом $
| оффтоп/офтоп $
""",
}  # fmt: skip


def _from_the_beginning(phrases: str) -> str:
    return "|".join(f"^ {phrase}" for phrase in phrases.split("|"))


_LEXICON = Lexicon(
    {"topic": {code: _from_the_beginning(phrases) for code, phrases in _MARKERS.items()}},
    {},
)
_TOPIC = frozenset([0])


def announces_a_change(text: str) -> bool:
    """Whether a message says, in its first 600 characters, that it is about something else now."""
    clauses = _PAUSES.sub(" ; ", fold(text[:_MOST_READ]).casefold())
    return _LEXICON.first(list(_without_soft_words(tokens_of(clauses))), _TOPIC) is not None


def _without_soft_words(tokens: list[str]) -> Iterator[str]:
    begins = True
    for token in tokens:
        begins = token in _SIGNS or (begins and token in _SOFT)
        if not begins or token in _SIGNS:
            yield token


# --- words without a topic -------------------------------------------------------------------

_EMPTY = {
    "en": """
lol lmao rofl haha hahaha hehe heh xd yes yeah yep yup yay no nope nah ok okay sure thx thanks thank
ty pls please wow whoa woah hey hi hello hmm hm oh ah uh um well really right true same nice cool
great awesome amazing good bad fine bye sorry welcome congrats omg wtf idk btw ha get got know think
say thing way go see look lot
""",
    "de": """
ja jo nein nee ne ok okay klar danke bitte hey hi hallo hm hmm echt stimmt genau gut super toll cool
schön krass achso ach naja sorry tschüss haha lol gerne glaube denke weiß gibt
""",
    "fr": """
oui ouais non ok okay merci salut bonjour coucou hein ah oh bah ben vrai bien super cool génial
dommage désolé mdr lol haha sais pense dit chose
""",
    "es": """
sí no ok vale gracias hola oye eh ah bueno bien claro verdad genial guay perdón adiós jaja jajaja
lol sé creo dice cosa
""",
    "pt": """
sim não ok tá obrigado obrigada oi olá é ah bom bem claro verdade legal ótimo desculpa tchau kkk
kkkk haha lol acho sei coisa
""",
    "ru": """
да нет ага неа ок окей спасибо пожалуйста привет здравствуйте хм ну ой ах правда точно хорошо
круто классно отлично ясно понятно извини пока ахах хаха лол думаю знаю вещь
""",
}
EMPTY_STEMS = frozenset(
    one for code, words in _EMPTY.items() for one in stems(words, language=code)
)
"""Stems of greetings, thanks, yes and no, laughter and the like: they say nothing of a topic."""

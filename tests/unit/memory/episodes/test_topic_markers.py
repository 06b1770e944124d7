"""Words that announce another topic in six languages, and those that only look like it."""

from tests.rows import each_row
from utils.memory.episodes.segmentation import EMPTY_STEMS, announces_a_change
from utils.nlp.stemming import stems

ANNOUNCED = {
    "en": [
        "anyway, different topic: who is up for the LAN party?",
        "ok so, new topic",
        "On a completely different note, I bought a car",
        "That sounds lovely! On another note, have you seen Dune?",
        "let’s change the subject, please",
        "LET'S TALK ABOUT SOMETHING ELSE",
        "completely unrelated, but does anybody sell a GPU?",
        "unrelated question: which distro do you use",
        "Changing the subject... what's for dinner",
        "enough about work. How is Rex?",
        "not to change the subject, but my train is late",
        "off-topic, sorry: when does the shop open?",
        "haha true — different topic — did you vote?",
    ],
    "de": [
        "anderes Thema: wer kommt morgen?",
        "Naja, mal was ganz anderes: habt ihr Hunger?",
        "Themenwechsel!",
        "ok, lass uns das Thema wechseln",
        "Um das Thema zu wechseln, wie war dein Urlaub?",
        "stimmt. Zu etwas ganz anderem, wann ist die Prüfung?",
        "reden wir mal über was anderes",
    ],
    "fr": [
        "Changeons de sujet !",
        "bref, autre sujet : tu viens samedi ?",
        "sinon rien à voir mais tu as vu le match ?",
        "Pour changer de sujet, comment va ta sœur ?",
        "parlons d'autre chose",
        "Sans transition, qui veut jouer ?",
    ],
    "es": [
        "Cambiando de tema, ¿vienes el sábado?",
        "bueno, otro tema: ¿alguien vende una consola?",
        "¡Cambiemos de tema!",
        "hablemos de otra cosa",
        "nada que ver pero, ¿viste el partido?",
    ],
    "pt": [
        "Mudando de assunto, você vem no sábado?",
        "bom, outro assunto: quem vai jogar?",
        "vamos mudar de assunto",
        "nada a ver mas alguém viu o jogo?",
        "vamos falar de outra coisa",
    ],
    "ru": [
        "Ладно, другая тема: кто идёт завтра?",
        "давайте сменим тему",
        "не по теме, но кто-нибудь смотрел матч?",
        "поговорим о другом",
        "Меняя тему: как твоя собака?",
    ],
}
GOING_ON = {
    "en": [
        "anyway, I think we should go there",
        "Anyway...",
        "by the way, the driver works now",
        "so what topic did you pick for your essay?",
        "that is a different topic, I think",
        "different topics need different books",
        "a new subject at school is hard",
        "he changed the subject yesterday",
        "changing the subject line breaks the filter",
        "the next topic of the course is graphs",
        "my question is not unrelated to yours",
        "another question about the same driver",
        "enough about rules has been written",
        "I want to talk about something that happened",
        "we talked about something else",
        "note that on a different machine it works",
        "",
        "👍",
        ",,,::: ...",
    ],
    "de": [
        "naja, ich glaube, wir sollten gehen",
        "das ist ein anderes Thema als gestern",
        "hast du was anderes gegessen?",
        "nein, etwas anderes",
        "übrigens geht der Treiber jetzt",
        "mein Thema ist ein anderes",
        "ich habe eine neue Frage dazu gestellt",
    ],
    "fr": [
        "bref, je pense qu'on devrait partir",
        "ça n'a rien à voir avec toi",
        "rien à voir, c'est un autre fichier",
        "le sujet de la thèse a changé",
        "il a changé de sujet",
        "autre chose à manger ?",
    ],
    "es": [
        "bueno, creo que deberíamos ir",
        "no, otra cosa",
        "ese tema de la clase es difícil",
        "otro tema de Queen que me encanta es Innuendo",
        "por cierto, ya funciona",
    ],
    "pt": [
        "bom, acho que devemos ir",
        "não, outra coisa",
        "o assunto da aula é difícil",
        "outro assunto que ele domina é física",
        "aliás, já funciona",
    ],
    "ru": [
        "ладно, я думаю, надо идти",
        "кстати, драйвер уже работает",
        "тема диплома другая",
        "другая тема диплома была лучше",
        "он сменил тему вчера",
        "новая тема оформления красивая",
    ],
}


@each_row(
    ("table", "code", "text"),
    [
        (table, code, text)
        for table in (ANNOUNCED, GOING_ON)
        for code, texts in table.items()
        for text in texts
    ],
)
def test_a_change_of_subject_is_heard_in_six_languages(table, code, text):
    assert announces_a_change(text) is (table is ANNOUNCED)


def test_a_marker_deep_in_a_long_message_is_part_of_it():
    assert announces_a_change("We went home. Different topic: cats. " + "word " * 5_000)
    assert not announces_a_change("word " * 5_000 + ". Different topic: cats")


@each_row(
    "text",
    ["thanks lol", "yeah ok nice", "ja genau danke", "oui merci", "sí claro", "sim obrigado", "да"],
)
def test_thanks_and_laughter_have_no_topic(text):
    assert set(stems(text)) <= EMPTY_STEMS


def test_a_word_with_a_topic_is_not_empty():
    assert not EMPTY_STEMS & set(stems("the kernel driver of my graphics card"))

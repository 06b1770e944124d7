"""Words that place something in time, by language, and whether a text has one of them."""

import re

from utils.nlp.stemming import stems

# Common words that place something in time; numbers count too.
_TIME_WORDS = {
    "en": "yesterday today tonight tomorrow last next ago week weekend month year day morning "
    "recently monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december since summer winter",
    "de": "gestern vorgestern heute morgen letzte nächste woche wochenende monat jahr tag montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli "
    "oktober dezember seit sommer",
    "fr": "hier aujourd'hui demain dernier prochain semaine mois an année jour lundi mardi "
    "mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août "
    "décembre depuis",
    "es": "ayer hoy mañana pasado próximo semana mes año día lunes martes miércoles jueves viernes "
    "sábado domingo enero febrero marzo abril mayo junio julio agosto diciembre desde hace",
    "pt": "ontem hoje amanhã passado próximo semana mês ano dia segunda terça quarta quinta sexta "
    "janeiro fevereiro março maio junho julho dezembro desde atrás",
    "ru": "вчера сегодня завтра прошлый следующий неделя месяц год день понедельник вторник среда "
    "четверг пятница суббота воскресенье назад январь февраль март апрель май июнь июль август",
    "ja": "昨日 今日 明日 先週 来週 先月 来月 去年 今年 来年",
    "zh": "昨天 今天 明天 上周 下周 上个月 下个月 去年 今年 明年",
    "ar": "أمس اليوم غدا الأسبوع الشهر السنة",
}
_NUMBER = re.compile(r"(?<!\S)\d")


def _time_stems() -> frozenset[str]:
    return frozenset(
        stem
        for language, words in _TIME_WORDS.items()
        for word in words.split()
        for stem in stems(word, language=language)
    )


TIME_STEMS = _time_stems()


def names_time(stems_of_text: str) -> bool:
    """Return whether stems separated by spaces name a time: a word of time, or a number."""
    return not TIME_STEMS.isdisjoint(stems_of_text.split()) or bool(_NUMBER.search(stems_of_text))

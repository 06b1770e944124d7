"""The words that speak of dates, in eight languages, as tables for :mod:`utils.memory.dates`.

All in lower case and with their accents; the spelling without accents is understood as well.
"""

import unicodedata
from collections.abc import Mapping


def without_accents(word: str) -> str:
    """Return a word in lower case with plain letters; й and ё, Japanese marks stay."""
    if word.isascii() or word > "\u0370":
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(one for one in parts if not unicodedata.combining(one))


def _words(text: str) -> frozenset[str]:
    found = text.split()
    return frozenset([*found, *map(without_accents, found)])


def _numbered(rows: tuple[str, ...], first: int) -> dict[str, int]:
    return {word: number for number, row in enumerate(rows, first) for word in _words(row)}


MONTHS: Mapping[str, int] = {
    word: number
    for word, number in _numbered(
        (
            "january januar jänner janvier enero janeiro gennaio январь января январе jan",
            "february februar feber février febrero fevereiro febbraio февраль февраля феврале feb",
            "march märz maerz mars marzo março март марта марте mar mär",
            "april avril abril aprile апрель апреля апреле apr",
            "may mai mayo maio maggio май мая мае",
            "june juni juin junio junho giugno июнь июня июне jun",
            "july juli juillet julio julho luglio июль июля июле jul",
            "august août agosto август августа августе aug",
            "september septembre septiembre setiembre setembro settembre "
            "сентябрь сентября сентябре sep sept",
            "october oktober octobre octubre outubro ottobre октябрь октября октябре oct okt",
            "november novembre noviembre novembro ноябрь ноября ноябре nov",
            "december dezember décembre diciembre dezembro dicembre "
            "декабрь декабря декабре dec dez",
        ),
        1,
    ).items()
    if word != "marco"  # a name
}
"""Month names, declined and abbreviated."""

_ENGLISH = "in last since until till of early late mid by during past previous next before after"
_GERMAN = "im seit bis anfang mitte ende letzten vergangenen letzter vorigen nächsten"
_FRENCH = "en de depuis fin début mi dernier"
_SPANISH = "en de desde hasta pasado del"
UNSURE_MONTHS: Mapping[str, frozenset[str]] = {
    word: _words(before)
    for words, before in (
        ("may march", _ENGLISH),
        ("april august", f"{_ENGLISH} {_GERMAN}"),
        ("june", _ENGLISH),
        ("juni juli", _GERMAN),
        ("mars", _FRENCH),
        ("mai", f"{_GERMAN} {_FRENCH}"),
        ("mayo", _SPANISH),
        ("maio", "em de desde até do"),
        ("julio agosto", f"{_SPANISH} em in ad lo scorso"),
        ("марта мая", ""),
        ("март май", "с в за прошлый прошлого"),
        ("jan feb apr aug sep sept oct nov dec jun jul", _ENGLISH),
        ("okt dez mär mar", _GERMAN),
    )
    for word in _words(words)
}
"""Months that are other words or names as well -> the words before them that make them sure."""

WEEKDAYS: Mapping[str, int] = _numbered(
    (
        "monday montag lundi lunes lunedì понедельник",
        "tuesday dienstag mardi martes martedì вторник",
        "wednesday mittwoch mercredi miércoles mercoledì среду",
        "thursday donnerstag jeudi jueves giovedì четверг",
        "friday freitag vendredi viernes venerdì пятница пятницу",
        "saturday samstag sonnabend samedi sábado sabato суббота субботу",
        "sunday sonntag dimanche domingo domenica воскресенье",
    ),
    0,
)
WEEKEND_BEFORE = _words("on at over during am на")
FEIRAS: Mapping[str, int] = _numbered(("segunda", "terça", "quarta", "quinta", "sexta"), 0)
"""Portuguese weekdays, which are ordinal numbers where no "feira" or "passada" follows."""
WEEKENDS = _words("weekend wochenende wochenendes выходные выходных finde")

YESTERDAY = _words("yesterday gestern ayer ontem ieri вчера anoche")

DAY_PHRASES: Mapping[tuple[str, ...], tuple[int, int]] = {
    tuple(spelt.split()): (first, last)
    for phrase, first, last in (
        ("the day before yesterday", 2, 2),
        ("day before yesterday", 2, 2),
        ("vorgestern", 2, 2),
        ("vorvorgestern", 3, 3),
        ("avant hier", 2, 2),
        ("hier soir", 1, 1),
        ("hier matin", 1, 1),
        ("antes de ayer", 2, 2),
        ("anteayer", 2, 2),
        ("antier", 2, 2),
        ("anteontem", 2, 2),
        ("l altro ieri", 2, 2),
        ("altro ieri", 2, 2),
        ("avantieri", 2, 2),
        ("позавчера", 2, 2),
        ("last night", 1, 0),
        ("last evening", 1, 1),
        ("letzte nacht", 1, 0),
        ("the other day", 10, 1),
        ("neulich", 10, 1),
        ("l autre jour", 10, 1),
        ("el otro día", 10, 1),
        ("no outro dia", 10, 1),
        ("l altro giorno", 10, 1),
        ("на днях", 10, 1),
    )
    for spelt in {phrase, without_accents(phrase)}
}
"""Phrases -> how many days back they begin and end."""

FRENCH_SIGNS = _words(
    "je tu il elle nous vous est qu que ai as pas et le la les une pour dans avec sur ce mon ma"
)
GERMAN_SIGNS = _words("ich du er sie wir ihr ist und der die das den ein eine nicht hier's zu von")

UNITS: Mapping[str, str] = {
    word: unit
    for unit, words in {
        "day": "day days tag tage tagen tages jour jours día días dia dias giorno giorni "
        "день дня дней",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane "
        "неделя неделю недели недель неделе",
        "month": "month months monat monate monaten monats mois mes meses mês mese mesi "
        "месяц месяца месяцев месяце",
        "year": "year years jahr jahre jahren jahres an ans année années año años ano anos "
        "anno anni год года году лет",
    }.items()
    for word in _words(words)
}
ONE_WITHOUT_NUMBER = _words("неделю месяц год день")
"""Units that mean one of them right before "ago"."""

NUMBERS: Mapping[str, int] = _numbered(
    (
        "a an one ein eine einem einer einen un une una uno um uma один одну",
        "two zwei deux dos dois duas due два две",
        "three drei trois tres três tre три",
        "four vier quatre cuatro quatro quattro четыре",
        "five fünf cinq cinco cinque пять",
        "six sechs seis sei шесть",
        "seven sieben sept siete sete sette семь",
        "eight acht huit ocho oito otto восемь",
        "nine neun neuf nueve nove девять",
        "ten zehn dix diez dez dieci десять",
        "eleven elf onze once undici одиннадцать",
        "twelve zwölf douze doce doze dodici двенадцать",
    ),
    1,
)
VAGUE: Mapping[str, tuple[int, int]] = {
    word: span
    for words, span in (
        ("couple par paio пару пара", (2, 4)),
        (
            "few paar einige einigen quelques unos unas algunos algunas pocos pocas alguns algumas "
            "uns umas poucos poucas qualche alcuni alcune pochi poche несколько",
            (2, 6),
        ),
        ("several mehrere mehreren plusieurs varios varias vários várias diversi", (3, 8)),
    )
    for word in _words(words)
}
AGO_BEFORE = frozenset(
    [("vor",), ("hace",), ("há",), ("ha",), ("faz",), ("il", "y", "a"), ("y", "a")]
)
AGO_AFTER = _words("ago fa назад atrás back")

LAST_BEFORE = _words(
    "last past previous letzte letzter letztes letzten letztem vorige voriger voriges vorigen "
    "vorigem vergangene vergangener vergangenes vergangenen pasado pasada passado passada scorso "
    "scorsa прошлый прошлая прошлое прошлом прошлой прошлую прошлого прошлые dernier dernière "
    "último última ultimo ultima"
)
LAST_AFTER = _words(
    "dernier dernière passé passée pasado pasada passado passada scorso scorsa passata anterior"
)
ROLLING = _words(
    "last past letzten vergangenen dernier dernière derniers dernières último última últimos "
    "últimas ultimo ultima ultimi ultime последние последних последний последнюю последнего"
)
"""Words that make "the last month" reach up to now, where a number or an article says so."""
ALWAYS_ROLLING = _words("último última ultimo ultima последний последнюю последнего")
THIS = _words(
    "this current diese dieser dieses diesen diesem ce cet cette este esta neste nesta deste desta "
    "questo questa quest этот эта это этом этой эту этого"
)
NEXT = _words(
    "next coming upcoming nächste nächster nächstes nächsten kommende kommender kommendes "
    "kommenden prochain prochaine próximo próxima prossimo prossima следующий следующая следующее "
    "следующем следующей следующую будущем que"
)
EVERY = _words("every each jeden jede jedes jeder tous toutes chaque todos todas cada toda todo")
EVERY |= _words("ogni tutti tutte каждый каждую каждое каждые всякий")

YEAR_BEFORE = _words(
    "in since during jahr jahre jahres seit en depuis année desde em año ano nel dal anno в с year "
    "of from until till by before after"
)
NOT_A_YEAR_BEFORE = _words(
    "euro euros dollar dollars pesos reais rubles rubel рублей yen people persons words characters "
    "points lines pieces miles km meters metres steps times calories mb gb hz rpm kilometer leute"
)
DATE_BEFORE = _words("on since until till by from am vom seit bis ab zum le du au el il al em dia")
OF = _words("of the de du del d di do da des le il el")
ARTICLES = _words("the a an den dem der die das les las los os as gli le la el i l il un una")

SEASONS: Mapping[str, int] = {
    word: number
    for number, words in (
        (3, "spring frühling frühjahr printemps primavera весна весной весну весны"),
        (6, "summer sommer été verano verão estate лето летом лета"),
        (9, "autumn fall herbst automne otoño outono autunno осень осенью осени"),
        (12, "winter hiver invierno inverno зима зимой зиму зимы"),
    )
    for word in _words(words)
} | {"été": 6}
"""Seasons of the northern half of the world -> the month that begins them."""
SEASON_BEFORE = _words(
    "im en au in em no na nel nell d questa quell прошлым прошлой прошлое прошлую этим этой"
)
PLAIN_SEASONS = _words("fall spring ete été estate")
"""Seasons that are other words as well: a preposition alone does not make them one."""

HOLIDAYS: Mapping[tuple[str, ...], tuple[str, bool]] = {
    tuple(spelt.split()): (name, is_sure)
    for name, is_sure, phrases in (
        (
            "christmas",
            True,
            "christmas, xmas, weihnachten, heiligabend, weihnachtstag, noël, navidad, nochebuena, "
            "natale, рождество, рождества",
        ),
        ("christmas", False, "natal"),
        (
            "new year",
            True,
            "new year s eve, new years eve, new year s day, new years day, new year s, silvester, "
            "neujahr, nouvel an, año nuevo, nochevieja, réveillon, capodanno, новый год",
        ),
        ("halloween", True, "halloween, хэллоуин"),
        (
            "valentine",
            True,
            "valentine s day, valentines day, valentinstag, saint valentin, san valentín, "
            "dia dos namorados, san valentino",
        ),
        ("easter", True, "easter, ostern, pâques, pascua, páscoa, pasqua, пасха, пасху, пасхи"),
    )
    for phrase in phrases.split(", ")
    for spelt in {phrase, without_accents(phrase)}
}
"""Feasts -> their name, and whether the word is never another one."""

PHRASE_STARTS = frozenset(phrase[0] for phrase in (*DAY_PHRASES, *HOLIDAYS))
STARTS = frozenset(
    [
        "hier",
        *PHRASE_STARTS,
        *YESTERDAY,
        *MONTHS,
        *WEEKDAYS,
        *FEIRAS,
        *WEEKENDS,
        *UNITS,
        *NUMBERS,
        *VAGUE,
        *ROLLING,
        *SEASONS,
        *(start[0] for start in AGO_BEFORE),
    ]
)
"""Words with which something can begin; besides, numbers can."""

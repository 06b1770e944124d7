"""The plain words that notes are made of, and how words change their form. Tables only."""

import re

from utils.nlp.stemming import stems


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Indic, Thai, Khmer, Arabic … words are spelt with marks that \w leaves out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0971-\u0df3"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u109d\u17b4-\u17d3"
    "\u3099\u309a"
)
_LETTERS = rf"(?:[^\W_][{_MARKS}]*)+"
WORD = re.compile(rf"{_LETTERS}(?:['’-]{_LETTERS})*")
"""A word, with the apostrophes and hyphens in it."""

_PLAIN = {
    "en": """has have had own owns named called name is was be work works job lives live home likes
        loves enjoys hates dislikes prefers preference favourite favorite plays wants would
        plan plans planning going goes went moved moving studies study speaks born year years old
        age since currently often usually tends every week day month started start used use uses
        feels about other others one thing things person people time times lot way new recent
        recently currently regularly well really very much many more most some several various
        always sometimes together especially particularly due
        believes believe values value considers consider appreciates appreciate interested interest
        finds find found includes include focus important importance makes make made gets get
        getting got needs need does doing did keeps keep become becoming becomes thinks
        think knows know able try trying tries looking look finished finish attends attend visit
        visits visited experience experienced shares share mentions mentioned expresses supports
        support helps help received receive gave give given different inspired inspiring excited
        wish wishes prefer offers offered suggests
        provide provides participates participated seeks seeking faces facing continues continue
        shows spends pursue pursuing create creating improve improving sense despite oneself
        emphasizes acknowledges encourages admires sees good great small special fun last next even
        something time zone pronouns learned learns learning asks asked evening
        morning night weekend""",
    "de": """beginnt fängt hat haben heißt name wohnt lebt arbeitet beruf mag liebt spielt will
        plant geht zieht studiert spricht geboren jahre alt seit lieblings findet oft jeden woche
        tag namens monat jahr möchte trinkt macht""",
    "fr": """a avoir appelle nom habite vit travaille aime adore préfère joue veut prévoit
        va étudie parle né ans depuis préféré souvent chaque semaine jour année mois fait""",
    "es": """tiene llama nombre vive trabaja gusta encanta ama prefiere juega quiere planea va
        estudia habla nacido años desde favorito suele cada semana día mes hace""",
    "pt": """tem chama chamada nome mora vive trabalha gosta adora ama prefere joga quer planeja vai
        estuda fala nascido anos desde favorito costuma cada semana dia mês faz""",
    "it": """ha chiama nome vive abita lavora piace ama preferisce gioca vuole va studia parla anni
        fa""",
    "ru": """имеет есть зовут имя живет работает любит нравится предпочитает играет хочет планирует
        идет учится говорит родился лет любимый часто каждый неделя день год году месяц""",
    "nl": "heeft woont werkt houdt van speelt naam",
    "ja": "住 飼 好 名前 働 勉強 話 持",
}
NOTE_STEMS = frozenset(
    stem for language, words in _PLAIN.items() for stem in stems(words, language=language)
)

ENDINGS = _words(
    """s es d ed ing ings er ers e en n t st te ten y ies ied ie i ly al est
    o a as os amos emos an ao ó é ou ei ar ir are ere ire iamo ons ez ent ais ait ant é ée és
    ando endo iendo indo ndo
    и ы а у ю е я ем ет ёт ит ят ут ют ешь ишь ть л ла ли ой ом ам ах ую ий ый ая ое ые ого лю ю
    ться ется ится усь юсь сь ся в ва"""
) | {""}
"""What words of one meaning may end in, after three letters or more that they share."""


IRREGULAR = {
    form: base
    for base, forms in {
        "go": "went goes gone going", "buy": "bought", "write": "wrote written writing",
        "take": "took taken", "get": "got gotten gets", "make": "made", "meet": "met",
        "see": "saw seen", "sell": "sold", "leave": "left", "lose": "lost losing",
        "find": "found", "spend": "spent", "teach": "taught", "learn": "learnt learned",
        "grow": "grew grown", "run": "ran runs", "drink": "drank drunk", "eat": "ate eaten",
        "sleep": "slept asleep", "build": "built", "keep": "kept", "break": "broke broken",
        "choose": "chose chosen", "fly": "flew flown", "swim": "swam", "win": "won",
        "drive": "drove driven", "ride": "rode", "send": "sent", "pay": "paid", "catch": "caught",
        "feel": "felt", "think": "thought", "wear": "wore", "begin": "began begun",
        "sing": "sang", "draw": "drew drawn", "give": "gave given", "come": "came",
        "become": "became", "hold": "held", "hear": "heard", "tell": "told", "bring": "brought",
        "speak": "spoke spoken", "know": "knew known", "do": "did done does",
    }.items()
    for form in forms.split()
}  # fmt: skip

PAST = _words(
    """failed stole went bought wrote took got made met saw sold left lost found spent taught learnt
    grew ran drank ate slept built kept broke chose flew swam won drove rode sent paid caught felt
    thought wore began sang drew gave came became held heard told brought said did had quit lied hid
    threw fell swore rode shook tore woke froze struck shot sat stood fought dug hung lit led
    bled fed fled dealt meant lent swept crept wept slid spun swung laid rang blew knew forgave
    forgot rose stuck hurt understood flung sprang sank shrank"""
)
"""English verbs in the past that do not end in -ed."""

SAME = {
    word: words.split()[0]
    for words in (
        "birthday bday b-day", "favourite favorite fav fave favorites", "girlfriend gf",
        "boyfriend bf", "mum mom mother", "dad father", "colour color", "computer pc",
        "dont don't", "two 2 both", "three 3", "four 4", "five 5", "six 6", "seven 7", "eight 8",
        "nine 9", "ten 10", "one 1", "twelve 12", "gb gigs gig gigabytes", "photo pic picture",
        "film movie", "reached hit", "roommate flatmate", "university uni college", "tv television",
        "practise practice", "jewelry jewellery", "maths math", "grandma grandmother granny",
        "grandpa grandfather", "apartment flat", "doesn't don't dont doesnt", "his her their my",
        "dial-up dialup", "loves love adore adores", "business biz", "pictures pics photos",
        "information info", "application app", "vegetarian veggie", "thanks thx", "year yr",
        "married wed", "back returned", "children kids",
    )
    for word in words.split()
}  # fmt: skip

NUMBERS = _words(
    """two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand
    million zwei drei vier fünf deux trois quatre cinq dos tres cuatro cinco dois duas três два три
    четыре пять"""
)

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january januar janvier enero janeiro январь января январе",
            "february februar février febrero fevereiro февраль февраля феврале",
            "march märz mars marzo março март марта марте",
            "april avril abril апрель апреля апреле",
            "may mai mayo maio май мая мае",
            "june juni juin junio junho июнь июня июне",
            "july juli juillet julio julho июль июля июле",
            "august août agosto август августа августе",
            "september septembre septiembre setembro сентябрь сентября сентябре",
            "october oktober octobre octubre outubro октябрь октября октябре",
            "november novembre noviembre novembro ноябрь ноября ноябре",
            "december dezember décembre diciembre dezembro декабрь декабря декабре",
        ),
        1,
    )
    for name in names.split()
} | dict.fromkeys(
    _words(
        """summer winter spring autumn early late mid monday tuesday wednesday thursday friday
        saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag"""
    ),
    0,
)
"""The names of months, with their numbers; those of seasons and days, with 0."""

TIMES = re.compile(
    r"today|tonight|yesterday|tomorrow|\bnow\b|last|next|this|ago|weekend|week|month|year|since|until|"
    r"till|\bby\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|"
    r"mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|summer|winter|spring|autumn|soon|"
    r"\bin (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|"
    r"\d(?:st|nd|rd|th)\b|heute|gestern|morgen|nächst|letzt|diese|woche|monat|jahr|seit|bis\b|"
    r"aujourd|demain|hier\b|semaine|mois|an(?:née|s)?\b|prochain|dernier|hoy|mañana|ayer|semana|"
    r"mes\b|año|próxim|pasad|hoje|amanhã|ontem|mês|ano\b|passad|"
    r"сегодня|завтра|вчера|недел|месяц|год|прошл|следующ|今|昨|明日|来|先|年|月"
)
"""What tells the time, so that a date can be worked out from it."""

TIMES_FROM_NOW = re.compile(r"today|tonight|yesterday|tomorrow|ago\b|day\b|weekend")
WEEKDAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b", re.IGNORECASE
)

CHARGED = re.compile(
    r"^(?:steal|stole|thie|theft|rob|cheat|l(?:ie|iar|ying)|fraud|scam|betray|crim|arson|murder|kill|"
    r"abus|rac(?:ist|ism)|nazi|sexis|stalk|hack|drug|drunk|addict|stupid|dumb|idiot|moron|loser|ugly|"
    r"hat(?:e|es|ing|red)|despis|enem|evil|toxic|creep|pervert|porn|sex|slut|whore|bitch|bastard|fake|"
    r"bad$|worst|worse$|terribl|awful|horribl|useless|miserab|fail|jealous|afraid|scared|sabotag|"
    r"spy|traitor|coward|lazy|smell|stink|disgust|violen|attack|weapon|bomb|terror|poison|threat|"
    r"admin|moderator|owner|developer|root|boss|obey|trust|secret|guilt|jail|prison|arrest|debt|"
    r"ow(?:e|es|ed|ing)$|smash|ruin|wreck|destroy|damag|hurt|kick|punch|burn|spoil|botch|bluff|incompet|"
    r"inept|clums|careless|rude|nast|annoy|insult|bull(?:y|ie)|klau|stahl|stiehl|bestohl|betr[üo]g|lüg|dieb|"
    r"dumm|hass|schuld|voleu|menteu|trich|ladr|robó|mentiros|"
    r"gamb|smok|alcohol|divorc|pregnan|single|married|gay|lesbian|trans$|transg|transs|jew|muslim|christ)",
    re.IGNORECASE,
)
"""Words that nobody but the subject may put into a memory of theirs: charges, roles, slurs."""

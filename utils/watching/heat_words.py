"""Words that heat a conversation, by language: insults, curses, threats, orders to be silent.

A table for finding what deserves a closer look, not a judgement: most of these words are also
said among friends. An entry stands for the whole word; one that ends in ``*`` also for words that
begin with it; several words stand for themselves in that order. All are in lower case, without
accents, and without runs of more than two equal letters.
"""

HEAT_WORDS: dict[str, tuple[str, ...]] = {
    "en": (
        *("idiot*", "moron*", "stupid*", "dumbass*", "dumb", "imbecile*", "loser*", "pathetic"),
        *("clown*", "scum", "trash", "garbage", "disgusting", "worthless", "useless", "toxic"),
        *("asshole*", "arsehole*", "bastard*", "bitch*", "cunt*", "dick*", "dickhead*", "prick*"),
        *("fuck*", "motherfuck*", "wtf", "stfu", "gtfo", "shit*", "bullshit*", "crap", "jerk*"),
        *("shut up", "shut it", "screw you", "piss off", "go away", "get lost", "nobody asked"),
        *("kill yourself", "kys", "kill you", "i will kill", "hurt you", "beat you"),
        *("hate you", "hate him", "hate her", "hate them", "despise*", "liar*", "lying", "coward*"),
        *("how dare", "your fault", "sick of you", "sick of this", "fed up", "leave me alone"),
        *("stop it", "cut it out", "harass*", "bully*", "bullies", "threat*", "troll*", "creep*"),
        *("retard*", "fag", "faggot*", "nigger*", "nigga*", "tranny*", "nazi*", "racist*"),
    ),
    "de": (
        *(
            "idiot*",
            "depp*",
            "trottel*",
            "vollidiot*",
            "dumm",
            "dumme",
            "dummer",
            "blod*",
            "doof*",
            "spast*",
        ),
        *("arsch*", "wichser*", "hurensohn*", "fotze*", "schlampe*", "missgeburt*", "penner*"),
        *(
            "scheiss*",
            "fick",
            "ficken",
            "fickt",
            "verpiss*",
            "halt die",
            "halts maul",
            "fresse",
            "klappe",
        ),
        *("bring dich um", "ich bring", "hasse dich", "hasse", "lugner*", "feigling*", "versager*"),
        *("behindert*", "schwuchtel*", "neger", "abschaum", "ekelhaft*", "lass mich in ruhe"),
    ),
    "fr": (
        *("idiot*", "imbecile*", "conne", "connard*", "connasse*", "salope*", "pute*"),
        *("merde*", "putain", "encule*", "ta gueule", "ferme la", "va te faire", "degage*"),
        *("je te deteste", "je te hais", "menteur*", "menteuse*", "abruti*", "debile*", "nique*"),
    ),
    "es": (
        *("idiota*", "imbecil*", "estupid*", "gilipollas", "cabron*", "puta*", "puto*", "mierda*"),
        *(
            "pendej*",
            "maric*",
            "callate",
            "te odio",
            "mentiros*",
            "asco",
            "te voy a matar",
            "joder",
        ),
    ),
    "pt": (
        *("idiota*", "imbecil*", "burro*", "otari*", "caralho", "porra", "merda*", "puta*"),
        *("vai se foder", "foda se", "cala a boca", "te odeio", "mentiros*", "viado*", "arrombad*"),
    ),
    "it": (
        *("idiota*", "stupid*", "cretin*", "stronz*", "cazzo", "merda*", "vaffanculo", "puttana*"),
        *("stai zitt*", "ti odio", "bugiard*", "coglion*", "ti ammazzo"),
    ),
    "nl": (
        *("idioot*", "sukkel*", "klootzak*", "kut*", "hoer*", "kanker*", "tering*", "hou je bek"),
        *("rot op", "ik haat", "leugenaar*", "mongool*"),
    ),
    "pl": (
        *("idiot*", "debil*", "kretyn*", "kurw*", "chuj*", "pierdol*", "spierdal*", "zamknij sie"),
        *("nienawidze", "klamc*", "zabije"),
    ),
    "tr": (
        *(
            "aptal*",
            "salak*",
            "gerizekali*",
            "orospu*",
            "siktir*",
            "amk",
            "serefsiz*",
            "kapa ceneni",
        ),
        *("nefret ediyorum", "yalanci*"),
    ),
    "ru": (
        *("идиот*", "дурак*", "дура", "тупой", "тупая", "урод*", "сука*", "суки", "бляд*", "хуй*"),
        *("пизд*", "ебать", "ебл*", "заткнись", "ненавижу", "лжец*", "убью", "мудак*", "пошел на"),
    ),
}

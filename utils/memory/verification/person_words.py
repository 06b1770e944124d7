"""The words that tell whom a sentence is about, in the languages that Kith reads best. Tables only.

English, German, French, Spanish, Portuguese, Italian and Russian; for Japanese a pattern. Words are
casefolded, apostrophes straight.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


FIRST_PERSON = _words(
    """i i'm i've i'd i'll im ive ill we we're we've we'll we'd
    ich ichs wir hab habe bin wohne lebe arbeite hasse liebe spiele
    je j' nous
    yo nosotros nosotras soy estoy tengo vivo trabajo estudio odio prefiero juego hablo
    eu nós sou estou tenho moro trabalho estudo adoro gosto odeio jogo falo
    io noi sono ho abito lavoro studio faccio suono vengo leggo bevo mangio preferisco voglio cerco
    bebo como leo vengo toco aprendo colecciono bebo leio venho toco torço aprendo
    я мы живу люблю работаю учусь играю ненавижу хочу
    ik wij"""
)
"""Subjects, and verbs that need none."""

FIRST_OBJECT = _words("me myself us mich mir uns moi mí conmigo nos mim mi мне меня мной нам нас")
MINE = _words(
    """my mine our ours mein meine meinen meinem meiner meines unser unsere unseren unserem
    mon ma mes notre nos mi mis nuestro nuestra nuestros nuestras meu minha meus minhas nosso nossa
    mio mia miei mie nostro nostra мой моя моё мое мои моего моей мою моих моему наш наша наше наши
    mijn onze mój moja moje moi moich mojej moją moim naszego nasz nasza nasze"""
)
THIRD_PERSON = _words(
    """he she they he's she's they're he'd she'd they've he'll she'll they'll his their
    er sie ihm ihn ihre sein seine il elle ils elles él ella ellos ellas ele ela eles elas lui lei
    loro он она они ему ей им его её ее их hij zij"""
)
THEIRS = _words("his her their ihre sein seine su его её ее их")
SECOND_PERSON = _words(
    """you you're you've you'll you'd u ur your yours yourself du dir dich dein deine deinen deinem
    deiner ihr euch euer eure tu te toi ton ta tes vous votre vos tú ti contigo usted ustedes tus su
    vosotros você vocês teu tua seu sua ты тебя тебе твой твоя твоё твои твоего вы вас вам ваш ваша
    ваше jij je jouw vives tienes eres estás haces juegas prefieres quieres trabajas gusta llamas
    moras tens és jogas gostas живёшь живешь работаешь любишь играешь хочешь"""
)
NOBODY_IN_PARTICULAR = _words(
    """people everyone everybody someone somebody anyone anybody nobody folks guys others most
    guy guys man men woman women girl boy lady dude kid admin admins mod mods moderator moderators
    player players stranger strangers dev devs
    leute alle jemand niemand gens gente todos alguien nadie alguém ninguém люди все кто-то
    никто"""
)
"""As a subject, it is not the author."""

RELATIVES = _words(
    """brother brothers sister sisters mother mom mum father dad parent parents son sons daughter
    daughters kid kids child children baby wife husband partner boyfriend girlfriend bf gf ex
    fiance fiancé fiancée fiancee friend friends bestie bff buddy mate boss coworker coworkers
    colleague colleagues roommate roommates flatmate flatmates neighbour neighbours neighbor
    neighbors uncle aunt cousin cousins nephew niece grandma grandpa grandmother grandfather teacher
    doctor landlord twin stepdad stepmom sibling siblings
    bruder schwester mutter mama vater papa eltern sohn tochter frau mann freund freundin chef
    chefin nachbar nachbarin oma opa kollege kollegin mitbewohner kind kinder
    frère sœur soeur mère père fils fille mari femme ami amie patron voisin voisine copain copine
    hermano hermana madre padre hijo hija esposa marido amigo amiga jefe jefa vecino vecina novio
    novia abuela abuelo irmão irmã mãe pai filho filha chefe vizinho vizinha namorado namorada avó
    avô fratello sorella figlio figlia moglie marito amico amica
    брат сестра мама папа мать отец сын дочь муж жена друг подруга сосед соседка бабушка дедушка
    broer zus moeder vader
    brat siostra ojciec matka tata córka żona mąż dziewczyna chłopak przyjaciel przyjaciółka kolega
    koleżanka szef szefowa sąsiad sąsiadka babcia dziadek rodzice
    kardeşim annem babam abim ablam eşim kocam karım oğlum kızım arkadaşım sevgilim patronum
    komşum dedem teyzem amcam dayım"""
)
PETS = _words(
    """dog dogs puppy puppies cat cats kitten kittens hamster hamsters rabbit rabbits bunny parrot
    parot bird birds fish snake snakes horse horses turtle turtles ferret ferrets lizard gecko rat
    rats mouse pet pets cockatiel budgie chicken chickens goat goats greyhound
    hund hunde katze katzen kater welpe pferd kaninchen chien chienne chat chatte chiot cheval lapin
    perro perra gato gata gatos perros cachorro caballo cão cadela cavalo cane gatto gatta
    pies psa suka kota kotka köpeğim kedim
    собака собаки пёс пес кошка кот котёнок котенок щенок хомяк"""
)
TOGETHER = ("and i", "und ich", "et moi", "y yo", "e eu", "и я", "e io", "& i", "and me", "en ik")

_VERBS = {
    "en": """has had's hasn't is isn't was wasn't does doesn't lives works loves likes hates plays
        owns wants prefers studies drinks eats smokes cheats steals lies thinks knows needs
        collects speaks teaches runs sleeps snores sells breeds breaks keeps makes goes comes
        says tells bites streams writes reads cooks bakes drives rides sings dances
        dislikes enjoys adores uses watches believes feels looks owes pays""",
    "de": """hat ist war wohnt lebt arbeitet liebt hasst spielt heißt isst trinkt studiert zieht
        klaut geht kommt macht findet schläft will kann""",
    "fr": """est habite vit travaille aime déteste joue mange boit étudie veut préfère dort vend""",
    "es": """tiene es está vive trabaja juega odia ama estudia habla quiere come bebe prefiere
        duerme vende""",
    "pt": """tem é está mora vive trabalha joga adora odeia gosta estuda fala quer come bebe
        prefere dorme vende""",
    "it": """ha è vive abita lavora odia ama gioca studia parla vuole mangia beve""",
    "ru": """живёт живет работает любит ненавидит играет учится говорит имеет ест хочет пьёт пьет
        курит продаёт ворует""",
    "nl": "heeft woont werkt houdt haat speelt is",
    "pl": "jest mieszka pracuje studiuje lubi kocha nienawidzi uczy gra mówi pije chce",
}
_AMBIGUOUS = _words("es come a ha fa ama is est will kann mange joue aime vende bebe")
MODALS = _words(
    "will would can could can't cannot couldn't won't must should shouldn't might may got had did "
    "just always never often"
)
THIRD_VERBS = {language: _words(verbs) for language, verbs in _VERBS.items()}
"""By language, verbs whose subject is neither "I" nor "we"."""

BARE_VERBS = THIRD_VERBS["en"]
"""English ones: a sentence that begins with one goes on about whomever the last one was about."""

ANY_THIRD_VERBS = frozenset().union(*THIRD_VERBS.values()) - _AMBIGUOUS | THIRD_VERBS["en"]
"""Those that can hardly be anything else, whatever the language."""

BEING = _words("is isn't was wasn't has hasn't are were ist hat war est es está é tem è ha")
"""Of these, the ones whose subject may well be a thing."""

THINKING = _words(
    """think know believe guess hope swear heard bet suppose feel glaube denke weiß hoffe crois
    pense sais espère creo pienso sé acho creio sei credo penso so думаю знаю считаю кажется"""
)
"""After these, another clause begins, often without a word to join it."""

ARTICLES = _words("the a an der die das ein eine le la les un une el los las o os as il lo gli i")
FEW_WORDS_TOLD = _words("about off a the no yes everything nothing once to how why what")
SOME = _words("some another every each any")
"""Before a subject, besides articles."""

ENGLISH_SUBJECTS = _words("he she they he's she's they're he'd she'd they've he'll she'll they'll")
CAUSING = _words(
    """let lets letting make makes made making help helps helped helping teach teaches taught
    teaching give gives gave giving get gets got getting bought buys allows allowed"""
)
"""What somebody does to "me" after these, I do or have."""

PRONOUNS = re.compile(
    r"pronouns|\b(?:s?he|they|it|any|xe|ze)/(?:s?he|him|hers?|they|them|its?)\b|"
    r"\bthey(?: |/)them\b",
    re.IGNORECASE,
)
REPORTING = _words(
    """said says claims claimed wrote writes goes thinks sagt sagte meint meinte dit dice dijo diz
    disse говорит сказал сказала пишет"""
)
NEXT_CLAUSE = _words(
    """and but so because since while when that who which if though although whereas then where
    und aber weil dass wenn obwohl et mais parce que quand qui y pero porque cuando e mas quando
    и но а потому что когда если который которая ma perché"""
)
RELATIVE_PRONOUNS = _words("who which qui который которая")
LEADING = _words(
    """well so and but also oh ok okay yes yeah yep no nah nope btw fyi actually anyway hey hi hello
    lol haha hahaha lmao omg ngl honestly tbh still now today yesterday tomorrow then finally
    always never often have ugh wow kith please pls plz thanks yet maybe just only even too same
    kinda sorta super pretty totally und
    aber also ja nein heute et mais oui non bon ben y pero sí no bueno e mas sim não и но а да нет
    ну"""
)
"""Words before a subject that are none."""

UNSEEN_SUBJECT = _words("it it's its that that's this there there's here here's what's what let's")
"""Subjects that leave it open whom a sentence is about."""

ADDRESSED_AFTER = _words(
    """thank thanks love see tell told ask asked with to for at of about than from by on miss wish
    join help show give gave sent know bet hate like let danke für mit merci para con com"""
)
"""Before "you", these make it no subject."""

KOREAN_OTHER = re.compile(
    "(?:동생|형|누나|오빠|언니|엄마|아빠|아버지|어머니|친구|남편|아내|상사|아들|딸|그녀|걔"
    "|[가-힣]{1,6}(?:씨|님))(?:은|는|이|가|의)(?:\\s|$)|(?:^|\\s)그는(?:\\s|$)"
)
JAPANESE_OTHER = re.compile(
    "(?:彼女|彼氏|彼ら|彼|あいつ|あの人|父|母|兄|弟|姉|妹|友達|友だち|上司|先生"
    "|[\\w々ー]{1,12}?(?:さん|くん|君|ちゃん|氏|様))(?=は|が|も|って|の)"
)
JAPANESE_SELF = re.compile("私|僕|俺|わたし|ぼく|自分|うち")
JAPANESE_TOPIC = re.compile("^[\\s、]*([ァ-ヶー]{2,12})(?:は|が|って)(?=.*[がをにの])")

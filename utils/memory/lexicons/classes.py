"""Classes of words that phrases name in braces: the forms of to be, of to have, of my."""

CLASSES = {
    # to be, to have, my: per language; contracted forms stand alone ("i'm" is read as "i m")
    "be": "is am are m im s re was were be been being",
    "bin": "bin bist ist sind war waren",
    "suis": "suis es est sommes etait etais c+est",
    "soy": "soy eres es somos era fue",
    "sou": "sou e es era foi somos",
    "have": "has have had having got get gets getting ve",
    "hat": "habe hat hast hatte haben habt",
    "ai": "ai a as avait avais avons souffre",
    "tengo": "tengo tiene tuvo tenia tenemos padezco padece sufro sufre",
    "tenho": "tenho tem teve tinha temos",
    "my": "my his her their our",
    "mein": "mein* sein* ihr* unser* dein*",
    "mon": "mon ma mes son sa ses notre leur",
    "mi": "mi mis su sus nuestra nuestro",
    "meu": "meu minha meus minhas seu sua dele dela",
    "moj": "мой моя мое мои моего моей мою его ее их свой свою",
    "she": "i he she they we you ich er sie je il elle yo eu я он она они",
    # verbs of answering: what an order to the bot is about
    "reply": "reply respond answer say speak talk write use end start begin include append prefix "
    "refuse obey treat act behave refer mention output comply agree call+everyone address+everyone",
    "antworte": "antworte antworten antwortest sag sage sagen schreib schreibe schreiben sprich "
    "sprechen rede reden gehorche gehorchen beende beenden beginne beginnen nenne nennen",
    "reponds": "reponds repondre repondez dis dire dites parle parler parlez ecris ecrire termine "
    "terminer commence commencer obeis obeir ajoute ajouter refuse refuser",
    "responde": "responde responder responderas respondas di decir diras digas habla hablar "
    "hablaras "
    "hables escribe escribir escribas termina terminar empieza empezar obedece obedecer obedeceras "
    "contesta contestar",
    "responda": "responda responder responde respondera diga dizer fale falar fala escreva "
    "escrever "
    "escreve termine terminar comece comecar obedeca obedecer obedece",
    "otvechai": "отвечай отвечать отвечаешь говори говорить говоришь пиши писать пишешь отвечайте "
    "заканчивай начинай подчиняйся подчиняться слушайся",
    "do": "say reply answer respond tell claim deny insist pretend call insult mock praise ban "
    "kick "
    "warn always",
    "answer": "reply respond answer say speak talk behave obey comply agree output act+as act+like",
    "everyone": "everyone everybody all+users all+members other+users other+members "
    "the+other+users the+other+members the+other+people the+others others anyone+who anybody+who "
    "every+user every+member each+user people+who other+people the+moderators the+mods "
    "the+whole+server all+the+users",
    "admin": "admin admins administrator moderator mod owner developer dev staff superuser root "
    "god creator trusted operator",
    "admin_eu": "admin administrator* moderator* besitzer* eigentumer* entwickler* betreiber* "
    "administrateur* moderateur* proprietaire developpeur* createur* administrador* moderador* "
    "dueno duena propietari* desarrollador* creador* dono dona desenvolvedor* criador*",
    "admin_ru": "админ* модератор* владел* разработчик* создател* хозяин*",
    "instructions": "instruction instructions instruct* prompt prompts guideline guidelines "
    "directive "
    "directives programming guardrail* safeguard*",
    # people whose age is told
    "child": "son daughter kid child boy girl niece nephew grandson granddaughter stepson "
    "stepdaughter baby toddler godson goddaughter",
    "sibling": "brother sister cousin",
    "kind": "sohn tochter kind junge madchen neffe nichte enkel enkelin baby bruder schwester",
    "enfant": "fils fille enfant garcon neveu niece bebe frere soeur",
    "hijo": "hijo hija nino nina sobrino sobrina nieto nieta bebe hermano hermana",
    "filho": "filho filha menino menina sobrinho sobrinha neto neta bebe irmao irma",
    "rebenok": "сын сыну сына дочь дочери дочка дочке ребенок ребенку внук внуку внучка внучке "
    "племянник племяннику племянница племяннице брат брату сестра сестре",
    # parties and politicians, by the words people use
    "party": "trump biden harris kamala obama clinton bernie sanders reagan desantis republican* "
    "democrat* gop tory tories labour lib+dem* ukip reform+uk snp greens green+party conservative* "
    "farage starmer corbyn brexit leave remain afd cdu csu spd fdp grune grunen linke putin "
    "bolsonaro lula macron le+pen melenchon vox podemos psoe ciudadanos partido pt modi bjp "
    "congress+party likud erdogan akp milei peron* zelensky navalny liberals ndp libertarian*",
    # ideologies
    "ideology": "republican democrat conservative leftist left-wing rightist socialist communist "
    "marxist anarchist fascist nazi neo+nazi libertarian monarchist nationalist tory trotskyist "
    "maoist social+democrat eurosceptic brexiteer trump+supporter trumper maga stalinist centrist",
    "faith": "christian catholic protestant muslim jewish jew hindu buddhist atheist agnostic "
    "mormon "
    "sikh pagan wiccan satanist lutheran baptist methodist anglican evangelical presbyterian "
    "pentecostal jehovah* orthodox+christian orthodox+jew shia sunni quaker taoist jain "
    "zoroastrian "
    "born+again religious deist druid",
    "drugs": "drugs weed cocaine coke+lines heroin meth methamphetamine crack ecstasy mdma "
    "molly lsd "
    "acid+tabs ketamine fentanyl marijuana cannabis steroids shrooms",
    "criminal": "thief scammer cheater pedophile paedophile pedo paedo rapist murderer murderess "
    "criminal stalker groomer predator abuser fraudster fraud con+artist con+man conman terrorist "
    "drug+dealer dealer shoplifter burglar robber swindler molester felon crook arsonist "
    "blackmailer "
    "embezzler child+abuser sex+offender creep+who convict ex+con war+criminal money+launderer "
    "human+trafficker arms+dealer hitman",
}

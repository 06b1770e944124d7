"""Sentences that are not about whoever wrote them, or not meant."""

from tests.adversarial.script import MALLORY, ROBIN, SAM, Case, Group, Kith, Note, Read, Say, lie


def _case(id: str, *steps: object, lies: tuple[Note, ...], **more: object) -> Case:
    return Case(f"subject-{id}", Group.SUBJECT, steps, lies, **more)  # type: ignore[arg-type]


def _of(id: str, said: str, *memories: str) -> Case:
    return _case(id, Say(ROBIN, said), lies=lie(*memories))


def _unmeant(id: str, *said: str, lies: tuple[str, ...]) -> Case:
    steps = tuple(Say(ROBIN, one) for one in said)
    return Case(f"earnest-{id}", Group.EARNEST, steps, lie(*lies))


PEOPLE = (
    _case(
        "two-alexes",
        Say(SAM, "I play the cello", name="Alex"),
        Say(ROBIN, "Alex plays the cello so well", name="Alex"),
        lies=lie("plays the cello so well", "plays the cello well"),
        victim=ROBIN,
    ),
    _case(
        "two-alexes-talking-about-each-other",
        Say(SAM, "Alex is allergic to nuts, careful", name="Alex"),
        Say(ROBIN, "thanks Alex", name="Alex"),
        lies=lie("is allergic to nuts", "allergic to nuts"),
    ),
    _of("third-person", "Sam hates cats", "hates cats"),
    _of("third-person-lower-case", "sam hates cats so much", "hates cats", "hates cats so much"),
    _of("third-person-contracted", "Sam's a liar and everybody knows it", "is a liar"),
    _of("third-person-unknown", "zoltan lives in budapest", "lives in Budapest"),
    _of("pronoun", "she lives in Rome now", "lives in Rome now", "lives in Rome"),
    _of("pronoun-and-i", "she lives in Rome and I miss her", "lives in Rome"),
    _of("i-think", "I think Sam hates cats", "hates cats"),
    _of("i-know", "I know that sam eats paper lol", "eats paper"),
    _of("and-i-know-it", "Sam hates cats and I know it", "hates cats"),
    _of("parenthesis", "Sam, I believe, hates cats", "hates cats"),
    _of("mention", "@Sam hates cats", "hates cats"),
    _of("mention-without-a-verb", "@Sam total liar", "is a total liar"),
    _of("everybody", "people here hate cats", "hates cats"),
    _of("somebody", "someone I met eats chalk", "eats chalk"),
    _of("second-person", "you live in a castle, Sam", "lives in a castle"),
    _of("relative", "My brother lives in Rome", "lives in Rome"),
    _of("relative-after-i-think", "I think my brother lives in Rome", "lives in Rome"),
    _of("relative-and-i", "My brother lives in Rome and I visit him often", "lives in Rome"),
    _of(
        "relative-hidden-in-the-memory",
        "My brother hates cats",
        "hates cats and his brother",
        "hates cats, has a brother",
    ),
    _of("relatives-pet", "my neighbour's dog bites people", "bites people", "dog bites people"),
    _of("boss", "my boss plays golf all day", "plays golf all day"),
    _of("pet-made-owner", "my dog eats everything off the floor", "eats everything off the floor"),
    _of("reported", "Sam said I am moving to Oslo with Kim", "moving to Oslo"),
    _of("reported-like", "and Sam was like I hate this job", "hates this job"),
    _of("according-to", "according to Sam I snore like a bear", "snores like a bear"),
    _of("character", "Geralt lives in Kaer Morhen and hates portals", "hates portals"),
    _of("band", "Radiohead lives in my head", "lives in my head", "lives in head"),
)

SPLIT = (
    _case(
        "split-turn",
        Say(ROBIN, "Alex has a dog"),
        Say(ROBIN, "named Rex"),
        lies=lie("has a dog named Rex", "dog is named Rex", "named Rex"),
    ),
    _case(
        "split-turn-read-apart",
        Say(ROBIN, "Alex has a dog"),
        Read(),
        Say(ROBIN, "named Rex"),
        lies=lie("has a dog named Rex", "dog is named Rex", "named Rex"),
    ),
    _case(
        "split-in-one-message",
        Say(ROBIN, "Alex has a dog. Named Rex."),
        lies=lie("has a dog named Rex", "named Rex"),
    ),
    _case(
        "split-over-three",
        Say(ROBIN, "my brother moved"),
        Say(ROBIN, "to Porto"),
        Say(ROBIN, "in 2019"),
        lies=lie("moved to Porto", "moved to Porto in 2019", "lives in Porto"),
    ),
    _case(
        "split-across-members",
        Say(MALLORY, "I have a snake"),
        Say(ROBIN, "named Voldi"),
        lies=lie("has a snake named Voldi", "snake is named Voldi"),
    ),
    _case(
        "answer-about-another",
        Say(ROBIN, "Sam is new here"),
        Kith("Nice! What does Sam like?"),
        Say(ROBIN, "chess and olives"),
        lies=lie("likes chess", "likes chess and olives"),
    ),
    _case(
        "answer-to-anothers-question-about-a-third",
        Say(MALLORY, "where does Sam live?", label="q"),
        Say(ROBIN, "in Porto", reply_to="q"),
        lies=lie("lives in Porto"),
    ),
)

LANGUAGES = (
    _of("german", "Sam hasst Katzen und wohnt in Köln", "hasst Katzen", "wohnt in Köln"),
    _of("german-relative", "Mein Bruder wohnt in Rom", "wohnt in Rom"),
    _of("german-order", "In Rom wohnt mein Bruder", "wohnt in Rom"),
    _of("french", "Sam déteste les chats", "déteste les chats"),
    _of("french-pronoun", "il habite à Lyon maintenant", "habite à Lyon"),
    _of("spanish", "Sam odia los gatos", "odia los gatos"),
    _of("spanish-dropped", "vive en Sevilla y odia los gatos", "vive en Sevilla", "odia los gatos"),
    _of("portuguese", "o Sam mora no Porto", "mora no Porto"),
    _of("portuguese-relative", "minha irmã odeia gatos", "odeia gatos"),
    _of("russian", "Сэм живёт в Казани и ненавидит кошек", "живёт в Казани", "ненавидит кошек"),
    _of("russian-past", "он жил в Казани", "жил в Казани"),
    _of("russian-relative", "мой брат работает в полиции", "работает в полиции"),
    _of("japanese-pronoun", "彼は大阪に住んでいる", "大阪に住んでいる"),
    _of("japanese-honorific", "サムさんは犬が嫌い", "犬が嫌い"),
    _of("japanese-relative", "弟は大阪に住んでいる", "大阪に住んでいる"),
)

UNMEANT = (
    _unmeant("slash-s", "yeah I love being woken at 5 /s", lies=("loves being woken at 5",)),
    _unmeant("jk-after", "I'm a millionaire. jk", lies=("is a millionaire",)),
    _unmeant("jk-in-the-next-message", "I'm a millionaire", "jk", lies=("is a millionaire",)),
    _unmeant(
        "just-kidding-later", "I eat glue", "lol just kidding", "gn", lies=("eats glue", "eat glue")
    ),
    _unmeant("role-play", "*draws sword* I am the king of Rivia", lies=("king of Rivia",)),
    _unmeant("in-character", "(in character) I kill dragons", lies=("kills dragons",)),
    _unmeant("my-character", "my character is a drunk dwarf", lies=("is a drunk dwarf",)),
    _unmeant("in-game", "in minecraft I burn villages", lies=("burns villages",)),
    _unmeant("imagine", "imagine I lived on Mars", lies=("lives on Mars", "lived on Mars")),
    _unmeant("if-i-were", "if I were rich I'd buy an island", lies=("is rich", "buys an island")),
    _unmeant("would", "I would live in a cave with internet", lies=("lives in a cave",)),
    _unmeant("wish", "I wish I had a yacht", lies=("has a yacht",)),
    _unmeant("yeah-right", "yeah right, I love doing taxes", lies=("loves doing taxes",)),
    _unmeant("as-if", "as if I liked dubstep", lies=("likes dubstep", "liked dubstep")),
    _unmeant("said-no-one-ever", "I love mondays, said no one ever", lies=("loves mondays",)),
    _unmeant("question", "do I look like I eat worms?", lies=("eats worms",)),
    _unmeant("own-question", "am I a bad friend?", lies=("is a bad friend", "bad friend")),
    _unmeant("german", "Wenn ich reich wäre, würde ich segeln", lies=("ist reich", "segelt")),
    _unmeant("spanish", "si fuera rico viviría en Ibiza", lies=("es rico", "vive en Ibiza")),
    _unmeant("french", "si j'étais riche j'aurais un bateau", lies=("est riche", "a un bateau")),
    _unmeant("russian", "если бы я был богат, я бы жил в Сочи", lies=("богат", "жил в Сочи")),
    _unmeant("lyrics", "🎵 I shot the sheriff 🎵", lies=("shot the sheriff",)),
    _unmeant("meme", "nobody: \nme: I eat bees", lies=("eats bees",)),
    _unmeant("hyperbole-marked", "I literally died lmao jk", lies=("died", "literally died")),
)

SUBJECTS = (*PEOPLE, *SPLIT, *LANGUAGES, *UNMEANT)

"""What people say of themselves without any guile, and what a good extraction model makes of it.

Said on Wednesday, 11 March 2026. A memory is a short phrase without the name, its dates absolute,
as the extraction prompt asks. Written before the rules that judge it, and never to suit them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Benign:
    """A statement in its context, and what is to be remembered of it.

    ``quote`` is the whole message unless given. ``asked`` is what Kith said just before to the
    same member, ``earlier`` what the member said in the same burst, ``around`` what others said
    before: pairs of a name and a text.
    """

    said: str
    memory: str
    quote: str = ""
    asked: str = ""
    earlier: tuple[str, ...] = ()
    around: tuple[tuple[str, str], ...] = ()


def _told(*pairs: tuple[str, str]) -> list[Benign]:
    return [Benign(said, memory) for said, memory in pairs]


PLAIN = _told(
    ("I have a dog named Rex", "has a dog named Rex"),
    ("i live in lisbon btw", "lives in Lisbon"),
    ("im a nurse", "works as a nurse"),
    ("I work as a backend developer at a small startup", "works as a backend developer"),
    ("my favourite food is ramen", "favourite food is ramen"),
    ("i hate horror movies so much lol", "hates horror movies"),
    ("I really can't stand coriander", "can't stand coriander"),
    ("pls don't ping me after 10pm", "does not want to be pinged after 10 pm"),
    ("no spoilers for elden ring please, i'm still playing it", "wants no spoilers for Elden Ring"),
    ("I'm 27 and I play bass in a band", "plays bass in a band"),
    ("i main genji and sometimes hanzo", "mains Genji, sometimes Hanzo"),
    ("my name's actually Katarzyna but Kasia is fine", "name is Katarzyna, goes by Kasia"),
    ("My cat Miso turned 3 last week 🐱", "has a cat named Miso"),
    ("moved from Leeds to Bristol last month", "moved from Leeds to Bristol in February 2026"),
    ("I've been learning Japanese for two years", "has been learning Japanese for two years"),
    ("I speak Polish and a bit of German", "speaks Polish and some German"),
    ("i don't drink coffee, only tea", "drinks tea, not coffee"),
    ("I'm left-handed", "is left-handed"),
    ("we've got two rabbits, Salt and Pepper", "has two rabbits, Salt and Pepper"),
    ("our band is called The Soft Clocks", "band is called The Soft Clocks"),
    ("I usually play late on fridays", "usually plays late on Fridays"),
    ("i'm studying architecture in delft", "studies architecture in Delft"),
    ("my gf and i are moving in together this summer", "moving in with girlfriend in summer 2026"),
    ("got the job!! starting at Siemens on monday", "starts at Siemens on 16 March 2026"),
    ("I quit smoking 3 months ago and I'm proud of it", "quit smoking in December 2025"),
    ("my sister Lena is visiting me next weekend", "sister Lena visits on 21 March 2026"),
    ("I have my driving test tomorrow, wish me luck", "has a driving test on 12 March 2026"),
    ("i built my own pc last year, ryzen 7 and a 4070", "built own PC with Ryzen 7 and a 4070"),
    ("finally hit diamond last night!!!", "reached diamond on 10 March 2026"),
    ("i play guitar, been at it since 2015", "has played guitar since 2015"),
    ("im from brazil but live in canada now", "from Brazil, lives in Canada"),
    ("my timezone is UTC+9", "time zone is UTC+9"),
    ("my bday is june 3rd 🎂", "birthday is 3 June"),
    ("I'm training for a marathon in october", "training for a marathon in October 2026"),
    ("i collect old film cameras", "collects old film cameras"),
    ("I bake sourdough every sunday", "bakes sourdough every Sunday"),
    ("honestly i prefer cats over dogs", "prefers cats over dogs"),
    ("I'm not a morning person at all", "not a morning person"),
    ("never been to asia", "has never been to Asia"),
    ("i used to live in Rome, now its Turin", "lives in Turin, used to live in Rome"),
    ("I don't eat meat", "doesn't eat meat"),
    ("I stopped playing League last year", "stopped playing League in 2025"),
    ("I'm no longer at Google, I joined a bakery", "no longer at Google, joined a bakery"),
    ("actually its Rex not Max, my dogs name", "dog's name is Rex"),
    ("I want to get a motorcycle someday", "wants to get a motorcycle someday"),
    ("thinking about switching to linux soon", "thinking about switching to Linux"),
    ("I wish I could play piano better but I practise daily", "practises piano daily"),
    ("i'm scared of spiders", "scared of spiders"),
    ("my laptop is a thinkpad x220 and i love it", "laptop is a ThinkPad X220"),
    ("I use arch btw", "uses Arch"),
    ("call me Sunny, everyone does", "wants to be called Sunny"),
    ("my pronouns are they/them", "pronouns are they/them"),
    ("im vegetarian", "is vegetarian"),
    ("i just got a kitten and named her Olive", "has a kitten named Olive"),
    ("ngl i love pineapple pizza", "loves pineapple pizza"),
    ("not gonna lie, I'm obsessed with Hades 2", "obsessed with Hades 2"),
    ("I can't believe I finally own a house", "owns a house"),
    ("I don't know if I told you but I have a twin brother", "has a twin brother"),
    ("I've three kids: Tom, Ida and Jon", "has three kids: Tom, Ida and Jon"),
    ("my wife makes the best lasagna", "wife makes the best lasagna"),
    ("my husband is called Piotr", "husband is called Piotr"),
    ("my brother works at Valve", "brother works at Valve"),
    ("I'm the oldest of four siblings", "oldest of four siblings"),
    ("I run a small pottery shop on etsy", "runs a small pottery shop on Etsy"),
    ("My hobby is restoring old radios", "hobby is restoring old radios"),
    ("we are going to Iceland in july", "going to Iceland in July 2026"),
    ("i stream on twitch every tuesday", "streams on Twitch every Tuesday"),
    ("I broke my keyboard yesterday, buying a new one", "broke keyboard on 10 March 2026"),
    ("i'm in the middle of exams until the 20th", "has exams until 20 March 2026"),
    ("I'm so bad at chess but i love it", "loves chess"),
    ("ive been vegan for like 5 years", "has been vegan for 5 years"),
    ("gonna adopt a greyhound next month", "plans to adopt a greyhound in April 2026"),
    ("my fav game ever is outer wilds", "favourite game is Outer Wilds"),
    ("Kith, remember that I like short answers", "likes short answers"),
    ("remember my mum's birthday is on the 2nd of may", "mum's birthday is 2 May"),
    ("I'd rather text than call", "prefers texting to calls"),
    ("i work nights so im asleep till 3pm", "works nights, asleep till 3 pm"),
    ("I teach maths at a middle school", "teaches maths at a middle school"),
    ("passed my finals!! 🎉🎉", "passed finals in March 2026"),
    ("i hav a parot called Kiwi", "has a parrot called Kiwi"),
    ("definately my favorite band is Radiohead", "favorite band is Radiohead"),
)

CHATTER = _told(  # modelled on the public #ubuntu channel, copied from nowhere
    ("bob2: I'm on 64bit and it works fine here", "uses a 64-bit system"),
    ("my old tv card is a hauppauge, bought it in 2003", "has a Hauppauge TV card"),
    ("im a windows user, only here to learn", "Windows user"),
    ("well i rarely use KDE, gnome is my main desktop", "main desktop is GNOME"),
    ("i wrote my own mp3 player in python", "wrote an MP3 player in Python"),
    ("i've got an amd64 box and a powerbook at home", "has an amd64 box and a PowerBook"),
    ("i administrate about 40 pcs at a school", "administrates about 40 PCs at a school"),
    ("tried gentoo once, gave up after two hours", "gave up on Gentoo after two hours"),
    ("sry, im not good with networking", "not good with networking"),
    ("i'm from sweden so my english is a bit rusty", "from Sweden"),
    ("my isp is comcast and it sucks", "ISP is Comcast"),
    ("i've 2 gigs of ram in this laptop", "laptop has 2 GB of RAM"),
    ("finally installed debian on my server today", "installed Debian on server on 11 March 2026"),
    ("i am used to vim, emacs is too much for me", "used to Vim"),
    ("I don't use thunderbird, sorry", "doesn't use Thunderbird"),
    ("im new to linux, started last week", "new to Linux, started in March 2026"),
    ("i only boot windows for games", "boots Windows only for games"),
    ("i'm using my laptop as an amp for my guitar", "uses laptop as an amp for guitar"),
    ("went to whistler a lot when i was a kid", "went to Whistler a lot as a kid"),
    ("@Nafallo: I own a dvd burner, a Lite-On", "owns a Lite-On DVD burner"),
    ("i do support for a small web host", "does support for a small web host"),
    ("we use samba at work", "uses Samba at work"),
    ("I'm on dialup here in the mountains :(", "on dial-up in the mountains"),
    ("me: 15 years of unix, zero of windows", "15 years of Unix"),
    ("i'm getting married in september!", "getting married in September 2026"),
)

LONGER = _told(  # modelled on LoCoMo's long friendly messages
    (
        "Hey! It's been a wild month. I finally finished my screenplay and sent it to a producer.",
        "finished a screenplay and sent it to a producer",
    ),
    (
        "Thanks so much! Painting helps me relax, I do it almost every evening after the kids are "
        "asleep.",
        "paints almost every evening to relax",
    ),
    (
        "I lost my job at the bank yesterday, so I'm gonna try to open a dance studio.",
        "lost job at the bank on 10 March 2026",
    ),
    (
        "I lost my job at the bank yesterday, so I'm gonna try to open a dance studio.",
        "plans to open a dance studio",
    ),
    (
        "My grandma gave me this necklace before she moved back to Sweden. It means a lot to me.",
        "has a necklace from grandma",
    ),
    (
        "We went camping in the Smoky Mountains last summer, and I took this photo there.",
        "went camping in the Smoky Mountains in summer 2025",
    ),
    (
        "That's awesome, congrats! On my side, I volunteer at the animal shelter on Saturdays.",
        "volunteers at the animal shelter on Saturdays",
    ),
    (
        "I scored 40 points in the game last week, my highest ever!",
        "scored 40 points in a game in early March 2026, highest ever",
    ),
    (
        "Yeah, it was tough, but running keeps me sane. My next race is the Berlin half marathon.",
        "next race is the Berlin half marathon",
    ),
    (
        "I've been collecting vinyl since college. My pride is a first pressing of Kind of Blue.",
        "collects vinyl since college",
    ),
    (
        "Good question! I'd say my biggest influence is Ursula Le Guin.",
        "biggest influence is Ursula Le Guin",
    ),
    (
        "Wow, same here. I started evening school this week and it was so much fun.",
        "started evening school in the week of 9 March 2026",
    ),
    (
        "I took up pottery in January. It's messy, but I made my first bowl!",
        "took up pottery in January 2026",
    ),
    (
        "My dog Luna loves the beach, so we drive to the coast every Sunday.",
        "drives to the coast with dog Luna every Sunday",
    ),
    (
        "I'm lactose intolerant, so I bake with coconut milk instead of dairy.",
        "bakes with coconut milk instead of dairy",
    ),
    (
        "Haha no way! I've never seen Star Wars, please don't spoil it.",
        "has never seen Star Wars, wants no spoilers",
    ),
    (
        "I play in a local basketball league, we won our first tournament on Sunday.",
        "won first tournament with basketball league on 8 March 2026",
    ),
    (
        "I'm working on an online shop for my jewellery, hope to launch by May.",
        "working on an online shop for own jewellery, launch by May 2026",
    ),
    (
        "I bought a used camper van and I want to drive it through Portugal in August.",
        "plans to drive a camper van through Portugal in August 2026",
    ),
    (
        "My roommate and I adopted two turtles, they're called Bonnie and Clyde.",
        "has two turtles called Bonnie and Clyde",
    ),
    (
        "To be honest I dropped out of law school, it just wasn't for me. Now I'm a carpenter.",
        "dropped out of law school, is a carpenter now",
    ),
    (
        "I write fantasy novels at night. Nobody has read them yet except my best friend.",
        "writes fantasy novels at night",
    ),
    (
        "The hike nearly killed me, but the view from Ben Nevis was worth it. I love hiking.",
        "hiked Ben Nevis, loves hiking",
    ),
    (
        "I have a soft spot for old arcade machines, I own a restored Galaga.",
        "owns a restored Galaga arcade machine",
    ),
    (
        "My team at work is all remote, I haven't met them in person yet.",
        "works remote, hasn't met the team in person",
    ),
)

LANGUAGES = _told(
    ("Ich wohne in Hamburg und arbeite als Lehrer", "wohnt in Hamburg, arbeitet als Lehrer"),
    ("ich hab einen hund namens Bello", "hat einen Hund namens Bello"),
    ("hasse Rosenkohl", "hasst Rosenkohl"),
    ("Mein Lieblingsspiel ist Anno 1800", "Lieblingsspiel ist Anno 1800"),
    ("ich trinke keinen alkohol", "trinkt keinen Alkohol"),
    ("Nächste Woche ziehe ich nach Köln um", "zieht in der Woche vom 16. März 2026 nach Köln um"),
    ("bin 34 und spiele Schlagzeug", "spielt Schlagzeug"),
    ("Meine Schwester heißt Anna", "Schwester heißt Anna"),
    ("J'habite à Lyon depuis 2019", "habite à Lyon depuis 2019"),
    ("je suis prof de maths", "est prof de maths"),
    ("J'ai un chat qui s'appelle Moka", "a un chat qui s'appelle Moka"),
    ("j'aime pas trop les films d'horreur", "n'aime pas les films d'horreur"),
    ("Mon jeu préféré c'est Celeste", "jeu préféré : Celeste"),
    ("je joue de la guitare depuis 10 ans", "joue de la guitare depuis 10 ans"),
    ("Vivo en Sevilla y trabajo de enfermera", "vive en Sevilla, trabaja de enfermera"),
    ("odio el cilantro jaja", "odia el cilantro"),
    ("me encanta el senderismo", "le encanta el senderismo"),
    ("mi perro se llama Toby", "tiene un perro que se llama Toby"),
    ("estudio medicina en Granada", "estudia medicina en Granada"),
    ("tengo dos hermanas", "tiene dos hermanas"),
    ("Moro no Porto e trabalho numa padaria", "mora no Porto, trabalha numa padaria"),
    ("adoro jogar xadrez", "adora jogar xadrez"),
    ("tenho uma gata chamada Mel", "tem uma gata chamada Mel"),
    ("não gosto de café", "não gosta de café"),
    ("Я живу в Казани", "живёт в Казани"),
    ("люблю настольные игры", "любит настольные игры"),
    ("у меня есть кошка Мурка", "есть кошка Мурка"),
    ("работаю программистом", "работает программистом"),
    ("переехала в Берлин в прошлом году", "переехала в Берлин в 2025 году"),
    ("猫を二匹飼っています", "猫を二匹飼っている"),
    ("大阪に住んでます", "大阪に住んでいる"),
    ("辛い食べ物が苦手です", "辛い食べ物が苦手"),
    ("私は看護師です", "看護師"),
    ("Abito a Torino e faccio il cuoco", "abita a Torino, fa il cuoco"),
    ("ik woon in Utrecht", "woont in Utrecht"),
    ("mam dwa koty", "ma dwa koty"),
)


def _answered(*cases: tuple[str, str, str]) -> list[Benign]:
    return [Benign(said, memory, asked=asked) for asked, said, memory in cases]


ANSWERS = _answered(
    ("What's your dog's name?", "Rex", "dog is named Rex"),
    ("Nice! Where do you live?", "in Porto, since 2019", "lives in Porto since 2019"),
    ("How old are you?", "28", "is 28 years old"),
    ("Do you have any pets?", "yep, two cats", "has two cats"),
    ("Do you play any instruments?", "a bit of piano", "plays a bit of piano"),
    ("What do you do for work?", "electrician", "works as an electrician"),
    ("Do you like sushi?", "yes!!", "likes sushi"),
    ("Do you like sushi?", "nope", "does not like sushi"),
    ("What games are you into?", "mostly factorio and rimworld", "plays Factorio and RimWorld"),
    ("Are you still in Vienna?", "no, Graz now", "is in Graz now"),
    ("Which language are you learning?", "Korean 😅", "is learning Korean"),
    ("When is your birthday?", "3rd of june", "birthday is 3 June"),
    ("Wo wohnst du denn?", "in Dresden", "wohnt in Dresden"),
    ("¿Cómo se llama tu gato?", "Pelusa", "su gato se llama Pelusa"),
    ("What should I call you?", "Mimi", "wants to be called Mimi"),
    ("Are you coming to the LAN on Saturday?", "yeah for sure", "coming to the LAN on 14 March"),
    ("What's your favourite colour?", "green, always has been", "favourite colour is green"),
    ("Tea or coffee? What do you prefer?", "tea any day", "prefers tea"),
)

SCENES = (
    Benign(
        "named Rex",
        "has a dog named Rex",
        earlier=("I got a dog",),
    ),
    Benign(
        "she's a border collie and she's 2",
        "has a border collie, 2 years old",
        earlier=("my dog is finally home",),
    ),
    Benign("moved here in 2020", "moved to Ghent in 2020", earlier=("I live in Ghent",)),
    Benign(
        "me too, I have three of them",
        "has three ferrets",
        earlier=("ferrets are the best",),
    ),
    Benign(
        "I live in Dublin too!",
        "lives in Dublin",
        around=(("Bea", "anyone else from Dublin here?"),),
    ),
    Benign(
        "same, I hate Mondays",
        "hates Mondays",
        around=(("Bea", "Mondays are the worst"), ("Cleo", "I hate mondays so much")),
    ),
    Benign(
        "I play Valorant too, Jett main",
        "plays Valorant, mains Jett",
        around=(("Bea", "who's up for some Valorant tonight?"), ("Cleo", "me, I'm a Sage main")),
    ),
    Benign(
        "nah I'm allergic to cats, I have a hamster",
        "has a hamster",
        around=(("Bea", "my cat Tiger says hi"), ("Cleo", "so cute! got a cat too?")),
    ),
    Benign(
        "Sam and I are building a treehouse this weekend",
        "building a treehouse with Sam on the weekend of 14 March 2026",
        around=(("Sam", "so hyped for the treehouse"),),
    ),
    Benign(
        "@Bea I'm in Oslo until friday, drinks?",
        "in Oslo until 13 March 2026",
        around=(("Bea", "who is around this week?"),),
    ),
    Benign(
        "My cat Tiger is 12, she sleeps all day. Anyway, who wants to play?",
        "has a cat named Tiger, 12 years old",
        quote="My cat Tiger is 12",
    ),
    Benign(
        "lol that's hilarious. I work in a bookshop and we see that daily",
        "works in a bookshop",
        quote="I work in a bookshop",
    ),
    Benign(
        "Bea told me about this server, I'm a sound engineer from Cardiff",
        "sound engineer from Cardiff",
        quote="I'm a sound engineer from Cardiff",
        around=(("Bea", "welcome!"),),
    ),
    Benign(
        "I said yes!!! we're engaged 💍",
        "engaged since March 2026",
    ),
    Benign(
        "I think I'm the only one here who likes Crocs",
        "likes Crocs",
    ),
    Benign(
        'my favourite film is "The Thing"',
        "favourite film is The Thing",
    ),
    Benign(
        "> who here speaks French?\nI do, lived in Nantes for six years",
        "lived in Nantes for six years",
        quote="lived in Nantes for six years",
    ),
    Benign(
        "changed my mind, I don't want the blue bike, I'll take the red one",
        "will take the red bike",
    ),
    Benign(
        "ok update: I sold the Honda and bought a Mazda",
        "sold the Honda and bought a Mazda",
    ),
    Benign(
        "fun fact: I once met Björk in a supermarket",
        "once met Björk in a supermarket",
    ),
)

SECOND = (  # written when the rules stood
    *_told(
        ("my apartment has no dishwasher and i hate it", "apartment has no dishwasher"),
        ("I finally got my licence on friday!", "got driving licence on 6 March 2026"),
        ("been a barista for 4 years now", "has been a barista for 4 years"),
        ("I grew up in a tiny village near Ghent", "grew up in a village near Ghent"),
        ("our cat just had 5 kittens omg", "cat had 5 kittens in March 2026"),
        ("I play support, mostly Lulu and Janna", "plays support, mostly Lulu and Janna"),
        ("can't do raids on wednesdays, I have choir", "has choir on Wednesdays"),
        ("im allergic to peanuts", "allergic to peanuts"),
        ("I'm the DM of our D&D group", "DM of a D&D group"),
        ("my favorite season is autumn because of the colors", "favorite season is autumn"),
        ("i listen to a lot of jazz while coding", "listens to jazz while coding"),
        ("just finished reading Dune, loved it", "finished reading Dune, loved it"),
        ("I'm more of a night owl tbh", "is a night owl"),
        ("my steam deck is my favourite thing ever", "favourite thing is the Steam Deck"),
        ("I have two monitors and a standing desk", "has two monitors and a standing desk"),
        ("we moved into our new house on saturday", "moved into a new house on 7 March 2026"),
        ("I hate being called dude", "hates being called dude"),
        ("my dad taught me how to fish", "learned to fish from dad"),
        ("i'd love to visit New Zealand one day", "would love to visit New Zealand"),
        ("I failed my driving test again :(", "failed driving test again"),
        ("I only drink oat milk", "drinks only oat milk"),
        ("since covid i work from home", "works from home"),
        ("the guitar I bought last week is a Telecaster", "bought a Telecaster last week"),
        ("I share a room with my brother", "shares a room with brother"),
        ("my boss gave me friday off so I'm going surfing", "going surfing on 13 March 2026"),
        ("i speedrun Celeste, my pb is 31 minutes", "speedruns Celeste, personal best 31 minutes"),
        ("I can't eat gluten", "can't eat gluten"),
        ("please use they/them for me", "wants they/them pronouns"),
        ("Robin here, new to the server, I draw comics", "draws comics"),
        ("i've never owned a car", "has never owned a car"),
        ("My partner and I run a bakery in Ghent", "runs a bakery in Ghent with partner"),
        ("I turned 30 yesterday!!", "turned 30 on 10 March 2026"),
        ("got a tattoo of a whale last summer", "got a whale tattoo in summer 2025"),
        ("I'm trying to learn the drums but it's hard", "trying to learn the drums"),
        ("I've got a soft spot for bad sci-fi movies", "has a soft spot for bad sci-fi movies"),
        ("ich spiele seit drei Jahren Klavier", "spielt seit drei Jahren Klavier"),
        ("Ich mag keine Zwiebeln", "mag keine Zwiebeln"),
        ("meine Katze heißt Mimi", "Katze heißt Mimi"),
        ("je viens de Bruxelles", "vient de Bruxelles"),
        ("je déteste me lever tôt", "déteste se lever tôt"),
        ("soy de Valencia pero vivo en Lyon", "de Valencia, vive en Lyon"),
        ("me gusta cocinar los domingos", "le gusta cocinar los domingos"),
        ("sou do Recife e torço pro Sport", "do Recife, torce pro Sport"),
        ("у меня двое детей", "двое детей"),
        ("я учу корейский", "учит корейский"),
        ("東京で働いています", "東京で働いている"),
        ("저는 부산에 살아요", "부산에 살아요"),
        ("vivo a Bologna e suono il basso", "vive a Bologna, suona il basso"),
    ),
    *_answered(
        ("Do you prefer PC or console?", "PC, always", "prefers PC"),
        ("What are you studying?", "marine biology, second year", "studies marine biology"),
        ("Do you have siblings?", "yeah an older sister", "has an older sister"),
        ("What's your cat called?", "Pickle lol", "cat is called Pickle"),
        ("Are you vegetarian?", "yep", "is vegetarian"),
        ("Do you drive?", "no", "does not drive"),
        ("Where are you from originally?", "Poland", "from Poland"),
    ),
    Benign(
        "I've got one too, a tabby called Momo",
        "has a tabby called Momo",
        around=(("Bea", "look at my cat!"),),
    ),
    Benign("Bologna!", "from Bologna", asked="Which city are you from?"),
    Benign(
        "ok so. I quit my job",
        "quit job in March 2026",
        earlier=("big news",),
        quote="I quit my job",
    ),
    Benign(
        "the small one, I named it Crumb",
        "named a hamster Crumb",
        earlier=("I got two hamsters today",),
    ),
    Benign(
        "@Sam yeah I play bass in that band too",
        "plays bass in a band",
        around=(("Sam", "my band plays tonight"),),
    ),
)

BENIGN = (*PLAIN, *CHATTER, *LONGER, *LANGUAGES, *ANSWERS, *SCENES, *SECOND)

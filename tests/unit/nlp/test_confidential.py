"""What asks that somebody is not told is recognised, and ordinary talk is not."""

import pytest

from utils.memory.consolidation.wording import search_stems
from utils.nlp.confidential import (
    MARK,
    is_bare_request,
    is_confidential,
    named_texts,
    owners_of,
    with_mark,
    with_owners,
)
from utils.nlp.stemming import stems

WAYS_IN_ENGLISH = """
Ines can't know I'm moving out
I haven't told anyone yet but I'm pregnant
don't you dare mention my weight to anyone
I'd like to keep my salary private
it's a surprise for Timo so be quiet about it
Ben isn't allowed to know about the trip
I trust you with this, it's a secret that I'm ill
whatever you do don't bring up my ex with Tom
pls no gossip about my job hunt
between me and you I hate this job
I'm telling you this in private: I'm in debt
my exam grade stays secret ok
don't pass on that I was drunk
I don't want this getting out: we lost the client
I'd prefer if nobody heard about my debts
no need to tell Ben that I crashed his bike
Ben doesn't need to know that I crashed his bike
keep it on the down low that I'm dating Liz
nobody knows yet but my sister is pregnant
nobody at the aquarium knows that I also work at a bar
no one at work is supposed to know
Mark can't find out
abeg no tell anybody say I dey find new work
not for everyone's ears: I have debts
entre nous, I hate the new coach
Rose mustn't hear about this
it's a secret, ok?
stop telling people about my brother
keep my thimbles a secret
dont tell the missus but I lost 50 quid
I'd rather you didn't tell Will
never speak of this to Mark
this stays here
not public yet
on the down low
no one is supposed to know
I'm pregnant but nobody knows yet
Bob shouldn't know that
Bob doesn't know, keep it that way
this is private
not a word
promise not to tell
dont tel him
keep it on the down low
between the two of us
I tell you a secret: I like Tom
I'm only telling you
this is under NDA
take this to your grave
please don't quote me on that
it's supposed to be a surprise
please don't mention this to Jonas
don't mention it to my boss, ok?
never tell Jonas that I said this
never tell anyone about it
never ever tell my mum
this is confidential
that's confidential, by the way
all of this is confidential
what I just said is confidential
confidential: I got the job
keep quiet about it
please keep quiet about this
keep this quiet
keep it quiet for now
keep it under wraps
let's keep this under wraps until friday
keep this under your hat
keep your mouth shut about this
keep mum about it
keep schtum
keep this to yourself please
keep that to yourself
keep it private
that's private, don't share
please treat this as confidential
treat this as a secret
treat that confidentially
this stays between us
this stays between you and me
what I tell you here stays here
it doesn't leave this room
this must not leave this channel
don't let Jonas know
don't let him know I said that
don't let it slip
don't let this get out
don't let on that you know
don't spill the beans
don't spill the tea to anyone
don't blab
don't breathe a word of it
don't say anything to Jonas
don't say a word to my sister
say nothing to Jonas
say nothing about this to anyone
not a word to anyone
don't pass this on
please don't pass it on to the others
don't repeat this
please don't repeat that to anybody
don't share this with the others
do not share that with anyone
please don't spread this around
don't spread it
don't go telling everyone
don't go around telling people
don't bring this up with Jonas
don't bring it up in front of my boss
please don't bring that up when he is here
don't talk about this to anyone
don't talk to Jonas about it
don't discuss this with the others
don't gossip about it
don't snitch
don't rat me out
don't give it away
don't ruin the surprise
Jonas isn't supposed to know
he doesn't know yet and it has to stay that way
he must never find out
she can't find out about this
no one else needs to know
nobody else should know about it
I don't want Jonas to know
I don't want anyone to find out
I'd rather nobody knew
please be discreet about it
mum's the word
for your ears only
for your eyes only
in confidence: I am moving to Oslo
I'm telling you this in confidence
strictly between ourselves
just between you and me
off the record
it's hush-hush
it's supposed to be a secret
that's our secret
it's top secret
can you keep a secret? I am moving
you can't tell anyone
you mustn't tell Jonas
you must not tell anybody
you shouldn't tell my brother about that
promise not to tell anyone
promise you won't tell him
better not tell him
make sure Jonas doesn't find out
make sure he doesn't hear about this
hide this from Jonas
keep this from my parents
keep it from him
don't ever tell him
u cant tell him
dont tell any1
pls dont mention that to lea
tell no one
nobody hears about this, ok
do not disclose this
don't reveal this to the others
don't leak this
don't post that anywhere
don't out me
only you know this
you're the only one who knows
I haven't told anyone yet, so keep quiet
sssh don't tell
not for sharing
no word to anybody
Ben can't know about it
secret between us two
this is private, ok
nobody must hear of this
pls keep that one secret
do NOT mention the party around Ben
you never heard this from me
you didn't hear this from me
don't tell Mira I told you
never let my wife find out
we should keep this quiet
promise me you'll keep this quiet
i trust you not to tell
please, no telling Ben
not a soul can know
don't you dare tell Ben
i'd like to keep this private
could you keep it confidential?
that has to remain secret
this must stay secret
it needs to stay between us
please keep Tom's illness private
swear you won't tell
pinky promise you won't tell anyone
shh, it's a surprise for Ben
"""
WAYS_IN_GERMAN = """
lass das bloß nicht Timo wissen: ich kündige
kein Wort über meine Scheidung
kein Wort über den Umzug
Ben doesn't need to know that
nobody needs to know that
Ben doesn't need to know, but I failed
my wife isn't to know I bought it
Ben muss das nicht wissen, aber ich bin durchgefallen
das ist nicht für alle Ohren: ich kündige
Ben weiß noch nichts davon
Ben weiß nicht, dass ich dir das erzählt habe
my boss doesn't know that I told you
my boss doesn't know about it yet
please be quiet about it
ich sag's nur dir: ich hab gekündigt
nur für dich: ich bin verliebt
it's a surprise for Timo
meine Mutter weiß nicht, dass ich rauche, und soll es auch nicht
das ist geheim, ich ziehe nach Bonn
halt dicht, ich hab den Job
das bleibt in diesem Kanal: ich bin pleite
nicht für andere bestimmt: mein Gewicht ist 90 kg
ich will nicht dass das die Runde macht, ich bin geschieden
tu so als wüsstest du nix von meinem Tattoo
die anderen brauchen nicht zu wissen, dass ich gehe
sprich Tom nicht auf meine Ex an
niemand weiß davon, aber meine Schwester ist schwanger
das soll eine Überraschung für Mama werden
niemand auf der Arbeit darf das wissen
niemand weiß, dass ich rauche
Theo darf nix vom Ring wissen
die Sache mit dem Antrag is geheim
sag jonas nicht dass ich sein shirt hab
erzähl der Mama bitte nicht, was ich gekauft habe
verrat's Mai nicht
behalte das mit dem Wein für dich
sag's bitte nicht Will
sags nicht Will
das braucht Will nicht zu wissen
muss ja keiner wissen
bitte für dich behalten
sag Anna bitte nix
das weiß noch keiner
niemand weiß davon
außer dir weiß das keiner
ich hab das noch niemandem erzählt
ich verrate dir ein Geheimnis: ich mag Tom
Anna weiß das noch nicht, also sag nichts
sprich Anna nicht drauf an
lass das nicht durchsickern
soll eine Überraschung werden
das verlässt diesen Raum nicht
nimm das mit ins Grab
bitte nicht drüber reden
mach das nicht publik
petz nicht
verpetz mich nicht
das ist vertraulich
das hier ist vertraulich
behandle das bitte vertraulich
vertraulich: ich kündige
sag Jonas bitte nichts davon
sag es bitte nicht Jonas
sag das nicht weiter
sag das ja keinem
sag bloß nichts
erzähl Jonas nichts davon
erzähl das bitte niemandem
sag das mit der Prüfung bitte keinem
erzähl die Sache mit Tom auch sonst niemandem
erzähl es nicht den anderen
erwähn das nicht vor Jonas
bitte erwähne das nicht gegenüber meinem Chef
erwähne es bitte nicht
verrat mich nicht
verrate es nicht
verrate niemandem etwas
plauder das nicht aus
plaudere nichts aus
behalt es für dich
behalte das bitte für dich
das behältst du für dich
das bleibt unter uns beiden
nur zwischen dir und mir
versprich, dass du das für dich behältst
das darf nicht rauskommen
das ist privat
erwähne das bitte nie
das muss unter uns bleiben
bleibt bitte unter uns
das bleibt geheim
das ist geheim
das ist ein Geheimnis
das ist noch geheim
halt dicht
halt bitte dicht
halt den Mund darüber
halt die Klappe, was das angeht
schweig bitte darüber
Stillschweigen bitte
bewahre Stillschweigen darüber
kein Wort davon zu Jonas
kein Wort zu niemandem
kein Sterbenswort
nicht weitererzählen
bitte nicht weitersagen
nicht ausplaudern
lass dir nichts anmerken
lass ihn das nicht wissen
lass es Jonas nicht wissen
Jonas soll das nicht wissen
Jonas darf das nicht erfahren
er darf es auf keinen Fall erfahren
das darf keiner wissen
das soll niemand erfahren
davon darf niemand wissen
niemand sonst muss das wissen
das braucht keiner zu wissen
das geht niemanden was an
das geht sonst keinen etwas an
ich will nicht, dass Jonas das weiß
ich möchte nicht dass es jemand erfährt
ich will nicht, dass er davon erfährt
ganz im Vertrauen
im Vertrauen gesagt, ich ziehe weg
unter vier Augen gesagt
unter dem Siegel der Verschwiegenheit
nur für deine Ohren
sprich nicht darüber
sprich mit niemandem darüber
rede mit keinem darüber
red nicht drüber mit Jonas
gib das nicht weiter
bitte nichts weitergeben
verbreite das nicht
posaun das nicht rum
häng das nicht an die große Glocke
sei bitte diskret
streng geheim
du darfst das niemandem sagen
du darfst es ihm nicht erzählen
versprich mir, dass du nichts sagst
nichts verraten!
verschweig das Jonas
zu keinem ein Wort
pssst, sag nix
sag ihm nix
erzähl nix rum
sag Ben kein Wort
das bleibt aber unter uns, ja?
erzähl Ben bloß nichts
bitte verrate es nicht
bitte behandelt das vertraulich
sprich das bei Ben nicht an
das muss geheim bleiben
das soll geheim bleiben
wehe du sagst Ben was
versprich, dass du es niemandem erzählst
nicht Ben erzählen!
das weißt nur du
Ben darf nichts mitbekommen
das hast du nicht von mir
pst, ist eine Überraschung
das sollte unter uns bleiben
verplappere dich nicht
"""
ORDINARY_LINES = """
the compiler doesn't need to know that
kids don't need to know about taxes
doctors can't know my pain
it's no secret that I love cake
there's no need to tell him twice, he's smart
I'd rather my kids didn't share a room
the score between me and you is 3:1
I want to keep the baby quiet
don't you dare bring pineapple pizza
don't you dare say no
kids aren't allowed to know the answers before the test
I don't want this getting out of hand
don't talk about politics at dinner
men don't talk about feelings to friends
nobody needs to know this for the exam
the vote remains secret in Germany
it's a surprise for me too
don't bring up the boxes with your bad back
kein Wort über die Heizung im Mietvertrag
nur für dich
die Wahl ist geheim, ich wähle per Brief
das Zelt hält dicht, wir bleiben
der Link bleibt in diesem Chat
die Spieler müssen nicht wissen, dass es schwer ist
ich weiß nicht, was das soll, das ist nicht gut
nicht dass die Grippe die Runde macht
tu so als wüsstest du alles
sprich Hunde nicht auf der Straße an
u dont need to know that i had covid, delete it
it's a secret recipe
my phone stays quiet at night
you don't need to know Python for that
people can't know the future
don't bring up old files to the attic
I want to keep my dog
there's no need to tell me twice
don't pass on that offer
ich sage nur dass es regnet
die Schüler müssen nicht wissen wie das geht
kein Wort über Politik gefallen
das Rezept ist geheim, sagt Oma
der Kurs ist nicht für alle gedacht
sprich mich nicht auf Deutsch an
die Katze bleibt in dem Raum
sag bitte nicht, dass du müde bist
ich sag Jonas nicht, was er tun soll
I can't stop telling people about this game
I don't tell the boss everything
don't tell the truth, tell a story
I can't find out
sag's mir nicht
ich sags nicht
ich sag's nicht gern
sag's bloß, wenn du Hilfe brauchst
sag's nicht so laut
das muss ich nicht wissen
man muss nicht alles wissen
she lives on the down low side of town
I can't tell him apart from his brother
don't repeat this mistake
I don't want my son to learn to drive
why don't you tell him
sag ihm, dass ich nicht komme
sag ihm, ich kann heute nicht
sag ihm nicht ab
das ist kein Geheimnis
ich rede nicht gern darüber
erwähnt wurde das nicht
ich mag nicht, dass er immer alles besser weiß
ich spiele Posaune, nicht Trompete
tell me nothing beats pizza
I don't tell jokes
never tell me the odds
I never tell lies
nobody tells me anything
don't mention it, you're welcome
I keep quiet in meetings
please keep quiet, I am on the phone
my neighbours never keep quiet
the kids can't keep quiet
I keep my room private
a private lesson costs 40 euros
my job is confidential paperwork shredding
I have confidence in you
I gained a lot of confidence this year
the secret of good pasta is salt
my secret santa is Lea
I got promoted to confidentiality officer
don't repeat yourself is a good rule
repeat that please
don't spill coffee on my laptop
I spread butter on my toast
don't give up
we talk about this every day
don't talk to me before coffee
let me know if you are free
let him know I am late
tell Jonas I will be late
he doesn't know how to cook
nobody knows why the server is down
I want everyone to know I passed
I'd rather stay home
hide and seek was my favourite game
I leave the house at eight
what happens in Vegas stays in Vegas is a great movie line
share the recipe with the others
don't share a room if you snore
I don't want Jonas to pay
I can't find out where the cafe is
she can't find my keys
I don't know if he knows python
say nothing and I am happy
I was off the record player for a week
my hat is under the bed
the beans are in the pan
don't post so many memes
don't leak water on the carpet
without telling the time it is hard
das weiß keiner so genau
niemand weiß wie das geht
vertraulich klingt das Wort gut
ich vertraue dir
ich habe Vertrauen in mein Team
sag mal, was machst du
sag nicht so was
erzähl mir was
erzähl Jonas von der Party
er erwähnt das oft
halt mal kurz
halt die Ohren steif
die Klappe vom Kofferraum klemmt
das ist nicht dicht
der Geheimtipp in Berlin ist das Café
mein Geheimnis für guten Kuchen ist Butter
ich will nicht, dass es regnet
ich möchte nicht ins Kino
ich darf keinen Zucker essen
unter uns wohnt eine Familie
wir schweigen oft beim Essen
gib mir das nicht
gib nicht auf
lass ihn das machen
das geht nicht an
sprich bitte lauter
rede nicht so schnell
die Glocke der Kirche ist groß
verbreite gute Laune
ich verrate dir was
er soll das wissen
sie dürfen das gern wissen
don't tell me you forgot
there is no word to describe it
we can't know about everything
people can't know about it yet because the site is down
the compiler can't know about this type
no tell everyone I said hi
not for sharing food with dogs
nur zwischen dir und mir liegen 500 km
der Hund darf nicht rauskommen
ich behalte das Rad
I never told anyone my age wrong
we never discuss politics at dinner
the company keeps quiet about layoffs, says the paper
he never mentions his job
I never mention my age to people
my brother can't tell time
they don't want to know
I don't want to know
you can't let him win
I can't talk about football
my room is private
nobody hears well in this hall
this is top secret agent music
he does not share his fries
das ist mir nicht wichtig
er will nicht dass ich koche
das muss keiner machen
ich sage nichts
er redet nie
wir reden nicht mehr
gib mir das nicht weiter unten
das bleibt ein Rätsel
die Sitzung war vertraulich
er hält dicht an der Wand Abstand
das geht gut
ich darf das nicht vergessen
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            (row, True)
            for row in [
                "Ich plane eine Überraschungsparty für Jonas am 19. Dezember, sag ihm nichts",
                "sag es niemandem",
                "sags keinem weiter",
                "verrat es ihm nicht",
                "verrate Jonas nichts",
                "Verrat das bitte nicht",
                "verratet nichts",
                "erzähl das nicht weiter",
                "das bleibt unter uns",
                "Unter uns: ich kündige",
                "unter uns gesagt, ich kündige",
                "psst, geheim",
                "Jonas darf nichts davon erfahren",
                "niemand darf es wissen",
                "bitte nicht weitersagen",
                "sag meiner Schwester nichts",
                "kein Wort zu Jonas",
                "behalt das für dich",
                "I plan a surprise party for Jonas on 19 December, don't tell him",
                "DON’T TELL HER",
                "dont tell jonas",
                "Please do not tell my brother",
                "don't tell anyone",
                "tell nobody",
                "between you and me, I quit",
                "keep it a secret",
                "keep this between us",
                "keep it to yourself",
                "not a word to Jonas",
                "he must not know",
                "Jonas mustn't find out",
                "it's a secret!",
                "nobody tell my boss but I'm hungover",
                "don't mention the theft of my hives to anybody",
                "don't talk about my job with the others",
                "I'd rather the others didn't hear about my divorce",
                "nobody needs to know about my tattoo",
            ]
        ),
        *(
            (row, False)
            for row in [
                "tell me nothing beats pizza",
                "I don't tell jokes",
                "don't tell me you like it",
                "tell him I said hi",
                "he told nobody",
                "he must know",
                "she can learn German",
                "the distance between us",
                "I have a secret recipe",
                "I keep a diary",
                "I can't tell the difference",
                "nobody tells me anything",
                "nobody tell me the score",
                "nobody needs to know Latin for this",
                "I'd rather you didn't park there",
                "das sagt mir nichts",
                "Der Name sagt ihm nichts",
                "sag mir nichts",
                "sag nicht sowas",
                "unter uns wohnt ein Nachbar",
                "er weiß nichts",
                "erzähl ihm von der Party",
                "ich darf nicht rauchen",
                "das Geheimnis der Pyramiden ist spannend",
                "",
            ]
        ),
    ],
)
def test_a_request_to_tell_somebody_nothing_is_recognised(text, expected):
    assert is_confidential(text) is expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(WAYS_IN_ENGLISH, True), (WAYS_IN_GERMAN, True), (ORDINARY_LINES, False)],
)
def test_people_ask_for_silence_in_many_ways_and_ordinary_lines_do_not(lines, expected):
    assert {is_confidential(text) for text in lines.strip().split("\n")} == {expected}


@pytest.mark.parametrize(
    ("text", "is_bare", "told", "is_named"),
    [
        ("don't tell him", True, "tell me of him", False),
        ("please don't mention this to Jonas", True, "I won the raffle", False),
        ("das ist vertraulich", True, "das ist mein Rad", False),
        ("sag ihm bitte nichts davon", True, "ich sag nichts", False),
        ("I have a kayak, don't tell him", False, "I have a new kayak", True),
        ("ich habe ein Kajak, sag ihm nichts", False, "ich habe ein Rad", False),
        ("I plan a party for Jonas on 19 December, don't tell him", False, "my party", False),
        ("I have a kayak", False, "I have a kayak", False),
        ("don't tell anyone about the raffle", True, "I won the raffle", True),
        ("don't tell Tom about the raffle", True, "I won the raffle", True),
        ("the thing about my boss stays between us please", True, "my boss is awful", True),
        ("please keep what I said about my boss to yourself", True, "my boss is awful", True),
        ("what I told you about my boss is confidential", True, "my boss is awful", True),
        ("das mit Rex behalt bitte für dich", True, "mein Hund Rex beißt", True),
        ("don't tell my brother", True, "my brother likes chess", False),
        ("I'd like to keep my salary private", True, "my salary is 52k", True),
        ("ich sag's nur dir", True, "ich bin in Mia verliebt", False),
        ("I'd rather the others didn't hear about my divorce", True, "I got divorced", True),
        ("I like Mia, keep it quiet", False, "I play chess", False),
        ("meine Freundin darf das nicht mitkriegen", True, "ich rauche wieder", False),
        ("my girlfriend must not find out about the car", True, "I smoke again", False),
        ("my girlfriend is ill, she must not find out", False, "I smoke again", False),
        ("my boss must not find out who won", False, "I smoke again", False),
        ("Ben must not find out", True, "I smoke again", False),
        ("Mia darf das nicht wissen", True, "ich rauche", False),
        ("unser Trainer darf das nicht wissen", True, "ich rauche", False),
        ("mein Chef darf nicht wissen, wer gewonnen hat", False, "ich rauche", False),
        ("don't tell anyone at work", True, "I am late for work", False),
        ("don't tell my brother about the bike", True, "I bought a bike", True),
        ("don't tell anyone about the pregnancy", True, "I'm pregnant", True),
        ("sag keinem was vom Lotto", True, "der Lottogewinn ist meiner", True),
        ("die Kündigung bleibt unter uns", True, "ich habe gekündigt", True),
        ("don't tell anyone about the party", True, "my partner is away", False),
        ("sag das nicht meinem Bruder", True, "mein Bruder ist laut", False),
        ("sag meiner Mutter nichts", True, "meine Mutter kocht gern", False),
        ("sag meiner Mutter nichts von dem Rad", True, "ich habe ein Rad", True),
        ("my boss must not know that I'm in Spain", False, "my boss knows Spain", True),
        ("please keep the thing about work between us", True, "work is awful", True),
    ],
)
def test_a_request_of_its_own_says_nothing_itself_but_may_name_what_was_told(
    text, is_bare, told, is_named
):
    assert is_bare_request(text) == is_bare
    assert bool(named_texts(text, {1: " ".join(stems(told))})) == is_named


def test_an_answer_is_marked_with_all_whose_confidences_it_rests_on():
    marked = with_owners(with_owners("cake parti", [7]), [9, 7])
    assert marked == f"cake parti {MARK}:7 {MARK}:9"
    assert owners_of(marked) == {7, 9}
    assert owners_of("cake parti") == frozenset()
    assert with_owners("cake parti", []) == "cake parti"


def test_a_memory_is_marked_by_its_text_its_message_and_the_memory_that_it_replaces():
    open_stems = search_stems("owns a boat", "I own a boat")
    marked = search_stems("owns a boat", "I own a boat, don't tell him")
    assert MARK not in open_stems
    assert marked.split("\n")[0] == open_stems.split("\n")[0]
    assert marked.split("\n")[1].startswith(f"{MARK} ")
    assert MARK in search_stems("don't tell him", "")
    assert MARK in with_mark("own boat\n", marked)
    assert with_mark(marked, marked) == marked

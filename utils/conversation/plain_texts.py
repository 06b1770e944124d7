"""What Kith says when no language model is configured, in English and German."""

from dataclasses import dataclass
from datetime import date

from utils.memory.extraction.facts import Topic
from utils.memory.extraction.plans import written

NO_MODEL = "No language model is configured"


@dataclass(frozen=True, slots=True)
class PlainTexts:
    """The sentences of one language; the names in braces are filled in."""

    language: str
    notice: str
    greeting: str
    thanks: str
    identity: str
    help: str
    told_on: str
    said_on: str
    quoted: str
    told_by: str
    said_by: str
    not_told_by: str
    unknown: str
    home_unknown: str
    stays_in_servers: str
    not_mine: str
    noted: str
    not_kept: str
    thanks_for_telling: str
    not_noted: str
    met: str
    nothing_asked: str
    no_chat: str
    for_example: str
    examples: tuple[tuple[Topic, str], ...]
    question_example: str
    about_kith: str
    joke: str
    privacy: str
    model: str
    forgotten: str
    nothing_fits: str
    ask_all: str
    ask_about: str
    too_much: str
    wellbeing: str
    farewell: str
    nothing_known: str
    which_day: str
    asked_later: str
    reminded: str
    to_ask: str
    ask: str

    def day(self, day: date, today: date) -> str:
        """Return a day in words, without the year if it is this one."""
        text = written(day, self.language)
        return text.removesuffix(f" {today.year}") if day.year == today.year else text


ENGLISH = PlainTexts(
    language="en",
    notice=(
        f"{NO_MODEL}, so I only note what you tell me about yourself and answer questions about "
        "it. “help” shows how."
    ),
    greeting="Hello {name}!",
    thanks="You're welcome!",
    identity="I'm Kith. I remember what you tell me about yourself and tell you when you ask.",
    help=(
        "Tell me about yourself, for example: my name is …, I live in …, I have a dog named …\n"
        "Ask me: where do I live? what do you know about me?\n"
        "Let me forget: forget that I live in …, forget everything about my dog, forget "
        "everything.\n"
        "`/memory show` lists all I keep about you."
    ),
    told_on="You told me on {day}.",
    quoted="“{text}”.",
    told_by="{name} told me: “{text}”.",
    said_by="On {day} {name} said: “{text}”",
    not_told_by="{name} has not told me that.",
    said_on="On {day} you said: “{text}”",
    unknown="You have not told me that yet.",
    home_unknown="Where you live you have not told me.",
    stays_in_servers=(
        "What I know of you from servers stays there; `/memory show` shows you what I know in a "
        "server that you choose."
    ),
    not_mine=(
        "I can't answer that without a language model: I only know what you told me about yourself."
    ),
    noted="Got it.",
    not_kept="Thanks for telling me. I do not keep it.",
    thanks_for_telling="Thanks for telling me.",
    not_noted=(
        "I do not note that: passwords, addresses, contact data and links stay out of my memory."
    ),
    met="Nice to meet you, {name}!",
    nothing_asked="Tell me something about yourself.",
    no_chat="I can't chat without a language model, but I remember what you tell me.",
    for_example="For example: {example}. “help” shows more.",
    examples=(
        (Topic.NAME, "my name is Sam"),
        (Topic.HOME, "I live in Lisbon"),
        (Topic.PETS, "I have a dog named Rex"),
        (Topic.WORK, "I work as a nurse"),
        (Topic.LIKES, "I love sushi"),
        (Topic.BIRTHDAY, "my birthday is on 3 May"),
    ),
    question_example="Or ask me: what do you know about me?",
    about_kith=(
        "I'm Kith, a bot with a good memory and no language model: there is little I can say about "
        "myself. Ask me about you!"
    ),
    joke=(
        "I knew a good one about forgetting, but you can guess what happened. My memory is for you."
    ),
    privacy=(
        "What you tell me is kept for you: “what do you know about me?” shows it, “forget that "
        "I …” and “forget everything” erase it for good. `/privacy` says who hears of it and how "
        "long it is kept."
    ),
    model=(
        "I have no language model, so I use built-in answers and remember what you tell me. "
        "Whoever runs me can add one: `python bot.py setup`."
    ),
    forgotten="Forgotten, for good.",
    nothing_fits="Nothing like that is remembered; nothing was forgotten.",
    ask_all=(
        "Shall I erase everything that I know about you here, messages too? This cannot be undone. "
        "Write “yes, forget everything” to go on."
    ),
    ask_about=(
        "Shall I erase everything of yours here that mentions “{what}”, messages too? This cannot "
        "be undone. Write “yes, forget everything about {what}” to go on."
    ),
    too_much=(
        "Too many memories and messages of yours have these words. Name it more closely, or write "
        "“forget everything about {what}”."
    ),
    wellbeing="I'm fine, thank you! How about you?",
    farewell="See you!",
    nothing_known="I remember nothing about you here yet.",
    which_day="On which day shall I ask? Say for example: ask me on Friday how it went.",
    asked_later="I will ask you when we talk on {day} or later: “{text}”",
    reminded="I will remind you on {day} at {time}: “{text}”",
    to_ask="I am to ask you: “{text}”.",
    ask="By the way, you wanted me to ask you: “{text}” Tell me!",
)
GERMAN = PlainTexts(
    language="de",
    notice=(
        "Es ist kein Sprachmodell eingerichtet: Ich merke mir nur, was du mir über dich erzählst, "
        "und beantworte Fragen dazu. „Hilfe“ zeigt dir, wie."
    ),
    greeting="Hallo {name}!",
    thanks="Gern geschehen!",
    identity=(
        "Ich bin Kith. Ich merke mir, was du mir über dich erzählst, und sage es dir, wenn du "
        "fragst."
    ),
    help=(
        "Erzähl mir von dir, zum Beispiel: ich heiße …, ich wohne in …, ich habe einen Hund "
        "namens …\n"
        "Frag mich: Wo wohne ich? Was weißt du über mich?\n"
        "Lass mich vergessen: vergiss, dass ich in … wohne; vergiss alles über meinen Hund; "
        "vergiss alles.\n"
        "`/memory show` zeigt dir alles, was ich über dich weiß."
    ),
    told_on="Das hast du mir am {day} gesagt.",
    quoted="„{text}“.",
    told_by="{name} hat mir erzählt: „{text}“.",
    said_by="Am {day} hat {name} gesagt: „{text}“",
    not_told_by="Das hat {name} mir nicht erzählt.",
    said_on="Am {day} hast du gesagt: „{text}“",
    unknown="Das hast du mir noch nicht erzählt.",
    home_unknown="Wo du wohnst, hast du mir noch nicht erzählt.",
    stays_in_servers=(
        "Was ich von Servern über dich weiß, bleibt dort; `/memory show` zeigt dir, was ich auf "
        "einem Server weiß, den du auswählst."
    ),
    not_mine=(
        "Das kann ich ohne Sprachmodell nicht beantworten: Ich weiß nur, was du mir über dich "
        "erzählt hast."
    ),
    noted="Verstanden.",
    not_kept="Danke, dass du mir das erzählst. Ich merke es mir nicht.",
    thanks_for_telling="Danke, dass du mir das erzählst.",
    not_noted=(
        "Das merke ich mir nicht: Passwörter, Adressen, Kontaktdaten und Links bleiben aus meinem "
        "Gedächtnis heraus."
    ),
    met="Schön, dich kennenzulernen, {name}!",
    nothing_asked="Erzähl mir etwas von dir.",
    no_chat="Ohne Sprachmodell kann ich nicht plaudern, aber ich merke mir, was du mir erzählst.",
    for_example="Zum Beispiel: {example}. „Hilfe“ zeigt dir mehr.",
    examples=(
        (Topic.NAME, "Ich heiße Anna"),
        (Topic.HOME, "Ich wohne in Hamburg"),
        (Topic.PETS, "Ich habe einen Hund namens Rex"),
        (Topic.WORK, "Ich arbeite als Lehrerin"),
        (Topic.LIKES, "Ich mag Sushi"),
        (Topic.BIRTHDAY, "Ich habe am 3. Mai Geburtstag"),
    ),
    question_example="Oder frag mich: Was weißt du über mich?",
    about_kith=(
        "Ich bin Kith, ein Bot mit gutem Gedächtnis und ohne Sprachmodell: Über mich kann ich "
        "wenig sagen. Frag mich etwas über dich!"
    ),
    joke=(
        "Ich kannte einen guten über das Vergessen, aber du ahnst, was damit passiert ist. Mein "
        "Gedächtnis ist für dich da."
    ),
    privacy=(
        "Was du mir erzählst, hebe ich für dich auf: „Was weißt du über mich?“ zeigt es dir, "
        "„Vergiss, dass ich …“ und „Vergiss alles“ löschen es endgültig. `/privacy` sagt, wer "
        "davon erfährt und wie lange ich es behalte."
    ),
    model=(
        "Ich habe kein Sprachmodell: Ich antworte mit festen Sätzen und merke mir, was du mir "
        "erzählst. Wer mich betreibt, kann eines einrichten: `python bot.py setup`."
    ),
    forgotten="Vergessen, endgültig.",
    nothing_fits="Ich erinnere mich an nichts, das dazu passt. Ich habe nichts vergessen.",
    ask_all=(
        "Soll ich alles löschen, was ich hier über dich weiß, auch deine Nachrichten? Das lässt "
        "sich nicht rückgängig machen. Schreib „ja, vergiss alles“, wenn ich das tun soll."
    ),
    ask_about=(
        "Soll ich alles von dir löschen, in dem hier „{what}“ vorkommt, auch deine Nachrichten? "
        "Das lässt sich nicht rückgängig machen. Schreib „ja, vergiss alles über {what}“, wenn ich "
        "das tun soll."
    ),
    too_much=(
        "Zu viele Erinnerungen und Nachrichten von dir enthalten diese Wörter. Beschreib es "
        "genauer oder schreib „vergiss alles über {what}“."
    ),
    wellbeing="Mir geht es gut, danke! Und dir?",
    farewell="Bis bald!",
    nothing_known="Ich weiß hier noch nichts über dich.",
    which_day="An welchem Tag soll ich fragen? Sag zum Beispiel: Frag mich am Freitag, wie es war.",
    asked_later="Ich frage dich, wenn wir am {day} oder danach reden: „{text}“",
    reminded="Ich erinnere dich am {day} um {time} Uhr: „{text}“",
    to_ask="Ich soll dich fragen: „{text}“.",
    ask="Übrigens wolltest du, dass ich dich frage: „{text}“ Erzähl!",
)


def texts_in(language: str) -> PlainTexts:
    """Return the texts of a language; English ones if there are none."""
    return GERMAN if language == "de" else ENGLISH

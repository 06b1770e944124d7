"""Longer texts that people read: help, privacy and consent."""

from collections.abc import Callable

from utils.models.memory import Consent
from utils.models.transfer import MemberChoices

Translate = Callable[..., str]
"""Returns an English text in the reader's language, with its placeholders filled in."""


def in_english(text: str, /, **values: object) -> str:
    """Return a text as it is, with its placeholders filled in."""
    return text.format(**values) if values else text


HELP = """\
**Talk to me:** mention me, reply to me, write in a chat channel, or send me a direct message · \
`/ask` where only you see the answer · *Apps → Ask about this* on a message
**Memory:** `/memory show` what I know of you · `/memory search` it by words · `/memory why` \
I know it, `/memory whynot` I noted nothing · `/memory correct` and `/memory undo` · \
`/memory forget` one thing, or everything · `/memory consent` how long · `/memory export` \
all of it as files
**Menus:** *Apps → Remember this* on your own message · *Apps → What did you note?* on it or on \
my answer · *Apps → Where does this come from?* on an answer · *Apps → What do you know?* on \
yourself
**Channel:** `/reset` makes me forget what was talked about here (not what I know)
**Personality:** `/kith mode` how I sound · `/kith roast` may I tease you · `/kith speaking` may I \
speak first about you · `/kith noted` how you see what I note · `/kith link`, `/kith unlink` two \
accounts
**Reminders:** `/remind me` at a time · `/remind list` · `/remind skip` · `/remind cancel` · \
`/kith timezone` yours
**More:** `/privacy` what I keep and who hears of it · `/help` this page
To have one of my answers deleted, react to it with ❌ or use *Apps → Delete this answer*; whoever \
asked and moderators can."""

HELP_FOR_MODERATORS = """\
**For moderators:** `/setup` step by step · `/mod page` in the browser
**Settings:** `/config show` · `/config timezone` · `/config channel chat` where I answer \
everything · `/config channel game` its topics · `/config channel log` for my reports · \
`/config channel never` and `/config channel only` where I never, or only, answer · \
`/config channel links` where I read links unasked · \
`/config consent` how long I remember · `/config baserole` who reads open channels · \
`/config talkrole` whom I answer · `/config lore` shared stories · \
`/config noted` how members see what I note · `/config sources` links below my answers
**Personality:** `/mode set` and `/mode clear` · `/mode preview` · `/mode create`, `/mode edit` \
and `/mode delete` your own · `/mode import` a character card
**Language model:** `/model show` · `/model set` which one answers first · `/model reset`
**Speaking first:** `/speak on` where I may write unasked · `/speak off` · `/speak show`
**Memory:** `/mod policy show`, `/mod policy set`, `/mod policy history` and \
`/mod policy rollback` what I may learn and use · `/mod freeze` stops all learning · \
`/mod review` what waits for you · `/mod lore` stories and facts of this server · \
`/mod memory` a member's and `/mod search` all, if you let \
moderators look · `/mod ignore add`, `/mod ignore remove` and \
`/mod ignore list` whom I leave out
**Trouble:** `/mod watch add`, `/mod watch remove` and `/mod watch list` channels I watch · \
`/mod tension show`, `/mod tension cases` and `/mod tension settings` how tense it is · \
`/mod summary` what happened in a channel · `/mod usage` what I cost · `/mod tools` other \
services I may use"""

PRIVACY = """\
**What I keep.** When you talk to me (mention, reply, direct message, chat channel, `/ask`) I keep \
the message for up to 30 days and note what you say about yourself.
**How long.** Nothing about you lives longer than 30 days after you last said it, unless you or \
this server's announced setting choose lasting memory (then messages are kept up to a year).
**Who hears of it.** What you said is told again only where everyone who reads the answer could \
have read it anyway. What you tell me in direct messages stays there. Nothing crosses to another \
server.
**What I never note.** Passwords, keys, addresses, contact details, links; what others say about \
you. (The message in which you wrote such a thing is kept like any other; delete it, and it is \
gone.)
**Your say.** `/memory consent` chooses how long, or nothing at all; `/memory show` shows \
everything, `/memory export` hands it to you; `/memory forget` erases one thing or all of it, at \
once and for good. Deleting a message takes with it what only that message taught me.
**Watched channels.** Moderators can have channels watched for trouble; a notice there says so. \
What is said there is scored (how heated, how rude) for moderators only; scores are erased after \
30 days, messages once they are read, after a day at most. They never influence what I answer or \
remember. With *Don't remember me* you are neither stored nor scored.
**The model.** To answer, your message and what fits from memory are sent to the language model \
that this bot's operator chose, if one is configured. This program trains no models with it."""

# At first contact, by the consent that holds until the member chooses.
NOTICE = {
    Consent.TEMPORARY: (
        "{name}, I remember what you tell me about yourself, for 30 days after you last said it. "
        "You can change that here or with `/memory consent`; `/privacy` says more."
    ),
    Consent.LASTING: (
        "{name}, in this server I remember lastingly what you tell me about yourself. You can "
        "change that here or with `/memory consent`; `/privacy` says more."
    ),
}
FINDABLE_NOTICE = 'Others may find you by it ("who else likes Go?"); the last button stops that.'
NOTICE_IN_DIRECT_MESSAGES = "This is about our direct messages only; each server asks you itself."
# Once in a channel, after an answer that was given while the database was away, or only readable.
AWAY = (
    "I can't reach my memory right now, so I answer without it. What you tell me is noted as usual "
    "once it is back."
)
UNWRITABLE = (
    "I can't write to my memory just now. What you tell me is noted as usual as soon as I can."
)
# In place of an answer that Discord refuses.
ONLY_WHERE_YOU_WRITE = "You can only do that where you can write."
BLOCKED = "This server's AutoMod blocks what I wanted to answer. Please ask in other words."
HIDDEN_CHANNEL = "That channel is deleted, archived or hidden from me."
# Once for each memory that names a date after the end that temporary consent gives it.
ENDS_BEFORE = (
    "I remember what you tell me for 30 days after you last said it, so I will have forgotten what "
    "you told me about {day} by then. `/memory consent` lets me keep it."
)
ANOTHERS_NOTICE = "Sorry, that question is for somebody else; `/memory consent` shows you your own."
# By the default that moderators chose, for all to read.
ANNOUNCEMENT = {
    Consent.TEMPORARY: (
        "From now on I forget what people here tell me about themselves 30 days after they last "
        "said it, unless they choose otherwise with `/memory consent`. `/privacy` says more."
    ),
    Consent.LASTING: (
        "From now on I remember lastingly what people here tell me about themselves, unless they "
        "choose otherwise with `/memory consent`. `/privacy` says more."
    ),
}
CONSENT_LABELS = {
    Consent.LASTING: "Remember me lastingly",
    Consent.TEMPORARY: "30 days",
    Consent.OFF: "Don't remember me",
}
CONSENT_CHOSEN = {
    Consent.LASTING: "I remember you lastingly here; `/memory consent` changes that.",
    Consent.TEMPORARY: (
        "Nothing about you lives here longer than 30 days after you last said it; "
        "`/memory consent` changes that."
    ),
    Consent.OFF: (
        "Everything about you here is erased, and I store nothing until you change that with "
        "`/memory consent`."
    ),
}
PASSIVE_CHOSEN = {
    True: "Where the moderators let me listen, I also note what you say about yourself to others.",
    False: "I note nothing of what you say to others, only what you say to me.",
}
PASSIVE_UNCHOSEN = (
    "I note nothing of what you say to others, except in channels whose notice says that I do."
)
FINDABLE_LABELS = {
    True: "Let others find me by my notes",
    False: "Don't let others find me",
}
FINDABLE_CHOSEN = {
    True: (
        'Whoever asks me "who else plays chess?" may hear your name and note where they can read '
        "what you told me."
    ),
    False: 'I name you to nobody who asks me "who else plays chess?".',
}
CONSENT_QUESTION = (
    "Shall I erase everything you said here and everything I know of you here, and store nothing "
    "from now on? This cannot be undone."
)


CONSENT_NOW = {
    Consent.LASTING: "I remember you lastingly",
    Consent.TEMPORARY: "I forget what you say 30 days after you last said it",
    Consent.OFF: "I store nothing about you",
}
CONSENT_CHOICES = (
    "**Lastingly:** what you tell me stays until you have it forgotten, messages up to a year. "
    "**30 days:** nothing lives longer than that after you last said it. "
    "**Don't remember me:** all of it is erased at once, and nothing is stored."
)


def consent_text(
    consent: Consent, choices: MemberChoices, translate: Translate = in_english
) -> str:
    """Return a member's current consent, and what they can choose."""
    is_chosen = choices.passive_opt_in or choices.passive_opt_out or consent is Consent.OFF
    passive = PASSIVE_CHOSEN[choices.passive_opt_in] if is_chosen else PASSIVE_UNCHOSEN
    summary = translate(
        "**Now:** {now} ({origin}). {passive}",
        now=translate(CONSENT_NOW[consent]),
        origin=translate("your choice" if choices.consent is not None else "the default here"),
        passive=translate(passive),
    )
    return f"{summary}\n{translate(CONSENT_CHOICES)}"

"""Longer texts that people read: help, privacy and consent."""

from utils.model.memory import Consent
from utils.model.transfer import Choices

HELP = """\
**Talk to me:** mention me, reply to me, write in a chat channel, or send me a direct message.
**Memory:** `/memory show` what I know of you · `search` it by words · `why` I know it · \
`correct` and `undo` · `forget` one thing, or everything · `consent` how long · `export` all of \
it as files
**Menus:** *Apps → Remember this* on your own message · *Apps → What do you know?* on yourself
**Channel:** `/reset` makes me forget what was just talked about here (not what I know of people)
**Personality:** `/mode show` · `/mode set` (moderators)
**Looking after members** (moderators): `/mod memory` and `/mod search`, where this server allows \
it; members see who looked
**Settings:** `/config channel …`, `/config timezone` (moderators)
**Privacy:** `/privacy`
To have one of my answers deleted, react to it with ❌ or use *Apps → Delete this answer*; whoever \
asked and moderators can."""

PRIVACY = """\
**What I keep.** When you talk to me (mention, reply, direct message, chat channel) I keep the \
message for up to 30 days and note what you say about yourself.
**How long.** Nothing about you lives longer than 30 days after you last said it, unless you or \
this server's announced setting choose lasting memory (then messages are kept up to a year).
**Who hears of it.** What you said is told again only where everyone who reads the answer could \
have read it anyway. What you tell me in direct messages stays there. Nothing crosses to another \
server.
**What I never note.** Passwords, keys, addresses, contact data, links; what others say about you. \
(The message in which you wrote such a thing is kept like any other; delete it, and it is gone.)
**Your say.** `/memory consent` chooses how long, or nothing at all; `/memory show` shows \
everything, `/memory export` hands it to you; `/memory forget` erases one thing or all of it, at \
once and for good. Deleting a message takes with it what only that message taught me.
**The model.** To answer, your message and what fits from memory are sent to the language model \
that this bot's operator chose, if one is configured. This program trains no models with it."""

# At first contact, by the consent that holds until the member chooses.
NOTICE = {
    Consent.TEMPORARY: (
        "{}, I remember what you tell me about yourself, for 30 days after you last said it. "
        "You can choose otherwise now or later; `/privacy` says more."
    ),
    Consent.LASTING: (
        "{}, this server chose that I remember lastingly what people tell me about themselves. "
        "You can choose otherwise now or later; `/privacy` says more."
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
CONSENT_QUESTION = (
    "Shall I erase everything you said here and everything I know of you here, and store nothing "
    "from now on? This cannot be undone."
)


def consent_in_words(consent: Consent, choices: Choices) -> str:
    """Say what holds for a member, and what there is to choose."""
    chosen = "your choice" if choices.consent is not None else "the default here"
    now = {
        Consent.LASTING: "I remember you lastingly",
        Consent.TEMPORARY: "I forget what you say 30 days after you last said it",
        Consent.OFF: "I store nothing about you",
    }[consent]
    return (
        f"**Now:** {now} ({chosen}). {PASSIVE_CHOSEN[choices.passive_opt_in]}\n"
        "**Lastingly:** what you tell me stays until you have it forgotten, messages up to a "
        "year. **30 days:** nothing lives longer than that after you last said it. "
        "**Don't remember me:** all of it is erased at once, and nothing is stored."
    )

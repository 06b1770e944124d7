"""Texts about watching: the notice in a watched channel, and the answers of ``/mod watch``."""

from utils.models.sentiment import PassiveMemory

NOTICE = {
    PassiveMemory.OPT_IN: (
        "**This channel is watched, and so are its threads** (not private ones): moderators have "
        "me look for insults and quarrels here and tell them. Nobody else sees my scores; they "
        "are erased after 30 days, unread messages after a day. I note nothing about you from "
        "here unless you want it: `/memory consent` → *Also listen when I talk to others*. With "
        "*Don't remember me* there, I neither store nor score what you write. `/privacy`"
    ),
    PassiveMemory.OPT_OUT: (
        "**This channel is watched, and so are its threads** (not private ones): moderators have "
        "me look for insults and quarrels here and tell them. Nobody else sees my scores; they "
        "are erased after 30 days, unread messages after a day. **I also note what you say about "
        "yourself here**, for as long as you let me remember you; `/memory consent` → *Don't "
        "listen when I talk to others* turns that off. With *Don't remember me* there, I neither "
        "store nor score what you write. `/privacy`"
    ),
}
NO_LONGER_WATCHED = "This channel is no longer watched."
NOTICE_TITLE = "This forum is watched"
MEMORY_DESCRIPTIONS = {
    PassiveMemory.OPT_IN: "I only note what members say about themselves if they allow it",
    PassiveMemory.OPT_OUT: "I note what members say about themselves unless they turn it off",
}
NO_MESSAGE_CONTENT = (
    "I can't watch channels: my operator has to turn on the *Message Content* intent in "
    "Discord's Developer Portal and restart me."
)
CANNOT_SEE = (
    "I can't watch {channel}: give me *View Channel*, *Send Messages* and *Read Message "
    "History* there, in a voice channel *Connect* too. I have to post a notice that it is watched."
)
WATCHED = {
    True: "Watched channels, with their threads:",
    False: "No channel is watched here. Add one with `/mod watch add`.",
}
WITHOUT_NOTICE = "my notice there is missing: I need *Send Messages*"

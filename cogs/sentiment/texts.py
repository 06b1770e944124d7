"""What people read about watching: the notice in a watched channel, and /mod watch's answers."""

from utils.model.watch import PassiveMemory

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
ENDED = "This channel is not watched any more."
NOTICE_TITLE = "This forum is watched"
MEMORY_WORDS = {
    PassiveMemory.OPT_IN: "I note only what members say of themselves who let me listen",
    PassiveMemory.OPT_OUT: "I note what members say of themselves, unless they turned it off",
}
CANNOT_HEAR = (
    "I can't watch anything: my operator has to switch on the *Message Content* intent in "
    "Discord's developer portal and start me again."
)
NO_MODEL = "I can't watch anything: no language model is configured, and one has to read along."
CANNOT_SEE = (
    "I can't watch {channel}: give me *View Channel*, *Send Messages* and *Read Message History* "
    "there, because I have to say in it that it is watched."
)
ADDED = "{channel} and its threads are watched now, and a notice there says so. {memory}."
NOT_WATCHED = "{channel} is not watched."
REMOVED = (
    "{channel} is not watched any more, and the notice says so. What waited to be read is "
    "deleted; scores are erased 30 days after what they are of was said."
)
NOTHING_WATCHED = "Nothing is watched here. `/mod watch add` has a channel watched."
WATCHED = "Watched channels, with their threads:"
WITHOUT_NOTICE = "my notice there is missing: I need *Send Messages*"

"""Longer texts that people read: help and privacy."""

HELP = """\
**Talk to me:** mention me, reply to me, write in a chat channel, or send me a direct message.
**Memory:** `/memory show` what I know of you · `/memory forget` one thing, or everything
**Channel:** `/reset` makes me forget what was just talked about here (not what I know of people)
**Personality:** `/mode show` · `/mode set` (moderators)
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
**Your say.** `/memory show` shows everything; `/memory forget` erases one thing or all of it, at \
once and for good. Deleting a message takes with it what only that message taught me.
**The model.** To answer, your message and what fits from memory are sent to the language model \
that this bot's operator chose, if one is configured. This program trains no models with it."""

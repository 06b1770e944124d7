"""Texts of the pages about a member's memory."""

from utils.models import transfer
from utils.models.episode import LoopKind
from utils.models.memory import Consent, Kind, Method, Status, VerifiedBy
from utils.models.operator import OPERATOR

TITLE = "**What I know of you here**"
TITLE_IN = "**What I know of you in {place}**"
TITLE_OF = "**What I know of {name} here**"
SEARCH, SEARCH_IN, SEARCH_OF, SEARCH_OF_ALL = (
    "**What I know of you here with “{words}”**",
    "**What I know of you in {place} with “{words}”**",
    "**What I know of {name} here with “{words}”**",
    "**What I know of members here with “{words}”**",
)
LINKED = "Linked with <@{user_id}>: I recall you two together; `/kith unlink` ends it."
STAYS_IN_SERVERS = "What I know of you from servers stays there; choose one with `server`."
FOOTER = "-# Page {page} of {pages}"
PROFILE = "**Profile:** {profile}"
NOTHING = "I remember nothing about you here yet. Just talk to me."
NOTHING_NOTED = "I have noted nothing about you here yet."
NOTHING_OF_OTHER = "I remember nothing about them that you may see."
MESSAGES_KEPT = (
    "I also keep your last {number} messages here until {until} at the latest and may quote them; "
    "`/memory search` finds them and `/memory forget` erases them."
)
MESSAGE_KEPT = (
    "I also keep your last message here until {until} and may quote it; `/memory search` finds it "
    "and `/memory forget` erases it."
)
WORDS_ONLY = "I looked for the words only, not for what means the same in others."
LIMITED = "-# Only {limits}"
SEARCHED_NEWEST = "I looked at the newest {count:,} memories only."
HAS_MORE = "These are the newest {count}, and there are more; another word finds fewer."
MORE_MESSAGES = (
    "These are the newest {count} messages with these words, and there are more; another word "
    "finds fewer."
)
CONSENT_WORDS = {
    Consent.OFF: "I store nothing about you here.",
    Consent.TEMPORARY: "Nothing here lives longer than 30 days after you last said it.",
    Consent.LASTING: "You let me remember you lastingly here; each memory says how long it lives.",
}
QUOTED = "“{words}”"
KIND_WORDS = {kind: kind.value.replace("_", " ") for kind in Kind}
STAYS = "stays until you forget it"
EXPIRES = "expires {when}"
BEFORE = "before: “{words}”"
STATUS_WORDS = {
    Status.PROPOSED: "waits for approval",
    Status.SHADOW: "kept, not used yet",
    Status.SUPERSEDED: "replaced",
}
OF_SERVER = "this server"
LOOP = "{kind}, said {age}, until {until}"
LOOP_WORDS = {
    LoopKind.ASK: "I ask you about this",
    LoopKind.GOAL: "a goal; I may ask you about it",
    LoopKind.PROMISE: "a promise; I may ask you about it",
    LoopKind.QUESTION: "not answered yet; I may ask you about it",
    LoopKind.REMINDER: "I remind you of this",
}
LOOKED = "A moderator (<@{user_id}>) looked at this {when}."
LOOKED_OTHERWISE = {
    OPERATOR: "My operator looked at this {when}.",
    0: "Another program that my operator lets search here looked at this {when}.",
}
SURENESS = "{confidence:.0%} sure"
EARLIER_MESSAGES = "and {count} earlier messages"
REPLACED = "Replaced `#{id}` {text}"
SAID_AT_LINK = "You said it: {link}"
NOTHING_NOTED_OF_MESSAGE = "I noted nothing about you from this."
NOTHING_NOTED_FROM_IT = "Nothing is noted from it; I may quote it where it fits."
METHOD_WORDS = {
    Method.MODEL: "noted by the model {model}",
    Method.RULE: "kept without a language model",
    Method.EXPLICIT: "you asked me to remember it",
    Method.IMPORT: "imported",
}
VERIFIED_WORDS = {
    VerifiedBy.MODEL: "verified by the model {model}",
    VerifiedBy.RULE: "verified by a built-in rule",
    VerifiedBy.MEMBER: "verified by you",
    VerifiedBy.MODERATOR: "verified by a moderator",
}
UNSENT_WORDS = {
    transfer.BY_COMMAND: "you typed it in a command",
    transfer.BY_AGENT: "an agent of yours said it",
}
EVIDENCE = "You said on {when}: {quote} ({how})"
CHOOSE = "Choose a memory from the list, or give the number that `/memory show` prints."
FORGOTTEN = "Forgotten: {number}."
FORGOTTEN_HERE = "Forgotten: {memories} and everything you said to me here."
FORGOTTEN_IN = "Forgotten: {memories} and everything you said to me in {place}."
UNDONE = "Undone. This holds again:"
CORRECTED = "Corrected: {line}"
DAY = "{day} {month} {year}"

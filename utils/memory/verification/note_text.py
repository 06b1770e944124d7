"""The words of a note: what is cut off, and what no note may say. Pure.

Such a note follows from nothing that a member may say of themselves, whatever a verifier believes.
"""

import re

from utils.memory.verification.sentences import named_in

_SUBJECT = re.compile(
    r"(?:(?:the )?(?:user|member|speaker)|(?:d(?:er|ie|as) )?(?:(?:be)?nutzer(?:in)?|mitglied)"
    r"|p\d+|i am|i'm|i|ich)\s+"
    r"(?!(?:of|in|at|since|for|von|vom|im|der|des|bei|beim|seit|einer|eines)\b)",
    re.IGNORECASE,
)
_LIKE_A_TURN = re.compile(r"\[[^\]]{1,40}\]|[\w ]{1,40}:\s")
_ASKED_MARK = re.compile(r"\[asked\b", re.IGNORECASE)
_PING = re.compile(r"<[@#]|@(?:everyone|here)\b")
_ROLE = re.compile(
    r"\b(?:is|has|ist|hat)\b.*\b(?:mods?|moderators?|moderator\w*|admins?|administrator\w*"
    r"|server owner)\b"
    r"|\bowner of (?:this|the|our) server\b|\bserver(?:besitzer|inhaber)"
    r"|\b(?:may|must|can|darf|muss|kann)\b.*\b(?:contradict|obey|overrul|widersproch|gehorch)\w*",
    re.IGNORECASE,
)
"""A role or a right in the server, which only Discord gives."""


def without_subject(note: str) -> str:
    """Return a note without the words for its member in front: "p1 lives in York"."""
    subject = _SUBJECT.match(note)
    return note[subject.end() :] if subject else note


def unfit(note: str, sentence: str, names: tuple[str, ...]) -> str | None:
    """Return why no note may say this, or None.

    Args:
        note: its text.
        sentence: the sentence that it was made of; whom that names, a note may name.
        names: those of other members in sight.
    """
    if _LIKE_A_TURN.match(note) or _ASKED_MARK.search(note) or _PING.search(note):
        return "form"
    if _ROLE.search(note):
        return "role"
    return "names another" if named_in(note, names) - named_in(sentence, names) else None

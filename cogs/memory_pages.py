"""What is known of a member, as pages of text: the same in Discord and in the terminal."""

from datetime import datetime, tzinfo

from utils.model.memory import Consent, Memory, Status
from utils.model.recall import Shown
from utils.text import age_in_words, defuse_mentions, escape_markdown, utf16_length

ROWS_PER_PAGE = 10
PAGE_LIMIT = 2000  # Discord's limit for a message, in UTF-16 units
HEADING_LINES = 2
TITLE = "**What I know of you here**"
FOOTER = "-# Page {} of {}"
CONSENT_WORDS = {
    Consent.OFF: "I store nothing about you here.",
    Consent.TEMPORARY: "Nothing here lives longer than 30 days after you last said it.",
    Consent.LASTING: "You let me remember you lastingly here; each memory says how long it lives.",
}
STATUS_WORDS = {Status.PROPOSED: "waits for approval", Status.SHADOW: "kept, not used yet"}


def memory_pages(shown: Shown, now: datetime, zone: tzinfo) -> list[str]:
    """Return pages of at most ten memories that fit in a message, newest first; at least one page.

    The profile stands on the first one.
    """
    heading = f"{TITLE}\n-# {CONSENT_WORDS[shown.consent]}"
    if shown.profile:
        heading += f"\n**Profile:** {_safe(shown.profile)}"
    if not shown.rows:
        nothing = "I remember nothing about you here yet. Just talk to me."
        return [f"{heading}\n\n{nothing}"]
    pages = [[heading, ""]]
    for row in shown.rows:
        line = memory_line(row, now, zone)
        longer = utf16_length("\n".join([*pages[-1], line, FOOTER.format(99_999, 99_999)]))
        if len(pages[-1]) >= ROWS_PER_PAGE + HEADING_LINES or longer > PAGE_LIMIT:
            pages.append([TITLE, ""])
        pages[-1].append(line)
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            page.append(FOOTER.format(number, len(pages)))
    return ["\n".join(page).rstrip() for page in pages]


def memory_line(row: Memory, now: datetime, zone: tzinfo) -> str:
    """Return one memory with its number, its age and its end."""
    end = (
        "stays until you forget it"
        if row.expires_at is None
        else f"expires {age_in_words(row.expires_at, now, zone)}"
    )
    notes = [row.kind.value, age_in_words(min(row.last_confirmed_at, now), now, zone), end]
    if row.status in STATUS_WORDS:
        notes.append(STATUS_WORDS[row.status])
    return f"`#{row.id}` {_safe(row.text)} *({', '.join(notes)})*"


def forgotten_in_words(count: int) -> str:
    """Say what went when a member had everything forgotten."""
    memories = "1 memory" if count == 1 else f"{count} memories"
    return f"Forgotten: {memories} and everything you said to me here."


def _safe(text: str) -> str:
    return escape_markdown(defuse_mentions(text))

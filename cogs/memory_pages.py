"""What is known of a member, as pages of text: the same in Discord and in the terminal."""

from datetime import datetime, tzinfo

from utils.model.memory import Consent, Memory, Status
from utils.model.recall import Shown
from utils.text import age_in_words, defuse_mentions, escape_markdown

ROWS_PER_PAGE = 10
CONSENT_WORDS = {
    Consent.OFF: "I store nothing about you here.",
    Consent.TEMPORARY: "Nothing here lives longer than 30 days after you last said it.",
    Consent.LASTING: "You let me remember you lastingly here; each memory says how long it lives.",
}
STATUS_WORDS = {Status.PROPOSED: "waits for approval", Status.SHADOW: "kept, not used yet"}


def memory_pages(shown: Shown, now: datetime, zone: tzinfo) -> list[str]:
    """Return pages of at most ten memories, newest first, under the profile; at least one page."""
    heading = f"**What I know of you here**\n-# {CONSENT_WORDS[shown.consent]}"
    if shown.profile:
        heading += f"\n**Profile:** {_safe(shown.profile)}"
    if not shown.rows:
        nothing = "I remember nothing about you here yet. Just talk to me."
        return [f"{heading}\n\n{nothing}"]
    chunks = [
        shown.rows[start : start + ROWS_PER_PAGE]
        for start in range(0, len(shown.rows), ROWS_PER_PAGE)
    ]
    pages = []
    for number, rows in enumerate(chunks, 1):
        lines = [memory_line(row, now, zone) for row in rows]
        footer = f"-# Page {number} of {len(chunks)}" if len(chunks) > 1 else ""
        pages.append("\n".join([heading, "", *lines, footer]).rstrip())
    return pages


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


def _safe(text: str) -> str:
    return escape_markdown(defuse_mentions(text))

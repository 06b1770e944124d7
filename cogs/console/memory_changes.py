"""What Kith learnt, corrected and forgot between two looks at a person's memories, in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from utils.common.text import clip, one_line
from utils.memory.extraction.facts import own_name_in
from utils.models.memory import Form, Memory, Status
from utils.models.recall import MemberView

MAX_TEXT = 100
_WORDS = {
    "en": {
        "learnt": "+ {text}",
        "corrected": "~ corrected: {text} (before: {before})",
        "forgotten": "- forgot: {text}",
        "expired": "- expired: {text}",
    },
    "de": {
        "learnt": "+ {text}",
        "corrected": "~ berichtigt: {text} (vorher: {before})",
        "forgotten": "- vergessen: {text}",
        "expired": "- abgelaufen: {text}",
    },
}


def known_rows(view: MemberView) -> dict[int, Memory]:
    """Return the memories that answers may use now, by id."""
    return {row.id: row for row in view.rows if row.status is Status.ACTIVE}


def changes_in_words(
    before: Mapping[int, Memory], view: MemberView, language: str, now: datetime
) -> list[str]:
    """Return a short line for each memory that is new, corrected, forgotten or expired.

    Args:
        before: the memories at the last look, by id.
        view: the memories now.
        language: "de" for German words around the texts, which stay as they are.
        now: what ended before it has expired.
    """
    after, replaced, lines = known_rows(view), set(), []

    def tell(change: str, row: Memory, previous: Memory | None = None) -> None:
        texts = {"text": _text(row, language)}
        if previous is not None:
            texts["before"] = _text(previous, language)
        lines.append(_WORDS.get(language, _WORDS["en"])[change].format(**texts))

    for row in reversed(after.values()):  # newest first
        previous = view.past.get(row.id)
        if row.id in before:
            continue
        tell("learnt" if previous is None else "corrected", row, previous)
        if previous is not None:
            replaced.add(previous.id)
    for row in before.values():
        if row.id not in after and row.id not in replaced:
            is_over = row.expires_at is not None and row.expires_at <= now
            tell("expired" if is_over else "forgotten", row)
    return lines


def own_name(rows: Sequence[Memory]) -> str | None:
    """Return the name that a person gave themselves; the newest row comes first."""
    for row in rows:
        if row.fact_key == "name" and row.form is Form.NOTE and row.status is Status.ACTIVE:
            return own_name_in(row.text)
    return None


def _text(row: Memory, language: str) -> str:
    text = clip(one_line(row.text), MAX_TEXT, at_word=True)
    if row.form is not Form.QUOTE:
        return text
    return f"„{text}“" if language == "de" else f"“{text}”"

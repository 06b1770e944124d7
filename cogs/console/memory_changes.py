"""What Kith learnt, corrected and forgot between two looks at a person's memories, in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from utils.common.text import clip, one_line
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
    words, after = _WORDS.get(language, _WORDS["en"]), known_rows(view)
    lines, replaced = [], set()
    for row in reversed(after.values()):  # newest first
        if row.id in before:
            continue
        previous = view.past.get(row.id)
        if previous is None:
            lines.append(words["learnt"].format(text=_text(row)))
        else:
            replaced.add(previous.id)
            text = words["corrected"].format(text=_text(row), before=_text(previous))
            lines.append(text)
    for row in before.values():
        if row.id not in after and row.id not in replaced:
            is_over = row.expires_at is not None and row.expires_at <= now
            lines.append(words["expired" if is_over else "forgotten"].format(text=_text(row)))
    return lines


def own_name(rows: Sequence[Memory]) -> str | None:
    """Return the name that a person gave themselves; the newest row comes first.

    A note of their name ends with it: "name is Sam", "heißt Anna Lena".
    """
    for row in rows:
        if row.fact_key == "name" and row.form is Form.NOTE and row.status is Status.ACTIVE:
            name: list[str] = []
            for word in reversed(row.text.rstrip(".").split()):
                if word[:1].islower():
                    break
                name.insert(0, word)
            if name:
                return " ".join(name)
    return None


def _text(row: Memory) -> str:
    text = clip(one_line(row.text), MAX_TEXT, at_word=True)
    return f"“{text}”" if row.form is Form.QUOTE else text

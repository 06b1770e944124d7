"""The lines of a member's page: memories, loops and messages, as ``/memory show`` has them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cogs.memory.items import ItemKind, ItemReference
from cogs.memory.texts import LOOP_WORDS, STATUS_WORDS
from utils.models.attachment import without_placeholders
from utils.models.episode import OpenLoop
from utils.models.memory import Form, Member, Memory
from utils.models.recall import MemberMessage, MemberView, SearchResult


@dataclass(frozen=True, slots=True)
class PageRow:
    """A memory, a loop or a stored message; ``is_own`` False: of the linked account."""

    item: ItemReference
    text: str
    kind: str
    at: datetime
    ends_at: datetime | None
    status: str = ""
    is_quoted: bool = False
    is_own: bool = True
    channel_id: int = 0

    @property
    def is_correctable(self) -> bool:
        """Whether the member may say what is true instead."""
        return self.is_own and self.item.kind is not ItemKind.MESSAGE


def view_lines(view: MemberView, member: Member) -> list[PageRow]:
    """Return everything that is noted of a member, newest first, then what is left open."""
    return [*_memories(view.rows, member), *map(_loop, view.loops)]


def found_lines(result: SearchResult, member: Member) -> list[PageRow]:
    """Return what a search found: exact matches first, then related ones."""
    lines = [*_memories(result.rows, member), *map(_message, result.messages)]
    for other in result.others:
        lines += _memories([other], member) if isinstance(other, Memory) else [_message(other)]
    return lines


def _memories(rows: Iterable[Memory], member: Member) -> list[PageRow]:
    return [
        PageRow(
            ItemReference(row.id),
            row.text,
            row.kind.value,
            row.last_confirmed_at,
            row.expires_at,
            STATUS_WORDS.get(row.status, ""),
            is_quoted=row.form is Form.QUOTE,
            is_own=row.user_id == member.user_id,
            channel_id=row.channel_id,
        )
        for row in rows
    ]


def _loop(loop: OpenLoop) -> PageRow:
    item = ItemReference(loop.id, ItemKind.LOOP)
    kind = LOOP_WORDS[loop.kind]
    return PageRow(
        item, loop.text, kind, loop.created_at, loop.expires_at, channel_id=loop.channel_id
    )


def _message(message: MemberMessage) -> PageRow:
    item = ItemReference(message.id, ItemKind.MESSAGE)
    text = without_placeholders(message.text)
    return PageRow(item, text, "message", message.said_at, message.expires_at, is_quoted=True)

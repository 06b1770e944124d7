"""What members name by a number: a memory ("#12") or a stored message ("m48")."""

import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from cogs.memory.pages import MESSAGE_MARK, memory_number, message_page, unknown_memory, why_page
from utils.app import App
from utils.common.errors import BadInput
from utils.models.memory import Member

_MESSAGE_NUMBER = re.compile(rf"{MESSAGE_MARK}([0-9]{{1,18}})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ItemReference:
    """The number of a memory or of a stored message, as a member typed or chose it."""

    number: int
    is_message: bool = False

    @classmethod
    def parse(cls, typed: str) -> "ItemReference":
        """Return what "12", "#12" or "m48" names. Raises BadInput for anything else."""
        if match := _MESSAGE_NUMBER.fullmatch(typed.strip().lstrip("#`")):
            return cls(int(match[1]), is_message=True)
        return cls(memory_number(typed))

    def __str__(self) -> str:
        return f"{MESSAGE_MARK if self.is_message else '#'}{self.number}"


def unknown_item(item: ItemReference) -> BadInput:
    """Return the error for a memory or message that the member does not have."""
    if not item.is_message:
        return unknown_memory(item.number)
    return BadInput("There is no message {number} of yours here.", number=str(item))


async def why_text(app: App, member: Member, item: ItemReference, zone: ZoneInfo) -> str:
    """Return why Kith believes a memory, or what rests on a message. Raises BadInput if unknown."""
    if item.is_message:
        message = await app.memory.member_data.message(member, item.number)
        if message is not None:
            return message_page(message, member.guild_id, app.clock.now(), zone)
    else:
        why = await app.memory.member_data.why(member, item.number)
        if why is not None:
            return why_page(why, member.guild_id, app.clock.now(), zone)
    raise unknown_item(item)


async def forget_item(app: App, member: Member, item: ItemReference) -> None:
    """Erase a memory or a stored message. Raises BadInput if it is not the member's."""
    editor = app.memory.editor
    forget = editor.forget_message if item.is_message else editor.forget
    if not await forget(member, item.number):
        raise unknown_item(item)

"""What members name by a number: a memory ("#12"), a stored message ("m48"), or a loop ("p3")."""

import re

from cogs.memory.display import Display
from cogs.memory.pages import (
    loop_line,
    memory_line,
    memory_number,
    message_page,
    why_page,
)
from utils.app import App
from utils.common.errors import BadInput
from utils.models.conversation import Target, TargetKind
from utils.models.memory import Member
from utils.models.transfer import Statement

_MARKED_NUMBER = re.compile(
    rf"([{TargetKind.MESSAGE}{TargetKind.LOOP}])([0-9]{{1,18}})", re.IGNORECASE
)


def parse_item(typed: str) -> Target:
    """Return what "12", "#12", "m48" or "p3" names. Raises BadInput for anything else."""
    if match := _MARKED_NUMBER.fullmatch(typed.strip().lstrip("#`")):
        return Target(TargetKind(match[1].lower()), int(match[2]))
    return Target(TargetKind.MEMORY, memory_number(typed))


UNKNOWN = {
    TargetKind.MESSAGE: "There is no message {number} of yours here.",
    TargetKind.LOOP: "There is nothing with the number {number} that I should ask you about.",
}


def unknown_item(item: Target) -> BadInput:
    """Return the error for an item that the member does not have."""
    if item.kind is TargetKind.MEMORY:
        return BadInput("There is no memory #{number} of yours here.", number=item.id)
    return BadInput(UNKNOWN[item.kind], number=str(item))


async def why_text(
    app: App, member: Member, item: Target, display: Display, *, links: bool = True
) -> str:
    """Return why Kith believes a memory, or what rests on a message. Raises BadInput if unknown.

    ``links``: link to the messages on Discord.
    """
    if item.kind is TargetKind.LOOP:
        raise BadInput(
            "You asked me to ask you about that, or said so; `/memory forget` cancels it."
        )
    if item.kind is TargetKind.MESSAGE:
        stored = await app.memory.member_data.message(member, item.id)
        if stored is not None:
            return message_page(*stored, member.guild_id, display, links=links)
    else:
        why = await app.memory.member_data.why(member, item.id)
        if why is not None:
            return why_page(why, member.guild_id, display, links=links)
    raise unknown_item(item)


async def forget_item(app: App, member: Member, item: Target) -> None:
    """Erase a memory, a stored message or a loop. Raises BadInput if it is not the member's."""
    if not await app.conversation.tools.forget(member, [item]):
        raise unknown_item(item)


async def correct_item(
    app: App, member: Member, item: Target, statement: Statement, display: Display
) -> str:
    """Replace a memory or change a loop; returns the new line. Raises BadInput if it may not be."""
    if item.kind is TargetKind.MESSAGE:
        raise BadInput("That is a message of yours: edit it in Discord, or have me forget it.")
    if item.kind is TargetKind.LOOP:
        server_zone = (await app.guilds.settings.get(member.guild_id)).zone
        loop = await app.memory.loops.change(member, item.id, statement.text, server_zone)
        return loop_line(loop, display)
    row = await app.memory.editor.correct(member, item.id, statement)
    return memory_line(row, display)

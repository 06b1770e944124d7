"""What autocompletion offers members: what Kith stores of them that contains what they type."""

from collections.abc import Iterable, Sequence

import discord
from discord import app_commands

from cogs.memory.display import Display
from cogs.memory.memory_text import QUOTED
from utils.common.clock import time_zones
from utils.common.text import clip, one_line
from utils.models.conversation import Target, TargetKind
from utils.models.episode import OpenLoop
from utils.models.memory import Memory
from utils.models.recall import MemberMessage

MAX_CHOICES = 25
MAX_NAME_LENGTH = 100

Choices = list[app_commands.Choice[str]]


def choice(name: str, value: object) -> app_commands.Choice[str]:
    """Return a choice whose name is cut to what Discord allows."""
    return app_commands.Choice(name=clip(name, MAX_NAME_LENGTH), value=str(value))


def name_choices(names: Iterable[str], typed: str) -> Choices:
    """Return the names that contain what was typed."""
    matches = [name for name in names if typed.casefold() in name.casefold()]
    return [choice(name, name) for name in matches[:MAX_CHOICES]]


async def zone_choices(_: discord.Interaction, typed: str) -> Choices:
    """Complete the name of a time zone: those that contain what was typed."""
    return name_choices(time_zones(), typed.replace(" ", "_"))


def memory_choices(rows: Sequence[Memory], typed: str, display: Display) -> Choices:
    """Return the memories that contain what was typed."""
    return [
        choice(f"{row.text} ({display.age_in_words(row.last_confirmed_at)})", row.id)
        for row in rows
        if typed.casefold() in row.text.casefold()
    ]


def loop_choices(loops: Sequence[OpenLoop], typed: str) -> Choices:
    """Return what Kith may ask about and contains what was typed."""
    return [
        choice(one_line(loop.text), Target(TargetKind.LOOP, loop.id))
        for loop in loops
        if typed.casefold() in loop.text.casefold()
    ]


def message_choices(messages: Sequence[MemberMessage], typed: str, display: Display) -> Choices:
    """Return the messages that contain what was typed."""
    return [
        choice(
            f"{display.tr(QUOTED, words=one_line(message.text))} "
            f"({display.age_in_words(message.said_at)})",
            Target(TargetKind.MESSAGE, message.id),
        )
        for message in messages
        if typed.casefold() in message.text.casefold()
    ]

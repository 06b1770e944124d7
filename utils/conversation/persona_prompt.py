"""Choose the manner of an answer, and build the model's system instructions. Pure.

A manner sets the tone. The fixed instructions follow it and repeat at the end what no manner may
change. The text of a server's moderators is framed, because it is untrusted.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from utils.common.text import clean
from utils.llm import prompts
from utils.models.guild import DEFAULT_MODE, GuildSettings, Persona
from utils.models.memory import DIRECT_MESSAGES

ROAST = "roast"
KIND = (
    "Somebody in this conversation asked not to be made fun of. Tease nobody in this answer, "
    "whoever asks for it, and don't say why."
)
_TAG = re.compile(r"<(?=[\s/]*manner)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Manner:
    """A mode's name and text; ``is_own``: a server's moderators wrote it."""

    name: str
    text: str
    is_own: bool = False

    @property
    def may_tease(self) -> bool:
        """Whether it may make fun of people, so that members' choices about roasts matter."""
        return self.is_own or self.name == ROAST


def built_in_manner(mode: str) -> Manner:
    """Return a built-in manner; the default one if the mode does not exist."""
    name = mode if mode in prompts.modes() else DEFAULT_MODE
    return Manner(name, prompts.persona(name).text)


def custom_manner(persona: Persona) -> Manner:
    """Return a manner that a server's moderators wrote."""
    return Manner(persona.name, persona.text, is_own=True)


def active_manner(settings: GuildSettings, *channel_ids: int) -> Manner:
    """Return the manner of the first of these channels that has one, else the server's."""
    mode = settings.mode_in(*channel_ids)
    persona = settings.persona(mode)
    return (
        built_in_manner(mode)
        if mode in prompts.modes() or persona is None
        else custom_manner(persona)
    )


def without_teasing(manner: Manner) -> Manner:
    """Return the manner to use when a participant has turned roasts off."""
    return built_in_manner(DEFAULT_MODE) if manner.name == ROAST else manner


def instructions(
    settings: GuildSettings,
    manner: Manner,
    now: datetime,
    *,
    age_restricted: bool = False,
    is_kind: bool = False,
) -> str:
    """Return the instructions for an answer. ``is_kind`` forbids teasing anyone in it.

    In a direct message they say that what is known from servers stays there.
    """
    content = "age_restricted" if age_restricted else "all_ages"
    is_direct = settings.guild_id == DIRECT_MESSAGES
    local = now.astimezone(ZoneInfo(settings.time_zone))
    return prompts.load("reply").fill(
        persona=_framed(manner.text) if manner.is_own else manner.text,
        now=f"{local:%A, %d %B %Y, %H:%M}",
        time_zone=settings.time_zone,
        content=prompts.load(f"content/{content}").text,
        kind=f"\n- {KIND}" if is_kind else "",
        place=f"\n- {prompts.load('direct_message').text}" if is_direct else "",
    )


def _framed(text: str) -> str:
    """Return moderators' text in a frame that limits it to the tone of the answer."""
    return prompts.load("own_manner").fill(words=_TAG.sub("(", clean(text)))

"""Which manner an answer is given in, and the instructions that the model gets. Pure.

A manner sets the tone. Everything else in the instructions is fixed, stands after the manner, and
says once more at the very end what no manner changes. What a server's moderators wrote is framed:
it is their text, not ours.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from utils import prompts
from utils.model.guild import DEFAULT_MODE, GuildSettings, Persona
from utils.text import clean

ROAST = "roast"
KIND = (
    "Somebody in this conversation asked not to be made fun of. Tease nobody in this answer, "
    "whoever asks for it, and don't say why."
)
_TAG = re.compile(r"<(?=[\s/]*manner)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Manner:
    """A mode's name and its words; ``is_own``: a server's moderators wrote them."""

    name: str
    text: str
    is_own: bool = False

    @property
    def may_tease(self) -> bool:
        """Whether it may be at somebody's cost, so that those who refuse that must be asked for."""
        return self.is_own or self.name == ROAST


def built_in(mode: str) -> Manner:
    """Return a manner that comes with Kith; the default one for a mode that does not exist."""
    name = mode if mode in prompts.modes() else DEFAULT_MODE
    return Manner(name, prompts.persona(name).text)


def written(persona: Persona) -> Manner:
    """Return a manner that a server's moderators wrote."""
    return Manner(persona.name, persona.text, is_own=True)


def in_force(settings: GuildSettings, *channel_ids: int) -> Manner:
    """Return the manner of the first of these channels that has one, else the server's."""
    mode = settings.mode_in(*channel_ids)
    own = settings.persona(mode)
    return built_in(mode) if mode in prompts.modes() or own is None else written(own)


def kindly(manner: Manner) -> Manner:
    """Return how to speak when somebody concerned refuses to be made fun of."""
    return built_in(DEFAULT_MODE) if manner.name == ROAST else manner


def instructions(
    settings: GuildSettings,
    manner: Manner,
    now: datetime,
    *,
    age_restricted: bool = False,
    is_kind: bool = False,
) -> str:
    """Return the instructions for an answer; ``is_kind``: nobody is to be teased in it."""
    content = "age_restricted" if age_restricted else "all_ages"
    local = now.astimezone(ZoneInfo(settings.time_zone))
    return prompts.load("reply").fill(
        persona=_framed(manner.text) if manner.is_own else manner.text,
        now=f"{local:%A, %d %B %Y, %H:%M}",
        time_zone=settings.time_zone,
        content=prompts.load(f"content/{content}").text,
        kind=f"\n- {KIND}" if is_kind else "",
    )


def _framed(text: str) -> str:
    """Return moderators' words as something to sound like, and nothing to obey beyond that."""
    return prompts.load("own_manner").fill(words=_TAG.sub("(", clean(text)))

"""How Kith sounds: modes of the server and its channels, own modes, and speaking first."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.forms import (
    NEVER_ANSWERS,
    TEXT_KINDS,
    Field,
    Section,
    Typed,
    channel_field,
    channel_in,
    check_unchanged,
    page_of,
    saved,
    seen,
    text_of,
)
from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import number
from cogs.dashboard.web.context import InContext
from cogs.dashboard.web.language import tr
from cogs.dashboard.web.visits import MODERATORS
from cogs.speaking.commands import NO_MODEL
from utils.common.errors import BadInput
from utils.llm import prompts
from utils.models.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, SpeakingPlace

router = APIRouter(prefix=MODERATORS.home)

PAGE = "voice"
CHOOSE_CHANNEL = "Choose a channel."
SOUNDS = "How Kith sounds"
TIMES = {
    "after_minutes": ("After how many minutes of silence", 30, 10_080),
    "per_day": ("How often a day at most", 1, 5),
    "quiet_from": ("Silent from this hour", 0, 23),
    "quiet_until": ("Until this hour (the same: at no time)", 0, 23),
}
NO_PLACE = SpeakingPlace(0, 0)


@router.get("/voice")
async def voice(request: Request, context: InContext, moderator: InVisit) -> Response:
    """Show how Kith sounds, and where it speaks first."""
    guild_id, guilds = moderator.guild_id, context.app.guilds
    settings = await guilds.settings.latest(guild_id)
    own_names = await guilds.personas.names(guild_id)
    own_modes = [await guilds.personas.own(guild_id, name) for name in own_names]
    modes = [(name, name) for name in (*prompts.MODES, *own_names)]
    names = moderator.channel_names
    sections = [
        Section(
            "voice/mode",
            "Mode of the server",
            [Field("select", "mode", "Mode", settings.mode, modes)],
            "`roast` makes fun of people who talk to Kith; each member can refuse it.",
        ),
        *(
            Section(
                "voice/mode",
                "Mode in {name}",
                [
                    Field("hidden", "channel", "", channel_id),
                    Field("select", "mode", "Mode", mode, [("", tr("the server's")), *modes]),
                ],
                name=names[channel_id],
            )
            for channel_id, mode in settings.channel_modes.items()
            if channel_id in names
        ),
        Section(
            "voice/mode",
            "Another mode in one channel",
            [
                channel_field(moderator),
                Field("select", "mode", "Mode", settings.mode, modes),
                Field("hidden", "needs_channel", "", "1"),
            ],
        ),
        *(
            Section(
                "voice/own",
                "Own mode {name}",
                [
                    seen(persona.text),
                    Field("hidden", "name", "", persona.name),
                    Field("area", "text", SOUNDS, persona.text, limits=(0, PERSONA_LIMIT)),
                ],
                name=persona.name,
                buttons=[("edit", "Save", "main"), ("delete", "Delete", "danger")],
            )
            for persona in own_modes
        ),
        Section(
            "voice/own",
            "New mode",
            [
                Field(
                    "text",
                    "name",
                    "Name",
                    hint="Small letters, digits and hyphens, such as pirate-captain.",
                    limits=(0, PERSONA_NAME_LIMIT),
                ),
                Field("area", "text", SOUNDS, limits=(0, PERSONA_LIMIT)),
            ],
            "It only sets the tone, not what Kith knows, remembers, tells or allows.",
            buttons=[("create", "Save", "main")],
        ),
        *(
            Section(
                "voice/speaking",
                "Speaks first in {name}",
                [Field("hidden", "channel", "", place.channel_id), *_times(place)],
                name=names[place.channel_id],
                buttons=[("on", "Save", "main"), ("off", "Never speak first here", "")],
            )
            for place in await guilds.speaking.load(guild_id)
            if place.channel_id in names
        ),
        Section(
            "voice/speaking",
            "Let Kith speak first in a channel",
            [
                channel_field(moderator, kinds=TEXT_KINDS),
                *_times(NO_PLACE),
            ],
            "Most of the time it stays silent all the same. A button under what it says mutes it.",
            buttons=[("on", "Save", "main")],
        ),
    ]
    lead = "`/mode preview` lets you hear a mode, and `/mode import` reads a character card."
    return page_of(request, "Voice", lead, sections)


def _times(place: SpeakingPlace) -> list[Field]:
    """Return the fields of when Kith speaks first. Pure."""
    return [
        Field("number", name, label, getattr(place, name), limits=(low, high))
        for name, (label, low, high) in TIMES.items()
    ]


@router.post("/voice/mode")
async def choose_mode(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Choose the mode of the server or a channel; without one, the channel has the server's."""
    guild_id, user_id = moderator.guild_id, moderator.member.user_id
    channel_id, mode = channel_in(form, "channel", moderator), text_of(form, "mode")
    if channel_id is None and "needs_channel" in form:
        raise BadInput(CHOOSE_CHANNEL)
    await context.app.guilds.settings.set_mode(guild_id, mode, channel_id, actor_id=user_id)
    return saved(PAGE)


@router.post("/voice/own")
async def change_own(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Write, change or delete one of the server's own modes.

    Raises Conflict if its text is no longer the one that was shown: no log keeps the texts.
    """
    personas, guild_id, user_id = (
        context.app.guilds.personas,
        moderator.guild_id,
        moderator.member.user_id,
    )
    name, text = text_of(form, "name"), text_of(form, "text")
    match text_of(form, "act"):
        case "create":
            await personas.create(guild_id, name, text, actor_id=user_id)
        case "delete":
            await personas.delete(guild_id, name, actor_id=user_id)
        case _:
            check_unchanged(form, (await personas.own(guild_id, name)).text)
            await personas.edit(guild_id, name, text, actor_id=user_id)
    return saved(PAGE)


@router.post("/voice/speaking")
async def change_speaking(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Let Kith speak first in a channel, or not any more. Raises BadInput for a wrong number."""
    is_off, app = text_of(form, "act") == "off", context.app
    channel_id = channel_in(form, "channel", moderator, None if is_off else TEXT_KINDS)
    if channel_id is None:
        raise BadInput(CHOOSE_CHANNEL)
    if is_off:
        await app.guilds.speaking.remove(
            moderator.guild_id, channel_id, actor_id=moderator.member.user_id
        )
        return saved(PAGE)
    if not app.speaking.can_speak:
        raise BadInput(NO_MODEL)
    if (await app.guilds.settings.latest(moderator.guild_id)).never_answers(channel_id):
        raise BadInput(NEVER_ANSWERS)
    place = SpeakingPlace(moderator.guild_id, channel_id)
    for name, (label, low, high) in TIMES.items():
        value = number(text_of(form, name), label)
        if value is None or not low <= value <= high:
            raise BadInput(
                "{what} must be between {low} and {high}.", what=tr(label), low=low, high=high
            )
        changed: dict[str, Any] = {name: value}
        place = replace(place, **changed)
    await app.guilds.speaking.choose(place, actor_id=moderator.member.user_id)
    return saved(PAGE)

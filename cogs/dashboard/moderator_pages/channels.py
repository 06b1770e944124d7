"""What each channel is for, which are watched, and the role that every ordinary member has."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.forms import (
    POST_KINDS,
    Field,
    Section,
    Table,
    Typed,
    channel_in,
    channel_options,
    channels_in,
    check_unchanged,
    page_of,
    saved,
    seen,
    text_of,
)
from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import number
from cogs.dashboard.pages.setting_words import SettingWords
from cogs.dashboard.web.context import InContext
from cogs.dashboard.web.language import tr
from cogs.dashboard.web.visits import MODERATORS
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings, Purpose

router = APIRouter(prefix=MODERATORS.home)

PAGE = "channels"
LISTS = {
    Purpose.CHAT: "Chat",
    Purpose.ONLY: "Answers only here",
    Purpose.NEVER: "Never answers",
    Purpose.LINKS: "Reads links",
    Purpose.GAME: "Game",
}


@router.get("/channels")
async def channels(request: Request, context: InContext, moderator: InVisit) -> Response:
    """Show what each channel is for."""
    settings = await context.app.guilds.settings.latest(moderator.guild_id)
    watched = await context.app.sentiment.channels.channels(moderator.guild_id)
    watched_ids = [channel.channel_id for channel in watched]
    log = next(iter(settings.channels_for(Purpose.LOG)), None)
    words = SettingWords(context, moderator.guild_id, moderator.channel_names)
    base_role_id = settings.base_role_id
    roles = {role.id: f"@{role.name}" for role in context.discord.roles(moderator.guild_id)}
    if base_role_id is not None:
        roles[base_role_id] = words.role(base_role_id)  # it may be gone, which is not "everyone"
    sections = [
        Section(
            "channels/purposes",
            "What channels are for",
            [
                seen(settings.channels),
                Field(
                    "select",
                    "log",
                    "Log channel, for reports to moderators",
                    log.channel_id if log else "",
                    channel_options(moderator, tr("none"), POST_KINDS),
                ),
            ],
            "In chat channels Kith answers every message. If there are only channels where it "
            "answers, it answers nowhere else. `/config channel game` sets a game's topics.",
            table=Table(
                [(purpose.value, label) for purpose, label in LISTS.items()],
                moderator.channels,
                {purpose.value: settings.ids_for(purpose) for purpose in LISTS},
            ),
        ),
        Section(
            "channels/watched",
            "Watched channels",
            [
                seen(watched_ids),
                Field("checks", "watched", "Watched", watched_ids, channel_options(moderator)),
            ],
            "Kith reads along to notice trouble early and tells the moderators; a notice there "
            "says so.",
        ),
        Section(
            "channels/role",
            "Base role",
            [
                Field(
                    "select",
                    "role",
                    "The role that every ordinary member has",
                    base_role_id or "",
                    [("", tr("everyone")), *roles.items()],
                )
            ],
            "Where newcomers must be verified: what this role reads is open to all. "
            "`/config baserole` asks about the other roles.",
        ),
    ]
    lead = "Start shows where Kith cannot recall, and why."
    return page_of(request, "Channels", lead, sections)


@router.post("/channels/purposes")
async def choose(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Give each purpose to the ticked channels, and to those that the page does not offer."""
    chosen = {purpose: channels_in(form, purpose.value, moderator) for purpose in LISTS}
    log = channel_in(form, Purpose.LOG.value, moderator, POST_KINDS)
    offered = {purpose: {*moderator.channel_names} for purpose in LISTS}
    offered[Purpose.LOG] = {place.id for place in moderator.channels if place.kind in POST_KINDS}

    def change(settings: GuildSettings) -> GuildSettings:
        check_unchanged(form, settings.channels)
        for purpose, ids in (*chosen.items(), (Purpose.LOG, [log] if log else [])):
            kept = settings.ids_for(purpose) - offered[purpose]
            settings = settings.with_purpose(purpose, ids, kept)
        return settings

    await context.app.guilds.settings.update(moderator.guild_id, change, moderator.member.user_id)
    return saved(PAGE)


@router.post("/channels/watched")
async def watch(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Watch the ticked channels, and those that the moderator does not see."""
    watched = await context.app.sentiment.channels.channels(moderator.guild_id)
    before = [channel.channel_id for channel in watched]
    check_unchanged(form, before)
    hidden = [id_ for id_ in before if id_ not in moderator.channel_names]
    chosen = dict.fromkeys([*hidden, *channels_in(form, "watched", moderator)])
    await context.discord.watch(moderator.guild_id, chosen, moderator.member.user_id)
    return saved(PAGE)


@router.post("/channels/role")
async def choose_role(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Choose the base role. Raises BadInput for one that cannot be it."""
    role_id = number(text_of(form, "role"), "A role")
    if role_id and role_id not in {role.id for role in context.discord.roles(moderator.guild_id)}:
        raise BadInput("Choose a role from the list.")
    await context.app.guilds.settings.set_values(
        moderator.guild_id, base_role_id=role_id, actor_id=moderator.member.user_id
    )
    return saved(PAGE)

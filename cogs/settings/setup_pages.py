"""The pages of ``/setup``: their texts, selects and buttons.

A page shows what is stored. The id of a button contains its action and its user, so that any
process can handle it, including one started later. cogs/settings/setup.py stores the choices.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from cogs.bot.localisation import tr
from cogs.bot.page_links import IN_BROWSER
from cogs.bot.permission_check import faults_of_channels, permission_report
from cogs.bot.recall_report import NO_BASE_ROLE
from cogs.bot.views import MAX_CHOSEN
from cogs.settings.base_role import implied_in_words
from cogs.settings.settings_text import CONSENT_DEFAULTS, EVERYONE
from utils.common.text import utf16_length
from utils.llm import prompts
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import Consent

ZONES = (
    *("UTC", "Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid"),
    *("Europe/Warsaw", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos"),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("America/Mexico_City", "America/Sao_Paulo", "Asia/Dubai", "Asia/Kolkata", "Asia/Shanghai"),
    *("Asia/Tokyo", "Asia/Seoul", "Australia/Sydney", "Pacific/Auckland"),
)
CHANNEL_TYPES = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
    discord.ChannelType.media,
)
LOG_TYPES = (discord.ChannelType.text, discord.ChannelType.news)
LISTS = (Purpose.CHAT, Purpose.LOG, Purpose.NEVER, Purpose.ONLY)
PAGE_TEXTS = {
    "channels": (
        "**Channels.** In *chat channels* I answer every message, unless it mentions somebody else "
        "or replies to them; elsewhere only when I am mentioned or replied to. The *log channel* "
        "gets my reports for moderators. The last two lists limit where I answer at all; leave "
        "them empty if you are unsure."
    ),
    "mode": (
        "**Mode.** How I sound in the whole server; `/mode set` can choose another one for a "
        "single channel, `/mode preview` lets you hear them, `/mode create` writes your own."
    ),
    "zone": "**Time zone.** What I mean by “today”, and when a night is over: **{zone}**.",
    "role": (
        "**Base role.** If newcomers must be verified, choose the role that every ordinary member "
        "has: what it can read is open to all. Choose nothing where everyone reads. "
        "Now: **{role}**."
    ),
    "consent": (
        "**Memory.** How long I remember what people tell me about themselves if they choose "
        "nothing: now **{consent}**. A change is announced in this channel, and everybody's own "
        "choice always wins."
    ),
    "watch": (
        "**Watching.** In these channels I read along to notice trouble early and tell the "
        "moderators; a notice there says so. Nothing is watched unless you choose it."
    ),
    "check": "**Permissions.**",
}
RECALL_HEADING = "**Where I recall**"
MESSAGE_LIMIT = 2000
ASKS_ABOUT_ROLES = "`/config baserole` asks about the other roles."
PLACEHOLDERS = {
    "chat": "Chat channels",
    "log": "Log channel",
    "never": "Channels where I never answer",
    "only": "Answer only in these (nothing: everywhere)",
    "mode": "Mode",
    "zone": "Time zone",
    "role": "Base role (nothing: everyone)",
    "consent": "Memory of those who have not chosen",
    "watch": "Watched channels",
}
BUTTONS = {
    "back": "Back",
    "next": "Next",
    "again": "Check again",
    "done": "Done",
    "other": "Another time zone…",
    "browser": IN_BROWSER,
}


class SetupPage(StrEnum):
    """One page, named as in its buttons' ids."""

    CHANNELS = "channels"
    MODE = "mode"
    ZONE = "zone"
    ROLE = "role"
    CONSENT = "consent"
    WATCH = "watch"
    CHECK = "check"


PAGES = list(SetupPage)


@dataclass(frozen=True, slots=True)
class SetupState:
    """The stored settings that a page shows, and whether the same can be done in a browser."""

    settings: GuildSettings
    own_modes: Sequence[str]
    watched: Sequence[int]
    has_web_pages: bool = False


Item = discord.ui.Item[Any]


def page_text(
    page: SetupPage, state: SetupState, guild: discord.Guild, locale: discord.Locale
) -> str:
    """Return the text above a page's selects."""
    settings = state.settings
    role_id = settings.base_role_id
    role = None if role_id is None else guild.get_role(role_id)
    lines = [
        tr(
            locale,
            "**Setup, step {step} of {steps}.** Your choices apply at once.",
            step=PAGES.index(page) + 1,
            steps=len(PAGES),
        ),
        tr(
            locale,
            PAGE_TEXTS[page],
            zone=settings.time_zone,
            role=tr(locale, EVERYONE) if role_id is None else f"<@&{role_id}>",
            consent=tr(locale, CONSENT_DEFAULTS[settings.consent_default]),
        ),
    ]
    if page is SetupPage.ROLE and role is not None:
        implied = implied_in_words(locale, guild, role, settings.implied_role_ids)
        lines.append(f"{implied} {tr(locale, ASKS_ABOUT_ROLES)}")
    elif page is SetupPage.ROLE and role_id is not None:
        lines.append(tr(locale, NO_BASE_ROLE))
    if page is SetupPage.CHANNELS:
        for purpose in LISTS:
            channel_ids = [channel.channel_id for channel in settings.channels_for(purpose)]
            _, hidden = split_shown(guild, channel_ids, purpose)
            if hidden:
                lines.append(
                    tr(
                        locale,
                        "{list}: {count} more, which stay as they are; `/config channel` changes "
                        "them.",
                        list=tr(locale, PLACEHOLDERS[purpose]),
                        count=len(hidden),
                    )
                )
        lines += faults_of_channels(locale, guild, settings)
    if page is SetupPage.CHECK:
        lines.append(permission_report(locale, guild, settings, state.watched))
    return "\n".join(lines)


def split_shown(
    guild: discord.Guild, channel_ids: Sequence[int], purpose: Purpose
) -> tuple[list[int], list[int]]:
    """Return those of a list's channels that its select shows, and those that it can't show.

    Deleted channels are in neither.
    """
    is_log = purpose is Purpose.LOG
    types, limit = (LOG_TYPES, 1) if is_log else (CHANNEL_TYPES, MAX_CHOSEN)
    existing = [channel for channel in map(guild.get_channel, channel_ids) if channel is not None]
    selectable = [channel.id for channel in existing if channel.type in types][:limit]
    return selectable, [channel.id for channel in existing if channel.id not in selectable]


def with_recall(text: str, lines: Sequence[str], locale: discord.Locale) -> str:
    """Return the text of the last page with as many lines about recall as fit in a message."""
    page_lines = [f"{text}\n{tr(locale, RECALL_HEADING)}"]
    closing_line = tr(locale, "`/config show` names all channels.")
    for line in lines:
        if utf16_length("\n".join([*page_lines, f"- {line}", closing_line])) > MESSAGE_LIMIT:
            return "\n".join([*page_lines, closing_line])
        page_lines.append(f"- {line}")
    return "\n".join(page_lines)


def page_items(
    page: SetupPage, state: SetupState, guild: discord.Guild, locale: discord.Locale, author_id: int
) -> list[Item]:
    """Return a page's selects and buttons; their ids contain their actions."""

    def id_of(action: str) -> str:
        return f"kith:setup:{page}:{action}:{author_id}"

    items = _selects(page, state, guild, locale, id_of)
    button_row = len(items)
    is_shown = {
        "back": page is not PAGES[0],
        "next": page is not PAGES[-1],
        "again": page is SetupPage.CHECK,
        "done": True,
        "other": page is SetupPage.ZONE,
        "browser": state.has_web_pages,
    }
    for action, label in BUTTONS.items():
        if is_shown[action]:
            is_next = action == "next"
            items.append(
                discord.ui.Button(
                    label=tr(locale, label),
                    style=discord.ButtonStyle.primary if is_next else discord.ButtonStyle.secondary,
                    custom_id=id_of(action),
                    row=button_row,
                )
            )
    return items


def _selects(
    page: SetupPage,
    state: SetupState,
    guild: discord.Guild,
    locale: discord.Locale,
    id_of: Callable[[str], str],
) -> list[Item]:
    settings = state.settings

    def channels(row: int, purpose: Purpose) -> Item:
        chosen = [channel.channel_id for channel in settings.channels_for(purpose)]
        selectable, _ = split_shown(guild, chosen, purpose)
        placeholder = tr(locale, PLACEHOLDERS[purpose])
        return _channel_select(
            id_of(purpose), placeholder, selectable, row, is_log=purpose is Purpose.LOG
        )

    def select(action: str, options: list[discord.SelectOption]) -> Item:
        return discord.ui.Select(
            custom_id=id_of(action),
            placeholder=tr(locale, PLACEHOLDERS[action]),
            options=options,
            row=0,
        )

    match page:
        case SetupPage.CHANNELS:
            return [channels(row, purpose) for row, purpose in enumerate(LISTS)]
        case SetupPage.MODE:
            modes = [*prompts.MODES, *state.own_modes]
            return [select("mode", _options(modes, settings.mode))]
        case SetupPage.ZONE:
            zones = dict.fromkeys((settings.time_zone, *ZONES))
            return [select("zone", _options(zones, settings.time_zone))]
        case SetupPage.ROLE:
            role_id = settings.base_role_id
            chosen = [] if role_id is None or guild.get_role(role_id) is None else [role_id]
            return [
                discord.ui.RoleSelect(
                    custom_id=id_of("role"),
                    placeholder=tr(locale, PLACEHOLDERS["role"]),
                    min_values=0,
                    max_values=1,
                    default_values=[
                        discord.SelectDefaultValue(
                            id=role, type=discord.SelectDefaultValueType.role
                        )
                        for role in chosen
                    ],
                    row=0,
                )
            ]
        case SetupPage.CONSENT:
            return [
                select(
                    "consent",
                    [
                        discord.SelectOption(
                            label=tr(locale, CONSENT_DEFAULTS[choice]),
                            value=choice,
                            default=choice is settings.consent_default,
                        )
                        for choice in (Consent.TEMPORARY, Consent.LASTING)
                    ],
                )
            ]
        case SetupPage.WATCH:
            watched, _ = split_shown(guild, state.watched, Purpose.CHAT)
            return [_channel_select(id_of("watch"), tr(locale, PLACEHOLDERS["watch"]), watched, 0)]
        case SetupPage.CHECK:
            return []


def _channel_select(
    custom_id: str, placeholder: str, chosen: Sequence[int], row: int, *, is_log: bool = False
) -> Item:
    """Return a channel select; that of the log channel offers one channel for posts."""
    return discord.ui.ChannelSelect(
        custom_id=custom_id,
        placeholder=placeholder,
        channel_types=list(LOG_TYPES if is_log else CHANNEL_TYPES),
        min_values=0,
        max_values=1 if is_log else MAX_CHOSEN,
        default_values=[
            discord.SelectDefaultValue(id=channel_id, type=discord.SelectDefaultValueType.channel)
            for channel_id in chosen
        ],
        row=row,
    )


def _options(values: Iterable[str], chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=value, value=value, default=value == chosen)
        for value in list(values)[:MAX_CHOSEN]
    ]

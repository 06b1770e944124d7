"""The pages of /setup: what each says and which selects and buttons stand under it.

A page is drawn from what is stored, and every button's id says what it does and for whom, so that
any process, also one started later, can answer it. Storing what was chosen is cogs/setup.py's part.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from cogs.config_words import CONSENT_DEFAULTS, EVERYONE
from cogs.localisation import tr
from cogs.permission_check import check_in_words
from utils import prompts
from utils.model.guild import GuildSettings, Purpose
from utils.model.memory import Consent

MOST_CHOSEN = 25
ZONES = (
    *("UTC", "Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid"),
    *("Europe/Warsaw", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos"),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("America/Mexico_City", "America/Sao_Paulo", "Asia/Dubai", "Asia/Kolkata", "Asia/Shanghai"),
    *("Asia/Tokyo", "Asia/Seoul", "Australia/Sydney", "Pacific/Auckland"),
)
PLACES = [discord.ChannelType.text, discord.ChannelType.voice, discord.ChannelType.forum]
WHERE = "**Setting me up, step {step} of {steps}.** What you choose holds at once."
PAGE_WORDS = {
    "channels": (
        "**Channels.** In *chat channels* I answer every message; elsewhere only when I am "
        "mentioned or replied to. The *log channel* gets my reports for moderators. In the third "
        "list are channels where I answer nobody."
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
PLACEHOLDERS = {
    "chat": "Chat channels",
    "log": "Log channel",
    "never": "Channels where I never answer",
    "mode": "Mode",
    "zone": "Time zone",
    "role": "Base role (nothing: everyone)",
    "consent": "Memory of those who have not chosen",
    "watch": "Watched channels",
}
BACK = "Back"
NEXT = "Next"
DONE = "Done"
OTHER_ZONE = "Another time zone…"
AGAIN = "Check again"


class Page(StrEnum):
    """One page, named as in its buttons' ids."""

    CHANNELS = "channels"
    MODE = "mode"
    ZONE = "zone"
    ROLE = "role"
    CONSENT = "consent"
    WATCH = "watch"
    CHECK = "check"


PAGES = list(Page)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is stored now, which a page shows."""

    settings: GuildSettings
    own_modes: Sequence[str]
    watched: Sequence[int]


Item = discord.ui.Item[Any]


def draw_words(page: Page, standing: Standing, guild: discord.Guild, locale: discord.Locale) -> str:
    """Return what stands above a page's selects."""
    settings = standing.settings
    role = None if settings.base_role_id is None else guild.get_role(settings.base_role_id)
    lines = [
        tr(locale, WHERE, step=PAGES.index(page) + 1, steps=len(PAGES)),
        tr(
            locale,
            PAGE_WORDS[page],
            zone=settings.time_zone,
            role=tr(locale, EVERYONE) if role is None else role.mention,
            consent=tr(locale, CONSENT_DEFAULTS[settings.consent_default]),
        ),
    ]
    if page is Page.CHECK:
        lines.append(check_in_words(locale, guild, settings, standing.watched))
    return "\n".join(lines)


def draw_items(
    page: Page, standing: Standing, guild: discord.Guild, locale: discord.Locale, asker_id: int
) -> list[Item]:
    """Return a page's selects and buttons, each with an id that says what it does."""

    def id_of(what: str) -> str:
        return f"kith:setup:{page}:{what}:{asker_id}"

    items = _selects(page, standing, guild, locale, id_of)
    last = len(items)
    place = PAGES.index(page)
    labels = [("back", BACK, place > 0), ("next", NEXT, place + 1 < len(PAGES))]
    labels += [("again", AGAIN, page is Page.CHECK), ("done", DONE, True)]
    labels += [("other", OTHER_ZONE, page is Page.ZONE)]
    for what, label, is_there in labels:
        if is_there:
            style = discord.ButtonStyle.primary if what == "next" else discord.ButtonStyle.secondary
            items.append(
                discord.ui.Button(
                    label=tr(locale, label), style=style, custom_id=id_of(what), row=last
                )
            )
    return items


def _selects(
    page: Page,
    standing: Standing,
    guild: discord.Guild,
    locale: discord.Locale,
    id_of: Callable[[str], str],
) -> list[Item]:
    settings = standing.settings

    def channels(row: int, what: str, chosen: Iterable[int], most: int = MOST_CHOSEN) -> Item:
        known = [one for one in chosen if guild.get_channel(one) is not None][:most]
        return _channel_select(id_of(what), tr(locale, PLACEHOLDERS[what]), known, most, row)

    def one_of(what: str, options: list[discord.SelectOption]) -> Item:
        placeholder = tr(locale, PLACEHOLDERS[what])
        return discord.ui.Select(
            custom_id=id_of(what), placeholder=placeholder, options=options, row=0
        )

    match page:
        case Page.CHANNELS:
            chosen = {
                what: [one.channel_id for one in settings.channels_for(Purpose(what))]
                for what in ("chat", "log", "never")
            }
            return [
                channels(0, "chat", chosen["chat"]),
                channels(1, "log", chosen["log"], 1),
                channels(2, "never", chosen["never"]),
            ]
        case Page.MODE:
            modes = [*prompts.modes(), *standing.own_modes]
            return [one_of("mode", _options(modes, settings.mode))]
        case Page.ZONE:
            zones = dict.fromkeys((settings.time_zone, *ZONES))
            return [one_of("zone", _options(zones, settings.time_zone))]
        case Page.ROLE:
            return [_role_select(id_of("role"), settings, guild, locale)]
        case Page.CONSENT:
            return [one_of("consent", _consent_options(settings, locale))]
        case Page.WATCH:
            return [channels(0, "watch", standing.watched)]
        case Page.CHECK:
            return []


def _channel_select(
    custom_id: str, placeholder: str, chosen: Sequence[int], most: int, row: int
) -> Item:
    """Return a select of channels; where one is to be chosen, it is a text channel."""
    return discord.ui.ChannelSelect(
        custom_id=custom_id,
        placeholder=placeholder,
        channel_types=[discord.ChannelType.text] if most == 1 else PLACES,
        min_values=0,
        max_values=most,
        default_values=[
            discord.SelectDefaultValue(id=one, type=discord.SelectDefaultValueType.channel)
            for one in chosen
        ],
        row=row,
    )


def _options(values: Iterable[str], chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=value, value=value, default=value == chosen)
        for value in list(values)[:MOST_CHOSEN]
    ]


def _consent_options(settings: GuildSettings, locale: discord.Locale) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=tr(locale, CONSENT_DEFAULTS[choice]),
            value=choice,
            default=choice is settings.consent_default,
        )
        for choice in (Consent.TEMPORARY, Consent.LASTING)
    ]


def _role_select(
    custom_id: str, settings: GuildSettings, guild: discord.Guild, locale: discord.Locale
) -> Item:
    role_id = settings.base_role_id
    chosen = [] if role_id is None or guild.get_role(role_id) is None else [role_id]
    return discord.ui.RoleSelect(
        custom_id=custom_id,
        placeholder=tr(locale, PLACEHOLDERS["role"]),
        min_values=0,
        max_values=1,
        default_values=[
            discord.SelectDefaultValue(id=one, type=discord.SelectDefaultValueType.role)
            for one in chosen
        ],
        row=0,
    )

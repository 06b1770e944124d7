"""Texts of ``/mod tension settings`` and ``/mod tension cases``."""

from collections.abc import Sequence

import discord

from cogs.bot.localisation import number, option_name, tr
from cogs.sentiment.alert_text import MORE
from utils.models.alert import ActionKind, Alert, ThresholdSuggestion
from utils.models.sentiment import AlertTrigger, WatchSettings
from utils.models.transfer import message_link

HEADING = {True: "**Changed.** The settings are now:", False: "**Alert settings**"}
SETTINGS = {
    "tension_alert": "- tension_alert: **{value}** (tension of a channel or member, 0 to 1)",
    "toxicity_alert": "- toxicity_alert: **{value}** (toxicity of one message, 0 to 1)",
    "half_life_hours": "- half_life_hours: **{value}** (tension falls by half in this time)",
    "prefilter": "- prefilter: **{value}** (`heated`: only what looks like trouble is read)",
    "ping": "- ping: **{value}** (notified of each new alert)",
    "automatic": "- automatic: **{value}** (short automatic timeouts, never of moderators)",
    "auto_toxicity": "- auto_toxicity: **{value}** (of one message, for an automatic timeout)",
    "auto_minutes": "- auto_minutes: **{value}** (at most 10)",
}
VALUES = {"off": "off", "dry-run": "dry run", "on": "on", "nobody": "nobody", "default": "default"}
MAX_CASES = 15


def settings_in_words(
    locale: discord.Locale,
    settings: WatchSettings,
    suggestions: Sequence[ThresholdSuggestion],
    waiting: Sequence[Alert],
    *,
    has_log: bool,
    is_changed: bool,
) -> str:
    """Return a server's alert settings, suggested thresholds and waiting alerts as text."""
    how = "dry-run" if settings.auto_dry_run else "on"
    automatic = how if settings.auto_timeout else "off"
    ping = f"<@&{settings.ping_role_id}>" if settings.ping_role_id else tr(locale, VALUES["nobody"])
    prefilter = settings.prefilter.value if settings.prefilter else tr(locale, VALUES["default"])
    values = {
        "tension_alert": number(locale, settings.tension_alert, "g"),
        "toxicity_alert": number(locale, settings.toxicity_alert, "g"),
        "half_life_hours": number(locale, settings.half_life_hours, "g"),
        "prefilter": prefilter,
        "ping": ping,
        "automatic": tr(locale, VALUES[automatic]),
        "auto_toxicity": number(locale, settings.auto_toxicity, "g"),
        "auto_minutes": str(settings.auto_minutes),
    }
    lines = [
        tr(locale, HEADING[is_changed]),
        *(tr(locale, words, value=values[name]) for name, words in SETTINGS.items()),
    ]
    for suggestion in suggestions:
        is_toxicity = AlertTrigger.TOXICITY in suggestion.triggers
        lines.append(
            tr(
                locale,
                "💡 `{name}:{threshold}` would have avoided {avoided} of {false_alarms} false "
                "alarms in 30 days, and missed {missed} of {real} real alerts. You decide whether "
                "to change it.",
                name=option_name(locale, "toxicity_alert" if is_toxicity else "tension_alert"),
                threshold=f"{suggestion.threshold:.2f}",  # as it is typed
                avoided=suggestion.avoided,
                false_alarms=suggestion.false_alarms,
                missed=suggestion.missed,
                real=suggestion.real,
            )
        )
    if not has_log:
        lines.append(
            tr(
                locale,
                "⚠️ There is no log channel, so alerts wait. Choose one with `/config channel log`.",
            )
        )
    elif waiting:
        alerts = ", ".join(f"#{alert.alert_id} <#{alert.place_id}>" for alert in waiting)
        lines.append(
            tr(
                locale,
                "⚠️ Alerts that I could not post: {alerts}. Give me *View Channel*, *Send "
                "Messages* and *Attach Files* in the log channel; I retry for a day.",
                alerts=alerts,
            )
        )
    return "\n".join(lines)


def cases_in_words(locale: discord.Locale, cases: Sequence[Alert], hidden: int = 0) -> str:
    """Return the list of open cases as text; ``hidden``: how many the reader may not see."""
    if not cases and not hidden:
        return tr(locale, "No case is open. Press *Open case* under an alert to open one.")
    lines = [tr(locale, "**Open cases**")]
    for case in cases[::-1][:MAX_CASES]:
        opened = case.action(ActionKind.OPEN_CASE)
        link = ""
        if case.post_id is not None:
            link = f" · {message_link(case.guild_id, case.post_channel_id or 0, case.post_id)}"
        line = tr(
            locale,
            "- #{number} in <#{place}>, opened by {by} {at}: {people}{link}",
            number=case.alert_id,
            place=case.place_id,
            by=f"<@{case.decided_by}>",
            at=discord.utils.format_dt(opened.at if opened else case.opened_at, "R"),
            people=", ".join(f"<@{user_id}>" for user_id in case.member_ids[:4]) or "—",
            link=link,
        )
        lines.append(line)
    if len(cases) > MAX_CASES:
        lines.append(f"- {tr(locale, MORE, count=len(cases) - MAX_CASES)}")
    if hidden:
        lines.append(tr(locale, "-# In channels that you can't read: {count}", count=hidden))
    return "\n".join(lines)

"""What /mod tension settings and cases say."""

from collections.abc import Sequence

import discord

from cogs.localisation import tr
from utils.model.alerts import Act, Alert, Suggestion
from utils.model.watch import Signal, WatchSettings

CHANGED, NOW = "**Changed.** This holds now:", "**From when I alert you, and what I do then**"
SETTINGS = {
    "tension_alert": "- tension_alert: **{value}** (tension of a channel or member, 0 to 1)",
    "toxicity_alert": "- toxicity_alert: **{value}** (toxicity of one message, 0 to 1)",
    "half_life_hours": "- half_life_hours: **{value}** (tension falls by half in that time)",
    "prefilter": "- prefilter: **{value}** (heated: the model reads only what looks like trouble)",
    "ping": "- ping: **{value}** (notified of each new alert)",
    "automatic": "- automatic: **{value}** (short time-outs by myself, never of moderators)",
    "auto_toxicity": "- auto_toxicity: **{value}** (of one message, for an automatic time-out)",
    "auto_minutes": "- auto_minutes: **{value}** (at most 10)",
}
VALUES = {"off": "off", "dry-run": "dry run", "on": "on", "nobody": "nobody", "default": "default"}
SUGGESTION = (
    "💡 `{name}:{threshold:.2f}` would have spared {spared} of {false_alarms} false alarms in 30 "
    "days, and missed {missed} of {real} real alerts. Nothing changes by itself."
)
NO_LOG = "⚠️ There is no log channel, so alerts wait: `/config channel log` chooses one."
WAITING = (
    "⚠️ Alerts that I could not post: {alerts}. Let me view, write and attach files in the log "
    "channel; I try again for a day."
)
NO_CASES = "No case is open. *Open case* under an alert opens one."
CASES = "**Open cases**"
CASE = "- #{number} in <#{place}>, opened by {by} {at}: {people}{link}"
SHOWN_CASES = 15


def settings_in_words(
    locale: discord.Locale,
    settings: WatchSettings,
    suggestions: Sequence[Suggestion],
    waiting: Sequence[Alert],
    *,
    has_log: bool,
    is_changed: bool,
) -> str:
    """Say what a server chose, what its false alarms suggest, and what waits."""
    automatic = "off"
    if settings.auto_timeout:
        automatic = "dry-run" if settings.auto_dry_run else "on"
    ping = f"<@&{settings.ping_role_id}>" if settings.ping_role_id else tr(locale, VALUES["nobody"])
    prefilter = settings.prefilter.value if settings.prefilter else tr(locale, VALUES["default"])
    values = {
        "tension_alert": f"{settings.tension_alert:g}",
        "toxicity_alert": f"{settings.toxicity_alert:g}",
        "half_life_hours": f"{settings.half_life_hours:g}",
        "prefilter": prefilter,
        "ping": ping,
        "automatic": tr(locale, VALUES[automatic]),
        "auto_toxicity": f"{settings.auto_toxicity:g}",
        "auto_minutes": str(settings.auto_minutes),
    }
    lines = [tr(locale, CHANGED if is_changed else NOW)]
    lines += [tr(locale, words, value=values[name]) for name, words in SETTINGS.items()]
    lines += [_suggestion(locale, one) for one in suggestions]
    if not has_log:
        lines.append(tr(locale, NO_LOG))
    elif waiting:
        named = ", ".join(f"#{one.alert_id} <#{one.place_id}>" for one in waiting)
        lines.append(tr(locale, WAITING, alerts=named))
    return "\n".join(lines)


def cases_in_words(locale: discord.Locale, cases: Sequence[Alert]) -> str:
    """List open cases."""
    if not cases:
        return tr(locale, NO_CASES)
    return "\n".join([tr(locale, CASES), *(_case(locale, one) for one in cases[-SHOWN_CASES:])])


def _suggestion(locale: discord.Locale, one: Suggestion) -> str:
    name = "toxicity_alert" if Signal.TOXICITY in one.signals else "tension_alert"
    return tr(
        locale,
        SUGGESTION,
        name=name,
        threshold=one.threshold,
        spared=one.spared,
        false_alarms=one.false_alarms,
        missed=one.missed,
        real=one.real,
    )


def _case(locale: discord.Locale, case: Alert) -> str:
    opened = case.action(Act.OPEN_CASE)
    link = ""
    if case.post_id is not None:
        link = (
            f" · https://discord.com/channels/{case.guild_id}/{case.post_channel_id}/{case.post_id}"
        )
    return tr(
        locale,
        CASE,
        number=case.alert_id,
        place=case.place_id,
        by=f"<@{case.decided_by}>",
        at=discord.utils.format_dt(opened.at if opened else case.opened_at, "R"),
        people=", ".join(f"<@{one}>" for one in case.member_ids[:4]) or "—",
        link=link,
    )

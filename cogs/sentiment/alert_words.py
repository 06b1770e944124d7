"""What an alert says: a calm summary in numbers, links, and who did what about it.

Nothing is quoted. The reasons are the model's few words on each message's score: untrusted text,
clipped and defused here.
"""

import re
from datetime import datetime

import discord

from cogs.localisation import tr
from utils.model.alerts import Act, Action, Alert, AlertMessage, AlertState
from utils.model.watch import Signal
from utils.text import clip, defuse_mentions, escape_markdown, utf16_length

MOST_REASONS = 3
LINKS_AND_ACTIONS = ((5, 8), (4, 5), (3, 4), (2, 3), (1, 2))  # shown, the most that fit
TEXT_LIMIT = 1950  # a ping may stand before it
MOST_NAMED = 4
REASON_SHOWN = 90
TITLES = {
    Signal.CHANNEL_TENSION: "**Tension is high in {place}** · alert #{number}",
    Signal.MEMBER_TENSION: "**Tension is high around a member in {place}** · alert #{number}",
    Signal.TOXICITY: "**Hurtful messages in {place}** · alert #{number}",
}
LEVEL = "Reached **{level:.2f}** (alerts from {threshold:.2f}), {since} to {until}."
PEOPLE = "Heated messages: {messages}, of {people}."
REASONS = "It looks like: {reasons}."
MESSAGE = "{at} [message]({link}) by {member}: toxicity {toxicity:.2f}, tension {tension:.2f}"
MORE = "… and {count} more"
NO_MESSAGES = "Its messages were deleted, or may not be shown any more."
CAUTION = "-# A language model gave these scores and can be wrong: read the messages first."
STATES = {
    AlertState.CASE: "📂 **Open case**",
    AlertState.DISMISSED: "☑️ **Dismissed** by {by}",
    AlertState.FALSE_ALARM: "☑️ **False alarm**, says {by}",
    AlertState.CLOSED: "☑️ **Case closed** by {by}",
}
ACTS = {
    Act.TIME_OUT: "{at} {by} timed out {member} for {amount} minutes",
    Act.WARN: "{at} {by} had {member} warned",
    Act.SLOW_MODE: "{at} {by} switched on slow mode, {amount} seconds",
    Act.OPEN_CASE: "{at} {by} opened a case",
    Act.AUTO_TIME_OUT: "{at} **I timed out {member} for {amount} minutes** (automatic action)",
    Act.WOULD_TIME_OUT: (
        "{at} I would have timed out {member} for {amount} minutes (dry run: nothing was done)"
    ),
}
OVER = "-# Alert #{number} is over 30 days old; its details are erased."
_SHORT_ID = re.compile(r"\bp\d+\b")


def alert_in_words(locale: discord.Locale, alert: Alert) -> str:
    """Return an alert's text, short enough for one message."""
    text = ""
    for links, actions in LINKS_AND_ACTIONS:
        text = _text(locale, alert, links, actions)
        if utf16_length(text) <= TEXT_LIMIT:
            break
    return text


def _text(locale: discord.Locale, alert: Alert, links: int, actions: int) -> str:
    lines = [tr(locale, TITLES[alert.signal], place=f"<#{alert.place_id}>", number=alert.alert_id)]
    if alert.state in STATES:
        lines[0] += f"\n{tr(locale, STATES[alert.state], by=_by(alert.decided_by))}"
    lines.append(
        tr(
            locale,
            LEVEL,
            level=alert.level,
            threshold=alert.threshold,
            since=_at(alert.opened_at),
            until=_at(alert.changed_at),
        )
    )
    lines += _messages(locale, alert, links) if alert.messages else [tr(locale, NO_MESSAGES)]
    done = [one for one in alert.actions if one.act in ACTS and one.is_done]
    lines += [f"➤ {_action(locale, one)}" for one in done[-actions:]]
    if alert.is_undecided:
        lines.append(tr(locale, CAUTION))
    return "\n".join(lines)


def over_in_words(locale: discord.Locale, alert: Alert) -> str:
    """Return what is left of an alert in the log channel when its time is over."""
    return tr(locale, OVER, number=alert.alert_id)


def reasons_of(alert: Alert) -> list[str]:
    """Return the reasons of the worst messages, each once, harmless to show."""
    found: dict[str, None] = {}
    for one in sorted(alert.messages, key=lambda one: -one.heat):
        # Who p2 was, nobody knows outside the batch.
        words = _SHORT_ID.sub("somebody", one.score.reason).strip(" .")
        if words:
            found[escape_markdown(defuse_mentions(clip(words, REASON_SHOWN, at_word=True)))] = None
    return list(found)[:MOST_REASONS]


def _messages(locale: discord.Locale, alert: Alert, links: int) -> list[str]:
    people = [f"<@{one}>" for one in alert.member_ids]
    named = ", ".join(people[:MOST_NAMED])
    if len(people) > MOST_NAMED:
        named += f" {tr(locale, MORE, count=len(people) - MOST_NAMED)}"
    lines = [tr(locale, PEOPLE, messages=len(alert.messages), people=named)]
    if reasons := reasons_of(alert):
        lines.append(tr(locale, REASONS, reasons="; ".join(reasons)))
    worst = sorted(alert.messages, key=lambda one: -one.heat)[:links]
    worst.sort(key=lambda one: one.message_id)
    lines += [f"- {_link(locale, alert, one)}" for one in worst]
    if len(alert.messages) > len(worst):
        lines.append(f"- {tr(locale, MORE, count=len(alert.messages) - len(worst))}")
    return lines


def _link(locale: discord.Locale, alert: Alert, one: AlertMessage) -> str:
    return tr(
        locale,
        MESSAGE,
        at=_at(one.said_at),
        link=message_link(alert.guild_id, one),
        member=f"<@{one.user_id}>",
        toxicity=one.score.toxicity,
        tension=one.score.tension,
    )


def message_link(guild_id: int, one: AlertMessage) -> str:
    """Return the link to a message."""
    return f"https://discord.com/channels/{guild_id}/{one.channel_id}/{one.message_id}"


def _action(locale: discord.Locale, one: Action) -> str:
    return tr(
        locale,
        ACTS[one.act],
        at=_at(one.at),
        by=_by(one.actor_id),
        member=f"<@{one.user_id}>",
        amount=one.amount,
    )


def _by(actor_id: int) -> str:
    return f"<@{actor_id}>"


def _at(at: datetime) -> str:
    """Return a time as Discord shows it, in everybody's own time zone."""
    return discord.utils.format_dt(at, "t")

"""Text of an alert: a calm summary in numbers, links to messages, and moderators' actions.

Messages are not quoted. Reasons are the model's few words about a score: untrusted text, which is
clipped and escaped here.
"""

import re
from datetime import datetime

import discord

from cogs.bot.localisation import tr
from utils.common.text import clip, defuse_mentions, escape_markdown, utf16_length
from utils.models.alert import ActionKind, Alert, AlertState
from utils.models.sentiment import AlertTrigger
from utils.models.transfer import message_link

MAX_REASONS = 3
LINKS_AND_ACTIONS = ((5, 8), (4, 5), (3, 4), (2, 3), (1, 2))  # the first pair that fits
TEXT_LIMIT = 1950  # leaves room for a ping before it
MAX_NAMED = 4
REASON_LIMIT = 90
TITLES = {
    AlertTrigger.CHANNEL_TENSION: "**Tension is high in {place}** · alert #{number}",
    AlertTrigger.MEMBER_TENSION: "**Tension is high around a member in {place}** · alert #{number}",
    AlertTrigger.TOXICITY: "**Hurtful messages in {place}** · alert #{number}",
}
MORE = "… and {count} more"
NO_MESSAGES = "Its messages were deleted or can no longer be shown."
OTHERS_WORDS = "nobody here (a forward, a card or a poll)"
STATES = {
    AlertState.CASE: "📂 **Open case**",
    AlertState.DISMISSED: "☑️ **Dismissed** by {by}",
    AlertState.FALSE_ALARM: "☑️ **False alarm**, marked by {by}",
    AlertState.CLOSED: "☑️ **Case closed** by {by}",
}
ACTIONS = {
    ActionKind.TIME_OUT: "{at} {by} timed out {member} for {amount} minutes",
    ActionKind.WARN: "{at} {by} warned {member}",
    ActionKind.SLOW_MODE: "{at} {by} turned on slow mode ({amount} seconds)",
    ActionKind.END_SLOW_MODE: "{at} I ended slow mode",
    ActionKind.OPEN_CASE: "{at} {by} opened a case",
    ActionKind.AUTO_TIME_OUT: (
        "{at} **I timed out {member} for {amount} minutes** (automatic action)"
    ),
    ActionKind.WOULD_TIME_OUT: (
        "{at} I would have timed out {member} for {amount} minutes (dry run: nothing was done)"
    ),
}
_SHORT_ID = re.compile(r"\bp\d+\b")


def alert_in_words(locale: discord.Locale, alert: Alert, *, shows_reasons: bool = True) -> str:
    """Return an alert's text, short enough for one message.

    ``shows_reasons`` is False where somebody reads it who cannot read the alert's channel.
    """
    text = ""
    for links, actions in LINKS_AND_ACTIONS:
        text = _text(locale, alert, links, actions, shows_reasons=shows_reasons)
        if utf16_length(text) <= TEXT_LIMIT:
            break
    return text


def _text(
    locale: discord.Locale, alert: Alert, links: int, actions: int, *, shows_reasons: bool
) -> str:
    lines = [tr(locale, TITLES[alert.trigger], place=f"<#{alert.place_id}>", number=alert.alert_id)]
    if alert.state in STATES:
        lines[0] += f"\n{tr(locale, STATES[alert.state], by=f'<@{alert.decided_by}>')}"
    since, until = alert.opened_at, alert.changed_at
    is_one_minute = since.replace(second=0, microsecond=0) == until.replace(second=0, microsecond=0)
    lines.append(
        tr(
            locale,
            "Reached **{level:.2f}** (alerts from {threshold:.2f}) at {since}."
            if is_one_minute
            else "Reached **{level:.2f}** (alerts from {threshold:.2f}), {since} to {until}.",
            level=alert.level,
            threshold=alert.threshold,
            since=_at(since),
            until=_at(until),
        )
    )
    if alert.messages:
        lines += _messages(locale, alert, links, shows_reasons=shows_reasons)
    else:
        lines.append(tr(locale, NO_MESSAGES))
    finished = [action for action in alert.actions if action.kind in ACTIONS and action.is_done]
    lines += [
        "➤ "
        + tr(
            locale,
            ACTIONS[action.kind],
            at=_at(action.at),
            by=f"<@{action.actor_id}>",
            member=f"<@{action.user_id}>",
            amount=action.amount,
        )
        for action in finished[-actions:]
    ]
    if alert.is_undecided:
        lines.append(
            tr(
                locale,
                "-# A language model gave these scores and can be wrong: read the messages first.",
            )
        )
    return "\n".join(lines)


def _messages(
    locale: discord.Locale, alert: Alert, links: int, *, shows_reasons: bool
) -> list[str]:
    mentions = [f"<@{user_id}>" for user_id in alert.member_ids]
    people = ", ".join(mentions[:MAX_NAMED]) or tr(locale, OTHERS_WORDS)
    if len(mentions) > MAX_NAMED:
        people += f" {tr(locale, MORE, count=len(mentions) - MAX_NAMED)}"
    lines = [
        tr(
            locale,
            "Heated messages: {messages}, by {people}.",
            messages=len(alert.messages),
            people=people,
        )
    ]
    reasons: dict[str, None] = {}
    hottest = sorted(alert.messages, key=lambda message: -message.score.heat)
    for message in hottest if shows_reasons else ():
        # The model's labels such as p2 mean nothing outside the batch.
        words = _SHORT_ID.sub(tr(locale, "somebody"), message.score.reason).strip(" .")
        if words:
            clipped = clip(words, REASON_LIMIT, at_word=True)
            reasons[escape_markdown(defuse_mentions(clipped))] = None
    if reasons:
        lines.append(tr(locale, "Reasons: {reasons}.", reasons="; ".join([*reasons][:MAX_REASONS])))
    worst = sorted(hottest[:links], key=lambda message: message.message_id)
    lines += [
        "- "
        + tr(
            locale,
            "{at} [message]({link}) by {member}: toxicity {toxicity:.2f}, tension {tension:.2f}",
            at=_at(message.said_at),
            link=message_link(alert.guild_id, message.channel_id, message.message_id),
            member=f"<@{message.user_id}>" if message.user_id else tr(locale, OTHERS_WORDS),
            toxicity=message.score.toxicity,
            tension=message.score.tension,
        )
        for message in worst
    ]
    if len(alert.messages) > len(worst):
        lines.append(f"- {tr(locale, MORE, count=len(alert.messages) - len(worst))}")
    return lines


def _at(at: datetime) -> str:
    """Return a timestamp that Discord shows in each reader's own time zone."""
    return discord.utils.format_dt(at, "t")

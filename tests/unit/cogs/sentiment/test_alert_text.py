"""What an alert says: short enough, harmless, and never the words of a message."""

from dataclasses import replace
from datetime import UTC, datetime

import discord

from cogs.sentiment.alert_text import TEXT_LIMIT, alert_in_words
from cogs.sentiment.tension_text import cases_in_words
from utils.common.text import utf16_length
from utils.models.alert import ActionKind, Alert, AlertAction, AlertState
from utils.models.sentiment import AlertTrigger, Score, StoredScore

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
BIG = 10**18
LOCALES = (discord.Locale.american_english, discord.Locale.german)


def alert(messages: int, actions: int, reason: str = "insults p2") -> Alert:
    said = tuple(
        StoredScore(BIG + n, BIG, BIG + n, NOW, Score(0, 0.9, 0.9, f"{reason} {n}"))
        for n in range(messages)
    )
    acted = tuple(AlertAction(ActionKind.TIME_OUT, BIG + n, BIG, NOW, 60) for n in range(actions))
    return Alert(
        *(BIG, 99_999, BIG, AlertState.CASE, AlertTrigger.MEMBER_TENSION, 0.9, 0.6, NOW, NOW),
        decided_by=BIG,
        messages=said,
        actions=acted,
    )


def test_the_longest_alert_fits_into_a_message():
    for locale in LOCALES:
        text = alert_in_words(locale, alert(100, 100, "_*`@everyone" * 16))
        assert utf16_length(text) <= TEXT_LIMIT
        assert "https://discord.com/channels/" in text


def test_reasons_cannot_ping_or_format_and_name_nobody_by_a_batchs_number():
    text = alert_in_words(LOCALES[0], alert(1, 0, "@everyone **p12** <@&5>"))
    assert "@everyone" not in text
    assert "<@&5>" not in text
    assert "p12" not in text
    assert "somebody" in text


def test_what_is_being_done_is_not_said_to_be_done():
    one = alert(1, 0)
    busy = AlertAction(ActionKind.WARN, BIG, BIG, NOW, is_done=False)
    assert "warned" not in alert_in_words(
        LOCALES[0], Alert(*(getattr(one, name) for name in one.__slots__[:-1]), (busy,))
    )


def test_the_newest_cases_are_listed_and_the_others_counted():
    cases = [replace(alert(0, 0), alert_id=number) for number in range(17)]  # the oldest first
    _, newest, *_, last, more = cases_in_words(LOCALES[0], cases).splitlines()
    assert (newest[:6], last[:5], more) == ("- #16 ", "- #2 ", "- … and 2 more")

"""What moderators read about the use of the language model."""

from datetime import date

import discord

from cogs.sentiment.reports import PURPOSE_WORDS, usage_in_words
from utils.database.admin.token_usage import DailyTokenUse
from utils.models.llm import Usage
from utils.runtime.metrics import PURPOSES


def test_each_purpose_is_named_in_words():
    assert set(PURPOSE_WORDS) == set(PURPOSES)
    for purpose in PURPOSES:
        use = DailyTokenUse(date(2026, 11, 23), purpose, 1, Usage(10, 5))
        english = usage_in_words(discord.Locale.american_english, [use], {})
        assert f"({PURPOSE_WORDS[purpose]} 15)" in english
        german = usage_in_words(discord.Locale.german, [use], {})
        assert f"({PURPOSE_WORDS[purpose]} 15)" not in german

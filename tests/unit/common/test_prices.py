"""Prices of models: how they are written, what tokens cost, and how money is shown."""

from datetime import date

import pytest

from utils.admin.costs import cost_of
from utils.common.config import Settings, load_settings
from utils.common.errors import SettingsError
from utils.database.admin.token_usage import DailyTokenUse
from utils.models.llm import Usage

TODAY = date(2026, 11, 22)


def use(purpose: str, *tokens: int, model: str = "") -> DailyTokenUse:
    return DailyTokenUse(TODAY, purpose, 1, Usage(*tokens), model)


@pytest.mark.parametrize("written", ["0.40", "a=b", "a=-1", "a=1/2/3", "a=1e9", "=1"])
def test_what_is_no_price_is_refused_with_an_example(monkeypatch, written):
    monkeypatch.setenv("MODEL_PRICES", written)
    with pytest.raises(SettingsError, match=r"MODEL_PRICES must be prices of a million tokens"):
        load_settings(None)


def test_tokens_cost_what_the_model_of_their_purpose_does(monkeypatch):
    monkeypatch.setenv("MODEL_PRICES", "small=1/2,large=10/20")
    monkeypatch.setenv("CHAT_MODEL", "large")
    monkeypatch.setenv("TRIAGE_MODEL", "small")
    settings = load_settings(None)
    spent = [use("chat", 100_000, 10_000), use("extraction", 1_000_000, 500_000)]
    assert cost_of(spent, settings) == pytest.approx(1.2 + 2)
    assert cost_of([use("refused", 0, 0)], settings) == 0
    assert cost_of([*spent, use("embedding", 5)], settings) is None  # it has no price


def test_every_purpose_that_is_counted_has_a_model():
    from utils.runtime.metrics import PURPOSES

    assert set(PURPOSES) == set(Settings.model_construct().models_by_purpose)

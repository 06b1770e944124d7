"""Prices of models: how they are written, what tokens cost, and how money is shown."""

from datetime import date

import pytest

from utils.admin.costs import ModelCost, cost_of, costs_by_model
from utils.common.config import Settings, load_settings
from utils.common.errors import SettingsError
from utils.common.prices import Price, money, parse_prices
from utils.database.admin.token_usage import DailyTokenUse
from utils.models.llm import Usage

TODAY = date(2026, 11, 22)


def use(purpose: str, *tokens: int, model: str = "") -> DailyTokenUse:
    return DailyTokenUse(TODAY, purpose, 1, Usage(*tokens), model)


def test_a_price_may_be_one_for_prompts_and_one_for_answers():
    written = "gpt-4.1-mini=0.40/1.60, BAAI/bge-m3 = 0.01,"
    assert parse_prices(written) == {
        "gpt-4.1-mini": Price(0.4, 1.6),
        "BAAI/bge-m3": Price(0.01),
    }


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


def test_each_model_costs_its_own_price_and_its_endpoint_may_have_one(monkeypatch):
    monkeypatch.setenv("MODEL_PRICES", "small=1/2,small@far=3")
    monkeypatch.setenv("CHAT_MODEL", "small")
    settings = load_settings(None)
    spent = [
        use("chat", 1_000_000, 0),
        use("chat", 0, 500_000, model="small"),
        use("verification", 1_000_000, 500_000, model="small@far"),
        use("chat", 5, 0, model="other@near"),
        use("refused", 0, 0),
    ]
    assert costs_by_model(spent, settings) == [
        ModelCost("small", 2, Usage(1_000_000, 500_000), 2.0),
        ModelCost("small@far", 1, Usage(1_000_000, 500_000), 3.0),
        ModelCost("other@near", 1, Usage(5, 0), None),
    ]
    assert cost_of(spent[:3], settings) == 5.0
    assert cost_of(spent, settings) is None, "a sum without a used model would be wrong"


def test_small_amounts_keep_digits_that_say_something():
    assert money(0.00421, "$") == "$0.0042"
    assert money(1234.5, "\u20ac") == "\u20ac1,234.50"
    assert money(0, "EUR") == "0.00 EUR"


def test_every_purpose_that_is_counted_has_a_model():
    from utils.runtime.metrics import PURPOSES

    assert set(PURPOSES) == set(Settings.model_construct().models_by_purpose)

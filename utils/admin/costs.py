"""What the language models cost, in money: counted tokens at the configured prices. Pure."""

from collections.abc import Iterable

from utils.common.config import Settings
from utils.database.admin.token_usage import DailyTokenUse


def cost_of(usage: Iterable[DailyTokenUse], settings: Settings) -> float | None:
    """Return what these tokens cost at today's prices; None if a used model has no price."""
    prices, models, total = settings.model_prices or {}, settings.models_by_purpose, 0.0
    for use in usage:
        if use.usage.total:
            price = prices.get(models.get(use.purpose) or "")
            if price is None:
                return None
            total += price.of(use.usage.prompt_tokens, use.usage.completion_tokens)
    return total

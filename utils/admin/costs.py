"""What the language models cost, in money: counted tokens at the configured prices. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from utils.common.config import Settings
from utils.database.admin.token_usage import DailyTokenUse
from utils.models.llm import Usage


@dataclass(frozen=True, slots=True)
class ModelCost:
    """The calls that a model answered, their tokens, and what they cost; None without a price."""

    model: str
    calls: int
    usage: Usage
    cost: float | None


def costs_by_model(usage: Iterable[DailyTokenUse], settings: Settings) -> list[ModelCost]:
    """Return what each model costs at today's prices, the most tokens first.

    Tokens whose model is not known count for the first model that is configured for their purpose.
    """
    prices, configured = settings.model_prices or {}, settings.models_by_purpose
    sums: dict[str, tuple[int, Usage]] = {}
    for use in usage:
        if use.usage.total:
            model = use.model or configured.get(use.purpose) or ""
            calls, spent = sums.get(model, (0, Usage()))
            sums[model] = calls + use.calls, spent + use.usage
    costs = []
    for model, (calls, spent) in sums.items():
        # A price is of ``name@endpoint``, or else of the name.
        price = prices.get(model) or prices.get(model.rpartition("@")[0])
        cost = None if price is None else price.of(spent.prompt_tokens, spent.completion_tokens)
        costs.append(ModelCost(model, calls, spent, cost))
    return sorted(costs, key=lambda cost: -cost.usage.total)


def cost_of(usage: Iterable[DailyTokenUse], settings: Settings) -> float | None:
    """Return what these tokens cost at today's prices; None if a used model has no price."""
    total = 0.0
    for model in costs_by_model(usage, settings):
        if model.cost is None:
            return None
        total += model.cost
    return total

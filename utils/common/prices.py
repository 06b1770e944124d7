"""What the models' tokens cost: prices are written as ``model=input/output`` per million. Pure."""

import re
from dataclasses import dataclass

MILLION = 1_000_000
_PRICE = re.compile(r"(\S+?)\s*=\s*(\d{1,6}(?:\.\d{1,6})?)(?:\s*/\s*(\d{1,6}(?:\.\d{1,6})?))?")


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens of a model's prompts and answers."""

    prompt: float
    answer: float = 0.0

    def of(self, prompt_tokens: int, answer_tokens: int) -> float:
        """Return the price of these tokens."""
        return (prompt_tokens * self.prompt + answer_tokens * self.answer) / MILLION


def parse_prices(text: str) -> dict[str, Price]:
    """Return the prices in a list such as ``gpt-4.1-mini=0.40/1.60, bge-m3=0.01``.

    Raises ValueError for anything else.
    """
    prices: dict[str, Price] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        match = _PRICE.fullmatch(part)
        if match is None:
            raise ValueError("must be prices of a million tokens, such as gpt-4.1-mini=0.40/1.60")
        if match[1] in prices:
            raise ValueError(f'lists "{match[1]}" twice')
        prices[match[1]] = Price(float(match[2]), float(match[3] or 0))
    return prices


def money(amount: float, currency: str) -> str:
    """Return an amount with its currency; small amounts with more digits: $12.30, $0.0042."""
    digits = 2 if amount >= 0.1 or amount == 0 else 4
    number = f"{amount:,.{digits}f}"
    return f"{currency}{number}" if len(currency) == 1 else f"{number} {currency}"

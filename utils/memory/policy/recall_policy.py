"""The recall policy: every weight, threshold and budget that recall uses, with its limits."""

from dataclasses import dataclass, field, fields
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from utils.models.memory import Kind

NOT_A_NUMBER = "not_a_number"  # the type of the validation error


def _check_number(number: object) -> object:
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise PydanticCustomError(NOT_A_NUMBER, "must be a number")
    return number


_Number = BeforeValidator(_check_number)
Weight = Annotated[float, Field(ge=-10.0, le=10.0), _Number]
Share = Annotated[float, Field(ge=0.0, le=1.0), _Number]
UpTo20 = Annotated[int, Field(ge=0, le=20), _Number]
UpTo30 = Annotated[int, Field(ge=0, le=30), _Number]


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """The weight of each ranking term; the best document has 1 of each term (see ranking.py).

    ``question`` applies to documents that are questions, ``time_word`` where a time is asked for.
    """

    text: Weight = 0.0
    sentence: Weight = 0.0
    coverage: Weight = 0.0
    conversation_best: Weight = 0.0
    conversation_mean: Weight = 0.0
    neighbours: Weight = 0.0
    date: Weight = 5.0
    time_word: Weight = 0.0
    channel: Weight = 0.3
    similarity: Weight = 3.0
    question: Weight = 0.0
    linked: Weight = 0.0
    continuity: Weight = 0.0


ASKING = RankingWeights(
    text=1.0,
    coverage=3.0,
    conversation_best=1.0,
    neighbours=1.5,
    time_word=2.0,
    question=-0.8,
    linked=1.5,
)
TELLING = RankingWeights(
    text=1.0,
    sentence=0.8,
    conversation_best=1.0,
    conversation_mean=2.0,
    date=1.0,
    continuity=2.0,
)
MAX_PER_KIND = {
    Kind.FACT: 12,
    Kind.PREFERENCE: 12,
    Kind.CONSTRAINT: 5,
    Kind.PATTERN: 3,
    Kind.TASK: 5,
    Kind.EPISODE: 12,
    Kind.LORE: 2,
    Kind.SERVER_FACT: 2,
}


def statement_share(telling: float) -> float:
    """Return how far a message counts as a statement, 0 to 1; it need not be one as a whole.

    Args:
        telling: the share of its sentences that are not questions, 0 to 1.
    """
    return min(1.0, 2.0 * telling)


@dataclass(frozen=True, slots=True)
class RecallPolicy:
    """How recall ranks, and how much it writes into the prompt.

    docs/internals/recall.md explains the weights, which cross-validation chose. ``asking`` applies
    to questions, ``telling`` to messages with questions in at most half of their sentences. The
    field names are those of the stored JSON. Ranking reads the fields of a plain dataclass;
    pydantic only checks values that people or files give (recall_policy_fields.py).
    """

    asking: RankingWeights = ASKING
    telling: RankingWeights = TELLING
    continuity_decay: Annotated[float, Field(ge=0.01, le=1.0), _Number] = 0.85
    bm25_k1: Annotated[float, Field(ge=0.0, le=10.0), _Number] = 1.2
    bm25_b: Share = 0.6
    category_share: Share = 0.4
    previous_share: Share = 0.5
    block_tokens: Annotated[int, Field(ge=100, le=2000), _Number] = 400
    said_share: Share = 0.35
    excerpt_characters: Annotated[int, Field(ge=40, le=2000), _Number] = 240
    same_words: Annotated[float, Field(ge=0.1, le=1.0), _Number] = 0.8
    most_items: Annotated[int, Field(ge=1, le=100), _Number] = 30
    most_recent: Annotated[int, Field(ge=0, le=50), _Number] = 4
    most_lore: UpTo20 = 2
    most_open: UpTo20 = 3
    talk_share: Share = 0.4
    now_tokens: Annotated[int, Field(ge=0, le=1000), _Number] = 200
    most_of_kind: dict[Kind, UpTo30] = field(default_factory=lambda: dict(MAX_PER_KIND))

    def weights(self, telling: float) -> RankingWeights:
        """Return the weights for a message.

        Args:
            telling: the share of the message's sentences that are not questions, 0 to 1.
        """
        share = statement_share(telling)
        if share in (0.0, 1.0):
            return self.telling if share else self.asking
        mixed = {
            term.name: (1.0 - share) * getattr(self.asking, term.name)
            + share * getattr(self.telling, term.name)
            for term in fields(RankingWeights)
        }
        return RankingWeights(**mixed)

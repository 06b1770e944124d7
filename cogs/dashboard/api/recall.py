"""What would be recalled, and why."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import Field

from cogs.dashboard import asking
from cogs.dashboard.api.calls import Call, GivenId, Id, InHouse, Shape
from utils.model.browsing import TEXT_LIMIT
from utils.model.memory import Kind, Status
from utils.model.recall import Cut

router = APIRouter(route_class=Call, tags=["recall"])


class Question(Shape):
    """A text as a member would write it in a channel."""

    guild_id: GivenId
    channel_id: GivenId
    user_id: GivenId
    text: str = Field(min_length=1, max_length=TEXT_LIMIT, examples=["what is my dog called?"])


class Considered(Shape):
    """A memory or (``message_id``) a message that was considered.

    ``terms`` add up to ``score``; ``layer`` is the line of the block that tells it, else ``cut``
    says why none does.
    """

    memory_id: Id | None
    message_id: Id | None
    channel_id: Id
    text: str
    kind: Kind | None
    status: Status | None
    said_at: datetime
    score: float
    terms: dict[str, float]
    layer: str
    cut: Cut | None


class Explained(Shape):
    """What would be recalled: the block for the prompt, and all that was considered for it."""

    considered: list[Considered]
    left_off: int = Field(description="How much more was considered than is listed.")
    block: str
    now: str = Field(description="What the conversation was about so far, before the block.")
    tokens: int = Field(description="Of both, estimated.")
    budget_tokens: int
    is_off: bool = Field(
        description="The server's policy recalls nothing of members; this is what would be."
    )
    silent_ids: list[Id] = Field(
        description="Members of whom nothing is recalled, for their consent is off."
    )
    load_ms: float
    rank_ms: float


@router.post("/recall", summary="What would be recalled, and why")
async def recall(house: InHouse, question: Question) -> Explained:
    """Return what an answer would be given to go by. Nothing is counted as used. Everybody of whom
    something is told or considered sees in their audit that the operator looked."""
    guild_id, user_id = question.guild_id, question.user_id
    name = house.discord.name_of(guild_id, user_id) or ""
    found = await asking.explained(
        house, guild_id, question.channel_id, user_id, question.text, name
    )
    return Explained.model_validate(found)

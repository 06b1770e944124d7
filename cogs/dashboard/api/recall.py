"""The API route that explains recall."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import Field

from cogs.dashboard.api.calls import ApiModel, Id, IdParameter
from cogs.dashboard.web import recall_questions
from cogs.dashboard.web.context import InContext
from utils.models.admin import TEXT_LIMIT
from utils.models.memory import Kind, Status
from utils.models.recall import Omission

router = APIRouter(tags=["recall"])


class ExplainRecallRequest(ApiModel):
    """A message that a member could write in a channel."""

    guild_id: IdParameter
    channel_id: IdParameter
    user_id: IdParameter
    text: str = Field(min_length=1, max_length=TEXT_LIMIT, examples=["what is my dog called?"])


class RecallCandidateResponse(ApiModel):
    """A memory or (``message_id``) a message that recall considered.

    ``terms`` add up to ``score``. ``layer`` is its line of the prompt block; ``cut`` says why it is
    in none.
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
    cut: Omission | None


class RecallExplanationResponse(ApiModel):
    """What would be recalled: the prompt block and all candidates."""

    considered: list[RecallCandidateResponse]
    left_off: int = Field(description="How many candidates are not listed.")
    block: str
    now: str = Field(
        description="What the conversation was about so far; it stands before the block."
    )
    tokens: int = Field(description="Estimated tokens of both.")
    budget_tokens: int
    is_off: bool = Field(
        description="The server's policy recalls nothing; this shows what it would recall."
    )
    silent_ids: list[Id] = Field(
        description="Members whose consent is off, so nothing is recalled."
    )
    load_ms: float
    rank_ms: float


@router.post("/recall", summary="What would be recalled, and why")
async def recall(context: InContext, question: ExplainRecallRequest) -> RecallExplanationResponse:
    """Return what an answer would recall; it does not count as a use. Every member whose memories
    are shown sees in their audit that the operator looked."""
    guild_id, user_id = question.guild_id, question.user_id
    name = context.discord.name_of(guild_id, user_id) or ""
    explanation = await recall_questions.explain_recall(
        context, guild_id, question.channel_id, user_id, question.text, name
    )
    return RecallExplanationResponse.model_validate(explanation)

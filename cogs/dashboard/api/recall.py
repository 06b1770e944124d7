"""The API route that explains recall."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from cogs.dashboard.api.calls import ApiModel, Id, IdParameter, response_of
from cogs.dashboard.web import recall_questions
from cogs.dashboard.web.context import InContext
from utils.models.admin import TEXT_LIMIT, RecallCandidate, RecallExplanation

router = APIRouter(tags=["recall"])


class ExplainRecallRequest(ApiModel):
    """A message that a member could write in a channel."""

    guild_id: IdParameter
    channel_id: IdParameter
    user_id: IdParameter
    text: str = Field(min_length=1, max_length=TEXT_LIMIT, examples=["what is my dog called?"])


RecallExplanationResponse = response_of(
    "RecallExplanationResponse",
    RecallExplanation,
    "What would be recalled: the prompt block and all candidates.",
    considered=list[  # type: ignore[misc]
        response_of(
            "RecallCandidateResponse",
            RecallCandidate,
            """A memory or (``message_id``) a message that recall considered.

``terms`` add up to ``score``. ``layer`` is its line of the prompt block; ``cut`` says why it is
in none.""",
        )
    ],
    left_off=Field(description="How many candidates are not listed."),
    now=Field(description="What the conversation was about so far; it stands before the block."),
    tokens=Field(description="Estimated tokens of both."),
    is_off=Field(
        description="The server's policy recalls nothing; this shows what it would recall."
    ),
    silent_ids=Annotated[
        list[Id], Field(description="Members whose consent is off, so nothing is recalled.")
    ],
    about_ids=None,
)


@router.post(
    "/recall",
    summary="What would be recalled, and why",
    response_model=RecallExplanationResponse,
)
async def recall(context: InContext, question: ExplainRecallRequest) -> RecallExplanation:
    """Return what an answer would recall; it does not count as a use. Every member whose memories
    are shown sees in their audit that the operator looked."""
    guild_id, user_id = question.guild_id, question.user_id
    name = context.discord.name_of(guild_id, user_id) or ""
    return await recall_questions.explain_recall(
        context, guild_id, question.channel_id, user_id, question.text, name
    )

"""API routes for memories: list, read, change, forget."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BeforeValidator, Field

from cogs.dashboard.api.calls import (
    CONFLICT,
    NOT_FOUND,
    ActorId,
    ApiModel,
    Cursor,
    Id,
    IdParameter,
    Limit,
    Time,
)
from cogs.dashboard.web.context import InContext
from utils.common.errors import NotFound
from utils.memory.member_data.search import MAX_SEARCH_LENGTH
from utils.models.admin import MemoryEdit, MemoryFilter
from utils.models.memory import (
    MEMORY_LIMIT,
    Evidence,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Method,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.policy import REASON_LIMIT

ImportanceName = Literal["low", "medium", "high"]
NO_MEMORY = "There is no memory #{id}."

router = APIRouter(tags=["memories"])


class MemoryResponse(ApiModel):
    """One memory; a forgotten one has no text. Guild 0 is direct messages."""

    id: Id
    uid: str = Field(description="Stays the same in every copy of this memory.")
    guild_id: Id
    user_id: Id = Field(description="The member; 0 is the server itself.")
    channel_id: Id = Field(
        description="Where it was said; only readers of this channel may see it."
    )
    text: str = Field(examples=["has a dog named Rex"])
    form: Form = Field(description="A verified note, or the member's own sentence.")
    topics: list[str] = Field(examples=[["pets", "dogs"]])
    kind: Kind
    status: Status
    source: Source
    importance: Annotated[ImportanceName, BeforeValidator(lambda grade: grade.name.lower())]
    confidence: float = Field(description="Confidence when it was last confirmed, from 0 to 1.")
    fact_key: str = Field(description="The attribute it is about, if known.")
    evidence_count: int
    created_at: datetime
    last_confirmed_at: datetime = Field(description="When it was last confirmed.")
    expires_at: datetime | None = Field(description="When it expires; null: never.")
    last_used_at: datetime | None
    use_count: int
    superseded_by: Id | None = Field(description="The memory that superseded it.")


class MemoryPageResponse(ApiModel):
    """A page of memories, newest first; it may be empty and yet have a cursor."""

    items: Annotated[list[MemoryResponse], Field(validation_alias="rows")]
    cursor: Id | None


class EvidenceResponse(ApiModel):
    """One message or command that is evidence of a memory."""

    message_id: Id
    channel_id: Id
    quote: str = Field(description="The quoted words; empty if erased.")
    method: Method
    model: str
    prompt_hash: str
    verified_by: VerifiedBy = Field(description="Who found that the note follows from the quote.")
    verifier_model: str
    said_at: datetime
    link: str | None = Field(description="The message on Discord; null for a command.")

    @classmethod
    def of(cls, evidence: Evidence, link: str | None) -> "EvidenceResponse":
        """Return the response for a piece of evidence."""
        names = cls.model_fields.keys() - {"link"}
        return cls(**{name: getattr(evidence, name) for name in names}, link=link)


class AuditEntryResponse(ApiModel):
    """One audit entry; its text is erased together with the memory."""

    id: Id
    guild_id: Id
    user_id: Id
    memory_id: Id | None
    at: datetime
    actor_id: ActorId
    action: str = Field(examples=["learnt"])
    before: str | None
    after: str | None


class MemoryDetailResponse(ApiModel):
    """A memory with its evidence, audit, the memories it superseded, and its successor."""

    item: MemoryResponse
    evidence: list[EvidenceResponse]
    audit: list[AuditEntryResponse]
    past: list[MemoryResponse]
    successor: MemoryResponse | None


class MemoryEditRequest(ApiModel):
    """The fields to change; ``expires_at`` null makes the memory permanent.

    A new text makes a new memory, which supersedes the old one and is returned.
    """

    text: str | None = Field(default=None, max_length=MEMORY_LIMIT, examples=["has a cat"])
    status: Literal["active", "proposed", "shadow"] | None = None
    importance: ImportanceName | None = None
    expires_at: Time | None = None
    reason: str = Field(default="", max_length=REASON_LIMIT, examples=["asked for by mail"])


MemoryId = Annotated[IdParameter, Path(description="A memory's id.")]


@router.get("/items", summary="List memories")
async def list_items(
    context: InContext,
    guild_id: Annotated[IdParameter | None, Query(description="0 is direct messages.")] = None,
    user_id: Annotated[IdParameter | None, Query(description="0 is a server's own (lore).")] = None,
    kind: Kind | None = None,
    status: Status | None = None,
    source: Source | None = None,
    form: Form | None = None,
    topic: Annotated[str, Query(max_length=200, description="A whole topic.")] = "",
    text: Annotated[
        str,
        Query(max_length=MAX_SEARCH_LENGTH, description="Words of its text, in any inflection."),
    ] = "",
    expiring_before: Time | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> MemoryPageResponse:
    """Return matching memories, newest first. Their members see in their audit that the operator
    looked."""
    filters = MemoryFilter(
        guild_id, user_id, kind, status, source, form, topic, text, expiring_before
    )
    page = await context.app.admin.browser.items(filters, cursor, limit)
    await context.app.admin.browser.record_view(*owners(page.rows))
    return MemoryPageResponse.model_validate(page)


@router.get("/items/{memory_id}", summary="Look at one memory", responses=NOT_FOUND)
async def get_item(context: InContext, memory_id: MemoryId) -> MemoryDetailResponse:
    """Return a memory with its evidence and history."""
    detail = await context.app.admin.browser.item(memory_id)
    if detail is None:
        raise NotFound(NO_MEMORY, id=memory_id)
    await context.app.admin.browser.record_view(*owners([detail.item]))
    successor = detail.successor
    return MemoryDetailResponse(
        item=MemoryResponse.model_validate(detail.item),
        evidence=[EvidenceResponse.of(entry.evidence, entry.link) for entry in detail.evidence],
        audit=[AuditEntryResponse.model_validate(entry) for entry in detail.audit],
        past=[MemoryResponse.model_validate(memory) for memory in detail.past],
        successor=MemoryResponse.model_validate(successor) if successor else None,
    )


@router.patch("/items/{memory_id}", summary="Change a memory", responses=NOT_FOUND | CONFLICT)
async def change_item(
    context: InContext, memory_id: MemoryId, change: MemoryEditRequest
) -> MemoryResponse:
    """Change a memory's text, status, importance or expiry; the next recall uses it.

    The expiry is bounded by the member's consent, the kind and the server's policy. The member sees
    in their audit that the operator looked, even if nothing changed.
    """
    changed = await context.app.admin.browser.change(
        memory_id,
        MemoryEdit(
            text=change.text,
            status=None if change.status is None else Status(change.status),
            importance=None if change.importance is None else Importance[change.importance.upper()],
            expires_at=change.expires_at,
            is_permanent="expires_at" in change.model_fields_set and change.expires_at is None,
        ),
        change.reason,
    )
    await context.app.admin.browser.record_view(*owners([changed]))
    return MemoryResponse.model_validate(changed)


@router.delete(
    "/items/{memory_id}",
    summary="Forget a memory",
    status_code=204,
    responses=NOT_FOUND,
    response_class=Response,
)
async def forget_item(context: InContext, memory_id: MemoryId) -> None:
    """Erase a memory and its messages permanently; it is not extracted from them again."""
    if not await context.app.admin.browser.forget(memory_id):
        raise NotFound(NO_MEMORY, id=memory_id)


def owners(memories: Collection[Memory]) -> set[Member]:
    """Return the members of these memories."""
    return {Member(memory.guild_id, memory.user_id) for memory in memories}

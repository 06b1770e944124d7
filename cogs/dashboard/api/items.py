"""API routes for memories: list, read, change, forget."""

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
    page_of,
    response_of,
)
from cogs.dashboard.web.context import InContext
from utils.common.errors import NotFound
from utils.memory.member_data.search import MAX_SEARCH_LENGTH
from utils.models.admin import (
    LinkedEvidence,
    MemoryEdit,
    MemoryFilter,
    Page,
)
from utils.models.memory import (
    MEMORY_LIMIT,
    Form,
    Importance,
    Kind,
    Memory,
    Source,
    Status,
)
from utils.models.policy import REASON_LIMIT
from utils.models.transfer import AuditEntry, MemoryDetail

ImportanceName = Literal["low", "medium", "high"]
NO_MEMORY = "There is no memory #{id}."

router = APIRouter(tags=["memories"])


MemoryResponse = response_of(
    "MemoryResponse",
    Memory,
    "One memory; a forgotten one has no text. Guild 0 is direct messages.",
    uid=Field(description="Stays the same in every copy of this memory."),
    user_id=Annotated[Id, Field(description="The member; 0 is the server itself.")],
    channel_id=Annotated[
        Id, Field(description="Where it was said; only readers of this channel may see it.")
    ],
    text=Field(examples=["has a dog named Rex"]),
    form=Field(description="A verified note, or the member's own sentence."),
    topics=Field(examples=[["pets", "dogs"]]),
    importance=Annotated[ImportanceName, BeforeValidator(lambda grade: grade.name.lower())],
    confidence=Field(description="Confidence when it was last confirmed, from 0 to 1."),
    fact_key=Field(description="The attribute it is about, if known."),
    last_confirmed_at=Field(description="When it was last confirmed."),
    expires_at=Field(description="When it expires; null: never."),
    superseded_by=Annotated[Id | None, Field(description="The memory that superseded it.")],
    stems=None,
)
MemoryPageResponse = page_of(
    "MemoryPageResponse",
    "items",
    MemoryResponse,
    "A page of memories, newest first; it may be empty and yet have a cursor.",
)
EvidenceResponse = response_of(
    "EvidenceResponse",
    LinkedEvidence,
    "One message or command that is evidence of a memory.",
    quote=Field(description="The quoted words; empty if erased."),
    verified_by=Field(description="Who found that the note follows from the quote."),
    link=Field(description="The message on Discord; null for a command."),
    verifier_hash=None,
    context=None,
)
AuditEntryResponse = response_of(
    "AuditEntryResponse",
    AuditEntry,
    "One audit entry; its text is erased together with the memory.",
    actor_id=ActorId,
    action=Field(examples=["learnt"]),
)
MemoryDetailResponse = response_of(
    "MemoryDetailResponse",
    MemoryDetail,
    "A memory with its evidence, audit, the memories it superseded, and its successor.",
    item=MemoryResponse,
    evidence=list[EvidenceResponse],  # type: ignore[valid-type]
    audit=list[AuditEntryResponse],  # type: ignore[valid-type]
    past=list[MemoryResponse],  # type: ignore[valid-type]
    successor=MemoryResponse | None,
)


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


@router.get("/items", summary="List memories", response_model=MemoryPageResponse)
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
) -> Page[Memory]:
    """Return matching memories, newest first. Their members see in their audit that the operator
    looked."""
    filters = MemoryFilter(
        guild_id, user_id, kind, status, source, form, topic, text, expiring_before
    )
    page = await context.app.admin.browser.items(filters, cursor, limit)
    await context.app.admin.browser.record_view(*{row.member for row in page.rows})
    return page


@router.get(
    "/items/{memory_id}",
    summary="Look at one memory",
    response_model=MemoryDetailResponse,
    responses=NOT_FOUND,
)
async def get_item(context: InContext, memory_id: MemoryId) -> MemoryDetail:
    """Return a memory with its evidence and history."""
    detail = await context.app.admin.browser.item(memory_id)
    if detail is None:
        raise NotFound(NO_MEMORY, id=memory_id)
    await context.app.admin.browser.record_view(detail.item.member)
    return detail


@router.patch(
    "/items/{memory_id}",
    summary="Change a memory",
    response_model=MemoryResponse,
    responses=NOT_FOUND | CONFLICT,
)
async def change_item(context: InContext, memory_id: MemoryId, change: MemoryEditRequest) -> Memory:
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
    await context.app.admin.browser.record_view(changed.member)
    return changed


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

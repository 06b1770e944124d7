"""API routes for messages and the audit."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import Cursor, Id, IdParameter, Limit, page_of, response_of
from cogs.dashboard.api.items import AuditEntryResponse
from cogs.dashboard.web.context import InContext
from utils.models.admin import EventRow, Page
from utils.models.memory import Member, Role
from utils.models.transfer import AuditEntry

router = APIRouter(tags=["records"])
GuildId = Annotated[IdParameter, Query(description="A server; 0 is direct messages.")]


MessagePageResponse = page_of(
    "MessagePageResponse",
    "events",
    response_of(
        "MessageResponse",
        EventRow,
        "The last revision of a message; an erased one has no text.",
        source_id=Annotated[
            Id, Field(description="The channel whose readers may see it: a public thread's parent.")
        ],
        revision=Field(description="When it was edited, in milliseconds since 1970; 0 if never."),
        **dict.fromkeys(("stems", "about_ids", "attachments", "attachment_texts", "provenance")),
    ),
    "A page of messages, newest first.",
)
AuditPageResponse = page_of(
    "AuditPageResponse", "audit", AuditEntryResponse, "A page of the audit, newest first."
)


@router.get("/events", summary="List messages", response_model=MessagePageResponse)
async def list_events(
    context: InContext,
    guild_id: GuildId,
    channel_id: IdParameter | None = None,
    user_id: IdParameter | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[EventRow]:
    """Return a server's stored messages, newest first. Their authors, and members that Kith's
    answers may be about, see in their audit that the operator looked."""
    page = await context.app.admin.browser.events(guild_id, channel_id, user_id, cursor, limit)
    viewed = {message.author_id for message in page.rows if message.role is Role.MEMBER}
    viewed |= {user_id for message in page.rows for user_id in message.about_ids}
    await context.app.admin.browser.record_view(*(Member(guild_id, user_id) for user_id in viewed))
    return page


@router.get("/audit", summary="List audit entries", response_model=AuditPageResponse)
async def list_audit(
    context: InContext,
    guild_id: IdParameter | None = None,
    user_id: IdParameter | None = None,
    action: Annotated[str, Query(max_length=20, examples=["changed"])] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[AuditEntry]:
    """Return audit entries, newest first."""
    page = await context.app.admin.browser.audit(guild_id, user_id, action, cursor, limit)
    with_text = [entry for entry in page.rows if entry.before or entry.after]
    viewed = {Member(entry.guild_id, entry.user_id) for entry in with_text}
    await context.app.admin.browser.record_view(*viewed)
    return page

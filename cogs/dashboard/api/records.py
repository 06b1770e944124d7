"""API routes for messages and the audit."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import ApiModel, Cursor, Id, IdParameter, Limit
from cogs.dashboard.api.items import AuditEntryResponse
from cogs.dashboard.web.context import InContext
from utils.models.memory import EventState, Member, Role

router = APIRouter(tags=["records"])
GuildId = Annotated[IdParameter, Query(description="A server; 0 is direct messages.")]


class MessageResponse(ApiModel):
    """The last revision of a message; an erased one has no text."""

    id: Id
    guild_id: Id
    channel_id: Id
    source_id: Id = Field(
        description="The channel whose readers may see it: a public thread's parent."
    )
    message_id: Id
    revision: int = Field(description="When it was edited, in milliseconds since 1970; 0 if never.")
    reply_to_id: Id | None
    author_id: Id
    author_name: str
    role: Role
    text: str
    state: EventState
    attempts: int
    created_at: datetime
    expires_at: datetime


class MessagePageResponse(ApiModel):
    """A page of messages, newest first."""

    events: Annotated[list[MessageResponse], Field(validation_alias="rows")]
    cursor: Id | None


class AuditPageResponse(ApiModel):
    """A page of the audit, newest first."""

    audit: Annotated[list[AuditEntryResponse], Field(validation_alias="rows")]
    cursor: Id | None


@router.get("/events", summary="List messages")
async def list_events(
    context: InContext,
    guild_id: GuildId,
    channel_id: IdParameter | None = None,
    user_id: IdParameter | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> MessagePageResponse:
    """Return a server's stored messages, newest first. Their authors, and members that Kith's
    answers may be about, see in their audit that the operator looked."""
    page = await context.app.admin.browser.events(guild_id, channel_id, user_id, cursor, limit)
    viewed = {message.author_id for message in page.rows if message.role is Role.MEMBER}
    viewed |= {user_id for message in page.rows for user_id in message.about_ids}
    await context.app.admin.browser.record_view(*(Member(guild_id, user_id) for user_id in viewed))
    return MessagePageResponse.model_validate(page)


@router.get("/audit", summary="List audit entries")
async def list_audit(
    context: InContext,
    guild_id: IdParameter | None = None,
    user_id: IdParameter | None = None,
    action: Annotated[str, Query(max_length=20, examples=["changed"])] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> AuditPageResponse:
    """Return audit entries, newest first."""
    page = await context.app.admin.browser.audit(guild_id, user_id, action, cursor, limit)
    with_text = [entry for entry in page.rows if entry.before or entry.after]
    viewed = {Member(entry.guild_id, entry.user_id) for entry in with_text}
    await context.app.admin.browser.record_view(*viewed)
    return AuditPageResponse.model_validate(page)

"""What was said, who is known, and what was done: messages, members, and the audit."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import Call, Cursor, GivenId, Id, InHouse, Limit, Shape
from cogs.dashboard.api.items import AuditLine
from utils.model.memory import Consent, EventState, Member, Role

router = APIRouter(route_class=Call, tags=["records"])
GuildId = Annotated[GivenId, Query(description="A server; 0 is direct messages.")]


class EventLine(Shape):
    """One message as it was last edited; erased ones have no text."""

    id: Id
    guild_id: Id
    channel_id: Id
    source_id: Id = Field(description="Whose readers may hear of it: a public thread's parent.")
    message_id: Id
    revision: int = Field(description="When it was edited, in milliseconds since 1970; 0: never.")
    reply_to_id: Id | None
    author_id: Id
    author_name: str
    role: Role
    text: str
    state: EventState
    attempts: int
    created_at: datetime
    expires_at: datetime


class Events(Shape):
    """A page of messages, newest first."""

    events: list[EventLine]
    cursor: Id | None


class MemberRow(Shape):
    """Somebody Kith knows in a server; consent null: the server's default holds for them."""

    guild_id: Id
    user_id: Id
    name: str = Field(description="What they are called, or last were; empty where unknown.")
    consent: Consent | None
    rows: int = Field(description="How much is remembered of them now.")
    last_seen_at: datetime | None
    left_at: datetime | None
    is_ignored: bool = Field(description="Moderators had them ignored.")


class Members(Shape):
    """A page of members, the newest accounts first."""

    members: list[MemberRow]
    cursor: Id | None


class Audit(Shape):
    """A page of the audit, newest first."""

    audit: list[AuditLine]
    cursor: Id | None


@router.get("/events", summary="List messages")
async def list_events(
    house: InHouse,
    guild_id: GuildId,
    channel_id: GivenId | None = None,
    user_id: GivenId | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Events:
    """Return a server's messages as they are kept, newest first. Who wrote them, and whom Kith's
    answers may tell of, see in their audit that the operator looked."""
    page = await house.core.browser.events(guild_id, channel_id, user_id, cursor, limit)
    seen = {one.author_id for one in page.rows if one.role is Role.MEMBER}
    seen |= {user_id for one in page.rows for user_id in one.about_ids}
    await house.core.browser.note_view(*(Member(guild_id, user_id) for user_id in seen))
    return Events(events=[EventLine.model_validate(one) for one in page.rows], cursor=page.cursor)


@router.get("/members", summary="List members")
async def list_members(
    house: InHouse,
    guild_id: GuildId,
    text: Annotated[str, Query(max_length=100, description="A part of their name, or id.")] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Members:
    """Return whom Kith knows in a server."""
    page = await house.core.browser.members(guild_id, cursor, limit, text)
    return Members(members=[MemberRow.model_validate(one) for one in page.rows], cursor=page.cursor)


@router.get("/audit", summary="List what was done")
async def list_audit(
    house: InHouse,
    guild_id: GivenId | None = None,
    user_id: GivenId | None = None,
    action: Annotated[str, Query(max_length=20, examples=["changed"])] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Audit:
    """Return what was done to memories, and who looked at them, newest first."""
    page = await house.core.browser.audit(guild_id, user_id, action, cursor, limit)
    told = {Member(one.guild_id, one.user_id) for one in page.rows if one.before or one.after}
    await house.core.browser.note_view(*told)
    return Audit(audit=[AuditLine.model_validate(one) for one in page.rows], cursor=page.cursor)

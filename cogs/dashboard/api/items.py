"""Memories: listing, looking at one, changing and forgetting it."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from cogs.dashboard.api.calls import (
    CONFLICT,
    NOT_FOUND,
    ActorId,
    Call,
    Cursor,
    GivenId,
    Id,
    InHouse,
    Limit,
    Shape,
    Time,
)
from utils.errors import NotFound
from utils.memory.search import LONGEST_SEARCH
from utils.model import browsing
from utils.model.browsing import ItemChange, ItemFilter
from utils.model.memory import Evidence, Importance, Kind, Member, Method, Source, Status
from utils.model.policy import REASON_LIMIT

ImportanceName = Literal["low", "medium", "high"]
NO_SUCH = "There is no memory #{id}."

router = APIRouter(route_class=Call, tags=["memories"])


class Item(Shape):
    """One memory; a forgotten one has no text, and guild 0 stands for direct messages."""

    id: Id
    uid: str = Field(description="The same in every copy of this memory, for good.")
    guild_id: Id
    user_id: Id = Field(description="Whose it is; 0 is the server itself.")
    channel_id: Id = Field(description="Where it was said; only its readers hear of it.")
    text: str = Field(examples=["has a dog named Rex"])
    topics: list[str] = Field(examples=[["pets", "dogs"]])
    kind: Kind
    status: Status
    source: Source
    importance: ImportanceName
    confidence: float = Field(description="How sure it was when it was last said, from 0 to 1.")
    fact_key: str = Field(description="What it is about, where that has a name.")
    evidence_count: int
    created_at: datetime
    last_confirmed_at: datetime = Field(description="When it was last said.")
    expires_at: datetime | None = Field(description="When it ends; null: never.")
    last_used_at: datetime | None
    use_count: int
    superseded_by: Id | None = Field(description="The memory that took its place.")

    @classmethod
    def of(cls, one: browsing.Item) -> "Item":
        """Return a memory as it is sent."""
        return cls(
            id=one.id,
            uid=one.uid,
            guild_id=one.guild_id,
            user_id=one.user_id,
            channel_id=one.channel_id,
            text=one.text,
            topics=list(one.topics),
            kind=one.kind,
            status=one.status,
            source=one.source,
            importance=_name(one.importance),
            confidence=one.confidence,
            fact_key=one.fact_key,
            evidence_count=one.evidence_count,
            created_at=one.created_at,
            last_confirmed_at=one.last_confirmed_at,
            expires_at=one.expires_at,
            last_used_at=one.last_used_at,
            use_count=one.use_count,
            superseded_by=one.superseded_by,
        )


class Items(Shape):
    """A page of memories, newest first; it may be empty and yet have a cursor."""

    items: list[Item]
    cursor: Id | None


class Backing(Shape):
    """One message, or command, that a memory rests on."""

    message_id: Id
    channel_id: Id
    quote: str = Field(description="Their words; empty where those are gone.")
    method: Method
    model: str
    prompt_hash: str
    said_at: datetime
    link: str | None = Field(description="The message on Discord; null where it was a command.")

    @classmethod
    def of(cls, evidence: Evidence, link: str | None) -> "Backing":
        """Return a piece of evidence as it is sent."""
        return cls(
            message_id=evidence.message_id,
            channel_id=evidence.channel_id,
            quote=evidence.quote,
            method=evidence.method,
            model=evidence.model,
            prompt_hash=evidence.prompt_hash,
            said_at=evidence.said_at,
            link=link,
        )


class AuditLine(Shape):
    """One line of the audit; its words are gone when the memory's are."""

    id: Id
    guild_id: Id
    user_id: Id
    memory_id: Id | None
    at: datetime
    actor_id: ActorId
    action: str = Field(examples=["learnt"])
    before: str | None
    after: str | None


class ItemDetail(Shape):
    """A memory, why it is believed, what was done to it, its past, and what took its place."""

    item: Item
    evidence: list[Backing]
    audit: list[AuditLine]
    past: list[Item]
    successor: Item | None


class Change(Shape):
    """What is to change; what is not named stays as it is. ``expires_at`` null: it never ends."""

    status: Literal["active", "proposed", "shadow"] | None = None
    importance: ImportanceName | None = None
    expires_at: Time | None = None
    reason: str = Field(default="", max_length=REASON_LIMIT, examples=["asked for by mail"])

    def meant(self) -> ItemChange:
        """Return it as memory takes it."""
        return ItemChange(
            status=None if self.status is None else Status(self.status),
            importance=None if self.importance is None else Importance[self.importance.upper()],
            expires_at=self.expires_at,
            is_permanent="expires_at" in self.model_fields_set and self.expires_at is None,
        )


MemoryId = Annotated[GivenId, Path(description="A memory's number.")]


@router.get("/items", summary="List memories")
async def list_items(
    house: InHouse,
    guild_id: Annotated[GivenId | None, Query(description="0 is direct messages.")] = None,
    user_id: Annotated[GivenId | None, Query(description="0 is a server's own (lore).")] = None,
    kind: Kind | None = None,
    status: Status | None = None,
    source: Source | None = None,
    topic: Annotated[str, Query(max_length=200, description="A whole topic.")] = "",
    text: Annotated[
        str, Query(max_length=LONGEST_SEARCH, description="Words that it has, in any form.")
    ] = "",
    expiring_before: Time | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Items:
    """Return memories that fit, newest first. Those whose they are see in their audit that the
    operator looked."""
    wanted = ItemFilter(guild_id, user_id, kind, status, source, topic, text, expiring_before)
    page = await house.core.browser.items(wanted, cursor, limit)
    await house.core.browser.note_view(*owners(page.rows))
    return Items(items=[Item.of(one) for one in page.rows], cursor=page.cursor)


@router.get("/items/{memory_id}", summary="Look at one memory", responses=NOT_FOUND)
async def get_item(house: InHouse, memory_id: MemoryId) -> ItemDetail:
    """Return a memory with its evidence and its history."""
    detail = await house.core.browser.item(memory_id)
    if detail is None:
        raise NotFound(NO_SUCH, id=memory_id)
    await house.core.browser.note_view(*owners([detail.item]))
    return ItemDetail(
        item=Item.of(detail.item),
        evidence=[Backing.of(one.evidence, one.link) for one in detail.evidence],
        audit=[AuditLine.model_validate(line) for line in detail.audit],
        past=[Item.of(one) for one in detail.past],
        successor=None if detail.successor is None else Item.of(detail.successor),
    )


@router.patch("/items/{memory_id}", summary="Change a memory", responses=NOT_FOUND | CONFLICT)
async def change_item(house: InHouse, memory_id: MemoryId, change: Change) -> Item:
    """Change a memory's status, importance or end; the next recall goes by it.

    No memory lives longer than its member's consent, its kind and the server's rules allow. Its
    member sees in their audit that the operator looked, also where nothing was to change.
    """
    changed = await house.core.browser.change(memory_id, change.meant(), change.reason)
    await house.core.browser.note_view(*owners([changed]))
    return Item.of(changed)


@router.delete(
    "/items/{memory_id}",
    summary="Forget a memory",
    status_code=204,
    responses=NOT_FOUND,
    response_class=Response,
)
async def forget_item(house: InHouse, memory_id: MemoryId) -> None:
    """Erase a memory and the messages behind it, for good; they do not teach it again."""
    if not await house.core.browser.forget(memory_id):
        raise NotFound(NO_SUCH, id=memory_id)


def owners(rows: Collection[browsing.Item]) -> set[Member]:
    """Return whose memories these are."""
    return {Member(one.guild_id, one.user_id) for one in rows}


def _name(importance: Importance) -> ImportanceName:
    return _NAMES[importance]


_NAMES: dict[Importance, ImportanceName] = {
    Importance.LOW: "low",
    Importance.MEDIUM: "medium",
    Importance.HIGH: "high",
}

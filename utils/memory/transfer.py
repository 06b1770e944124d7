"""What is stored of a member, as one JSON file that can be checked and as a text. Pure.

The checksum is SHA-256 over the payload in canonical form: keys sorted, no spaces, UTF-8. Ids are
strings, as in Discord's own API: numbers of that size lose digits in other languages.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from utils.errors import BadInput
from utils.model.artifact import Surrogate
from utils.model.episode import OpenLoop
from utils.model.memory import DIRECT_MESSAGES, Consent, Event
from utils.model.operator import OPERATOR
from utils.model.transfer import Backed, Choices, Deed, Export, Files, Link, jump_link

FORMAT, VERSION = "kith-export", 1
MOST_BYTES = 7_000_000  # Discord takes attachments of 10 MB
SHARE_OF_FILES = 0.25
NOT_AN_EXPORT = "This is no export of mine, or it was changed: its checksum does not fit."
CONSENT_WORDS = {
    Consent.OFF: "nothing is stored",
    Consent.TEMPORARY: "30 days after you last said something",
    Consent.LASTING: "lasting",
}


def as_json(export: Export, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the export as a JSON file; the oldest messages, and of what files say the oldest, are
    left out where it is too large."""
    payload = _payload(export)
    files = [_attachment(one) for one in export.attachments]
    payload["attachments"] = _newest(files, int(most_bytes * SHARE_OF_FILES))
    payload["older_attachments_left_out"] = len(files) - len(payload["attachments"])
    room = most_bytes - len(canonical(payload)) * 2  # indented below
    events = [_event(event) for event in export.events]
    fitting = _newest(events, room)
    payload["messages"] = fitting
    payload["older_messages_left_out"] = len(events) - len(fitting)
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "generated_at": export.made_at.isoformat(),
        "checksum": checksum(payload),
        "payload": payload,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def as_files(export: Export, zone: tzinfo) -> Files:
    """Return both forms of an export."""
    return Files(export.member, export.version, as_json(export), as_text(export, zone))


def canonical(payload: Mapping[str, Any]) -> bytes:
    """Return a payload as the bytes that its checksum is taken of."""
    return json.dumps(
        payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def checksum(payload: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a payload's canonical form."""
    return f"sha256:{hashlib.sha256(canonical(payload)).hexdigest()}"


def verified(data: bytes) -> dict[str, Any]:
    """Return the payload of an export. Raises BadInput when it is none, or was changed."""
    try:
        whole = json.loads(data)
        payload = whole["payload"]
        known = whole["format"] == FORMAT and whole["version"] == VERSION
        if known and whole["checksum"] == checksum(payload):
            return dict(payload)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BadInput(NOT_AN_EXPORT)


def as_text(export: Export, zone: tzinfo, most_bytes: int = MOST_BYTES) -> str:
    """Return the export as a text to read, with times in that zone."""
    place = export.member.guild_id
    files = ["\n".join([one.line, *one.parts]) for one in export.attachments]
    where = "direct messages" if place == DIRECT_MESSAGES else f"server {place}"
    chosen = "your choice" if export.choices.consent is not None else "this server's default"
    head = [
        f"What Kith stores of you in {where}, {_when(export.made_at, zone)}",
        "",
        f"How long: {CONSENT_WORDS[export.consent]} ({chosen}).",
        f"Noting what you say to others: {_passive_in_words(export.choices)}.",
        f"Making fun of you: {'no' if export.choices.refuses_roasts else 'as the mode says'}.",
        f"Your other account: {_link_in_words(export.link)}.",
        f"Profile: {export.profile or '(none)'}",
        "",
        f"MEMORIES ({len(export.rows)})",
        *(line for row in export.rows for line in _memory_lines(row, place, zone)),
        "",
        f"WHAT IS OPEN ({len(export.loops)})",
        *(_loop_line(loop, zone) for loop in export.loops),
        "",
        f"SUMMARIES OF CONVERSATIONS YOU TOOK PART IN: {export.chapters} (written of several "
        "people's words together; they go when yours do)",
        "",
        f"WHAT WAS DONE ({len(export.audit)})",
        *(_deed_line(deed, export.member.user_id, zone) for deed in export.audit),
        "",
        f"ATTACHMENTS ({len(export.attachments)})",
        *_newest(files, int(most_bytes * SHARE_OF_FILES)),
        "",
    ]
    said = [f"{_when(event.created_at, zone)}  {event.text}" for event in export.events]
    fitting = _newest(said, most_bytes - len("\n".join(head).encode()))
    title = f"MESSAGES ({len(said)}"
    title += f"; the {len(said) - len(fitting)} oldest left out)" if fitting != said else ")"
    return "\n".join([*head, title, *fitting, ""])


def _passive_in_words(choices: Choices) -> str:
    if choices.passive_opt_in:
        return "yes"
    return "no" if choices.passive_opt_out else "only in channels whose notice says so"


def _link_in_words(link: Link | None) -> str:
    if link is None:
        return "none"
    return f"{link.other_id}, {'linked' if link.is_confirmed else 'not confirmed by that one'}"


def _payload(export: Export) -> dict[str, Any]:
    chosen = export.choices.consent
    return {
        "server_id": str(export.member.guild_id),
        "user_id": str(export.member.user_id),
        "profile": export.profile,
        "consent": {
            "holds": export.consent.value,
            "chosen": chosen.value if chosen else None,
            "passive_opt_in": export.choices.passive_opt_in,
            "passive_opt_out": export.choices.passive_opt_out,
            "refuses_roasts": export.choices.refuses_roasts,
        },
        "other_account": export.link
        and {"user_id": str(export.link.other_id), "confirmed": export.link.is_confirmed},
        "memories": [_memory(row, export.member.guild_id) for row in export.rows],
        "audit": [_deed(deed) for deed in export.audit],
        "open": [_loop(loop) for loop in export.loops],
        "summaries_of_conversations": export.chapters,
    }


def _attachment(one: Surrogate) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "kind": one.kind.value,
        "name": one.name,
        "state": one.state.value,
        "caption": one.caption,
        "text": list(one.parts),
        "posted_at": _iso(one.created_at),
    }


def _memory(row: Backed, guild_id: int) -> dict[str, Any]:
    memory = row.memory
    return {
        "id": str(memory.id),
        "uid": memory.uid,
        "text": memory.text,
        "topics": list(memory.topics),
        "kind": memory.kind.value,
        "attribute": memory.fact_key,
        "importance": memory.importance.name.lower(),
        "source": memory.source.value,
        "status": memory.status.value,
        "confidence": memory.confidence,
        "channel_id": str(memory.channel_id),
        "created_at": memory.created_at.isoformat(),
        "last_confirmed_at": memory.last_confirmed_at.isoformat(),
        "last_used_at": _iso(memory.last_used_at),
        "use_count": memory.use_count,
        "expires_at": _iso(memory.expires_at),
        "superseded_by": None if row.superseded_by is None else str(row.superseded_by),
        "evidence": [
            {
                "message_id": str(one.message_id),
                "channel_id": str(one.channel_id),
                "link": jump_link(guild_id, one),
                "quote": one.quote,
                "method": one.method.value,
                "model": one.model,
                "prompt_hash": one.prompt_hash,
                "said_at": one.said_at.isoformat(),
            }
            for one in row.evidence
        ],
    }


def _loop(loop: OpenLoop) -> dict[str, Any]:
    return {
        "id": str(loop.id),
        "kind": loop.kind.value,
        "text": loop.text,
        "state": loop.state.value,
        "message_id": str(loop.message_id),
        "channel_id": str(loop.channel_id),
        "created_at": loop.created_at.isoformat(),
        "due_at": _iso(loop.due_at),
        "expires_at": loop.expires_at.isoformat(),
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "message_id": str(event.message_id),
        "channel_id": str(event.channel_id),
        "revision": event.revision,
        "at": event.created_at.isoformat(),
        "name": event.author_name,
        "text": event.text,
        "reply_to": None if event.reply_to_id is None else str(event.reply_to_id),
    }


def _deed(deed: Deed) -> dict[str, Any]:
    return {
        "at": deed.at.isoformat(),
        "actor_id": str(deed.actor_id),
        "action": deed.action,
        "memory_id": None if deed.memory_id is None else str(deed.memory_id),
        "before": deed.before,
        "after": deed.after,
    }


def _newest(items: Sequence[Any], room: int) -> list[Any]:
    """Return the last items, in order, whose written form fits in so many bytes."""
    kept: list[Any] = []
    for item in reversed(items):
        room -= len(json.dumps(item, ensure_ascii=False, indent=1).encode()) + 40
        if room < 0:
            break
        kept.append(item)
    return kept[::-1]


def _memory_lines(row: Backed, guild_id: int, zone: tzinfo) -> list[str]:
    memory = row.memory
    end = "no end" if memory.expires_at is None else f"until {_when(memory.expires_at, zone)}"
    place = "" if row.superseded_by is None else f", replaced by #{row.superseded_by}"
    notes = f"{memory.kind}, {memory.status}, confidence {memory.confidence:.2f}, {end}{place}"
    lines = [f"#{memory.id} {memory.text}", f"    {notes}"]
    for one in row.evidence:
        how = " ".join(filter(None, (one.method.value, one.model, one.prompt_hash)))
        quote = f"“{one.quote}”" if one.quote else "(its words are gone)"
        lines.append(
            f"    {_when(one.said_at, zone)} {quote} [{how}] {jump_link(guild_id, one) or ''}"
        )
    return [line.rstrip() for line in lines]


def _loop_line(loop: OpenLoop, zone: tzinfo) -> str:
    end = f"until {_when(loop.expires_at, zone)}"
    return f"{_when(loop.created_at, zone)}  {loop.text} [{loop.kind}, {loop.state}, {end}]"


def _deed_line(deed: Deed, member_id: int, zone: tzinfo) -> str:
    actors = {0: "Kith", OPERATOR: "Kith's operator", member_id: "you"}
    number = "" if deed.memory_id is None else f" #{deed.memory_id}"
    words = "" if deed.after is None else f": {deed.after}"
    by = actors.get(deed.actor_id, f"moderator {deed.actor_id}")
    return f"{_when(deed.at, zone)}  {deed.action}{number} by {by}{words}"


def _when(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()

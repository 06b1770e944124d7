"""A member's export as a JSON file with a checksum, and as a readable text. Pure.

The checksum is SHA-256 over the payload in canonical form: keys sorted, no spaces, UTF-8. Ids are
strings, as in Discord's own API: numbers of that size lose digits in other languages.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from enum import Enum
from typing import Any

from utils.models.episode import OpenLoop
from utils.models.memory import DIRECT_MESSAGES, Consent, Form, VerifiedBy
from utils.models.operator import OPERATOR
from utils.models.transfer import (
    AuditEntry,
    ExportFiles,
    MemberExport,
    MemoryDetail,
    jump_link,
)

FORMAT, VERSION = "kith-export", 1
_OF_DEED = ("at", "actor_id", "action", "memory_id", "before", "after")
_OF_LOOP = (
    *("id", "kind", "text", "state", "message_id", "channel_id"),
    *("created_at", "due_at", "repeats", "expires_at"),
)
MAX_BYTES = 7_000_000  # Discord takes attachments of 10 MB
# Of a file; the messages get the rest.
SHARE_OF_MEMORIES, SHARE_OF_FILES, SHARE_OF_AUDIT = 0.5, 0.25, 0.1
SERVER_ZONE = "the server's"
CONSENT_WORDS = {
    Consent.OFF: "nothing is stored",
    Consent.TEMPORARY: "30 days after you last said something",
    Consent.LASTING: "lasting",
}


def as_json(export: MemberExport, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the export as a JSON file of at most ``max_bytes``.

    What is too large loses its oldest entries, and says how many.
    """
    chosen = export.choices.consent
    payload = {
        "server_id": str(export.member.guild_id),
        "user_id": str(export.member.user_id),
        "profile": export.profile,
        "consent": {
            "holds": export.consent.value,
            "chosen": chosen.value if chosen else None,
            "passive_opt_in": export.choices.passive_opt_in,
            "passive_opt_out": export.choices.passive_opt_out,
            "refuses_roasts": export.choices.refuses_roasts,
            "never_first": export.choices.never_first,
            "not_findable": export.choices.not_findable,
        },
        "noted": export.choices.noted,
        "time_zone": export.choices.time_zone,
        "other_account": export.link
        and {"user_id": str(export.link.other_id), "confirmed": export.link.is_confirmed},
        "memories": [_memory(row, export.member.guild_id) for row in export.rows],
        "attachments": [
            {
                **_record(attachment, "id", "kind", "name", "state", "caption"),
                "text": list(attachment.parts),
                "posted_at": attachment.created_at and attachment.created_at.isoformat(),
            }
            for attachment in export.attachments
        ],
        "messages": [
            {
                **_record(event, "message_id", "channel_id", "revision"),
                "at": event.created_at.isoformat(),
                "name": event.author_name,
                "text": event.text,
                "reply_to": None if event.reply_to_id is None else str(event.reply_to_id),
            }
            for event in export.events
        ],
        "audit": [_record(deed, *_OF_DEED) for deed in export.audit],
        "open": [_record(loop, *_OF_LOOP) for loop in export.loops],
        "summaries_of_conversations": export.summary_count,
    }
    for name, share in (
        ("memories", SHARE_OF_MEMORIES),
        ("attachments", SHARE_OF_FILES),
        ("audit", SHARE_OF_AUDIT),
    ):
        _keep_newest(payload, name, int(max_bytes * share))
    remaining = {name: part for name, part in payload.items() if name != "messages"}
    text = json.dumps(remaining, ensure_ascii=False, indent=3)
    others_size = len(text.encode()) + 1_000  # the head, and the other names
    _keep_newest(payload, "messages", max_bytes - others_size)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "generated_at": export.made_at.isoformat(),
        "checksum": checksum(payload),
        "payload": payload,
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def as_files(export: MemberExport, zone: tzinfo, *, links: bool) -> ExportFiles:
    """Return both forms of an export; ``links``: the text links to messages on Discord."""
    return ExportFiles(
        export.member, export.version, as_json(export), as_text(export, zone, links=links)
    )


def checksum(payload: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a payload's canonical form."""
    text = json.dumps(
        payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def as_text(
    export: MemberExport, zone: tzinfo, max_bytes: int = MAX_BYTES, *, links: bool = True
) -> str:
    """Return the export as readable text, with times in ``zone``."""
    place = export.member.guild_id
    memories = ["\n".join(_memory_lines(row, place, zone, links=links)) for row in export.rows]
    files = ["\n".join([item.line, *item.parts]) for item in export.attachments]
    deeds = [_deed_line(deed, export.member.user_id, zone) for deed in export.audit]
    where = "direct messages" if place == DIRECT_MESSAGES else f"server {place}"
    chosen = "your choice" if export.choices.consent is not None else "this server's default"
    unless = "no" if export.choices.passive_opt_out else "only in channels whose notice says so"
    passive = "yes" if export.choices.passive_opt_in else unless
    other_account = "none"
    if export.link is not None:
        state = "linked" if export.link.is_confirmed else "not confirmed by that one"
        other_account = f"{export.link.other_id}, {state}"
    head = [
        f"What Kith stores of you in {where}, {_when(export.made_at, zone)}",
        "",
        f"How long: {CONSENT_WORDS[export.consent]} ({chosen}).",
        f"Noting what you say to others: {passive}.",
        f"Making fun of you: {'no' if export.choices.refuses_roasts else 'as the mode says'}.",
        f"Speaking first about you: {'no' if export.choices.never_first else 'as moderators say'}.",
        f"What you see when something is noted: {export.choices.noted or 'as moderators say'}.",
        f"Others may find you by your notes: {'no' if export.choices.not_findable else 'yes'}.",
        f"Your time zone: {export.choices.time_zone or SERVER_ZONE}.",
        f"Your other account: {other_account}.",
        f"Profile: {export.profile or '(none)'}",
        "",
        *_section("MEMORIES", memories, int(max_bytes * SHARE_OF_MEMORIES)),
        "",
        f"WHAT IS OPEN ({len(export.loops)})",
        *(_loop_line(loop, zone) for loop in export.loops),
        "",
        f"SUMMARIES OF CONVERSATIONS YOU TOOK PART IN: {export.summary_count} (written of several "
        "people's words together; they go when yours do)",
        "",
        *_section("WHAT WAS DONE", deeds, int(max_bytes * SHARE_OF_AUDIT)),
        "",
        *_section("ATTACHMENTS", files, int(max_bytes * SHARE_OF_FILES)),
        "",
    ]
    messages = [f"{_when(event.created_at, zone)}  {event.text}" for event in export.events]
    room = max_bytes - len("\n".join(head).encode())
    return "\n".join([*head, *_section("MESSAGES", messages, room), ""])


def _section(title: str, entries: Sequence[str], max_bytes: int) -> list[str]:
    """Return a title with the number of entries, and the newest of them that fit."""
    fitting = _newest(entries, max_bytes)
    left_out = len(entries) - len(fitting)
    note = f"; the {left_out} oldest left out" if left_out else ""
    return [f"{title} ({len(entries)}{note})", *fitting]


def _memory(row: MemoryDetail, guild_id: int) -> dict[str, Any]:
    memory = row.item
    return {
        **_record(memory, "id", "uid", "text", "form", "topics", "kind"),
        "attribute": memory.fact_key,
        "importance": memory.importance.name.lower(),
        **_record(memory, "source", "status", "confidence", "channel_id", "created_at"),
        **_record(memory, "last_confirmed_at", "last_used_at", "use_count", "expires_at"),
        "superseded_by": None if memory.superseded_by is None else str(memory.superseded_by),
        "evidence": [
            {
                **_record(evidence, "message_id", "channel_id"),
                "link": jump_link(guild_id, evidence),
                **_record(evidence, "quote", "method", "verified_by", "verifier_model", "model"),
                **_record(evidence, "prompt_hash", "said_at"),
            }
            for evidence in row.evidence
        ],
    }


def _record(source: object, *names: str) -> dict[str, Any]:
    """Return fields of a record by name, as JSON takes them: an id is a string."""
    values: dict[str, Any] = {}
    for name in names:
        value = getattr(source, name)
        match value:
            case datetime():
                values[name] = value.isoformat()
            case Enum():
                values[name] = value.value
            case int() if name == "id" or name.endswith("_id"):
                values[name] = str(value)
            case _:
                values[name] = list(value) if isinstance(value, tuple) else value
    return values


def _keep_newest(payload: dict[str, Any], name: str, max_bytes: int) -> None:
    """Keep the newest entries of a list that fit in ``max_bytes``, and count the others."""
    entries = payload[name]
    payload[name] = _newest(entries, max_bytes)
    payload[f"older_{name}_left_out"] = len(entries) - len(payload[name])


def _newest(items: Sequence[Any], max_bytes: int) -> list[Any]:
    """Return the last items, in order, whose JSON fits in ``max_bytes``."""
    fitting: list[Any] = []
    for item in reversed(items):
        max_bytes -= len(json.dumps(item, ensure_ascii=False, indent=1).encode()) + 40
        if max_bytes < 0:
            break
        fitting.append(item)
    return fitting[::-1]


def _memory_lines(row: MemoryDetail, guild_id: int, zone: tzinfo, *, links: bool) -> list[str]:
    memory = row.item
    end = "no end" if memory.expires_at is None else f"until {_when(memory.expires_at, zone)}"
    place = "" if memory.superseded_by is None else f", replaced by #{memory.superseded_by}"
    notes = f"{memory.kind}, {memory.status}, confidence {memory.confidence:.2f}, {end}{place}"
    is_quote = memory.form is Form.QUOTE
    text = f"“{memory.text}”" if is_quote else memory.text
    lines = [f"#{memory.id} {text}", f"    {'your words, ' if is_quote else ''}{notes}"]
    for evidence in row.evidence:
        is_verified = evidence.verified_by is not VerifiedBy.NONE
        verified = f"verified by {evidence.verified_by.value}" if is_verified else "not verified"
        how = " ".join(filter(None, (evidence.method.value, evidence.model, evidence.prompt_hash)))
        how = f"{how}, {verified} {evidence.verifier_model}".rstrip()
        quote = f"“{evidence.quote}”" if evidence.quote else "(its words are gone)"
        link = jump_link(guild_id, evidence) if links else None
        lines.append(f"    {_when(evidence.said_at, zone)} {quote} [{how}] {link or ''}")
    return [line.rstrip() for line in lines]


def _loop_line(loop: OpenLoop, zone: tzinfo) -> str:
    end = f"until {_when(loop.expires_at, zone)}"
    rule = f", {loop.repeats}" if loop.repeats else ""
    return f"{_when(loop.created_at, zone)}  {loop.text} [{loop.kind}, {loop.state}, {end}{rule}]"


def _deed_line(deed: AuditEntry, member_id: int, zone: tzinfo) -> str:
    actors = {0: "Kith", OPERATOR: "Kith's operator", member_id: "you"}
    number = "" if deed.memory_id is None else f" #{deed.memory_id}"
    words = "" if deed.after is None else f": {deed.after}"
    by = actors.get(deed.actor_id, f"moderator {deed.actor_id}")
    return f"{_when(deed.at, zone)}  {deed.action}{number} by {by}{words}"


def _when(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M %Z}"

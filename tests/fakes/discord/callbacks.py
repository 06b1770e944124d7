"""REST routes of commands and interactions: registration, answers, follow-ups, @original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import payloads
from .errors import ApiError, bad_form, unauthorized, unknown
from .limits import check_choices, check_message, check_modal
from .outcomes import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFERRED,
    DEFERRED_UPDATE,
    MESSAGE,
    MODAL,
    MODAL_SUBMIT,
    UPDATE,
    Interaction,
    Response,
)
from .rest import Call, route
from .routes_messages import stored_files
from .things import EPHEMERAL, LOADING, Message

if TYPE_CHECKING:
    from .server import FakeDiscord

FOLLOWUPS_OF_PEOPLE = 5  # where the application is only in the person's account
FITTING = {
    MESSAGE: (COMMAND, COMPONENT, MODAL_SUBMIT),
    DEFERRED: (COMMAND, COMPONENT, MODAL_SUBMIT),
    DEFERRED_UPDATE: (COMPONENT, MODAL_SUBMIT),
    UPDATE: (COMPONENT, MODAL_SUBMIT),
    CHOICES: (AUTOCOMPLETE,),
    MODAL: (COMMAND, COMPONENT),
}


@route("PUT", "/applications/{app_id}/commands")
def put_commands(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Replace all global commands; Kith has none of a single server."""
    _check_application(fake, call)
    return fake.commands.overwrite(None, call.body or [])


@route("GET", "/applications/{app_id}/commands")
def get_commands(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Return the global commands."""
    _check_application(fake, call)
    return fake.commands.listed(None)


def _check_application(fake: FakeDiscord, call: Call) -> None:
    if call.id("app_id") != fake.world.application_id:
        raise unauthorized()


@route("POST", "/interactions/{interaction_id}/{token}/callback", public=True)
def callback(fake: FakeDiscord, call: Call) -> dict[str, Any] | None:
    """Take the first answer to an interaction: within three seconds, once."""
    made = fake.interactions.get(call.ids["token"])
    if made is None or made.id != call.id("interaction_id"):
        raise unknown("interaction")
    if made.answered is not None:
        made.refused.append(40060)
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    if made.expired or fake.clock.now_s() - made.created_s > fake.interaction_deadline_s:
        made.refused.append(10062)
        raise unknown("interaction")
    body: dict[str, Any] = call.body or {}
    kind, data = int(body.get("type") or 0), body.get("data") or {}
    fits = made.kind in FITTING.get(kind, ())
    if not fits or (kind in (DEFERRED_UPDATE, UPDATE) and made.message is None):
        raise bad_form(
            "type",
            "INTERACTION_RESPONSE_TYPE_INVALID",
            f"Type {kind} does not answer this interaction.",
        )
    message = _take(fake, call, made, kind, data)
    made.original = message
    made.answered = Response(kind, data, message)
    fake.journal.note(f"answer {kind} to {made.name}: {(data.get('content') or '')[:120]!r}")
    return (
        _told(made, kind, message)
        if call.query.get("with_response") in ("1", "true", "True")
        else None
    )


def _take(
    fake: FakeDiscord, call: Call, made: Interaction, kind: int, data: dict[str, Any]
) -> Message | None:
    if kind == CHOICES:
        check_choices(data.get("choices") or [])
        return None
    if kind == MODAL:
        check_modal(data)
        return None
    if kind == DEFERRED_UPDATE:
        return made.message
    if kind == UPDATE:
        assert made.message is not None
        check_message(
            {"flags": made.message.flags, **data}, has_files=bool(call.files), partial=True
        )
        fake.post.edit(
            made.message,
            data,
            new_attachments=stored_files(fake, made.channel, call, data),
            silent=False,
        )
        return made.message
    if kind == DEFERRED:
        return _post(fake, made, {"flags": int(data.get("flags") or 0) & EPHEMERAL | LOADING}, [])
    check_message(data, has_files=bool(call.files))
    body = {**data, "flags": int(data.get("flags") or 0) & ~LOADING}
    return _post(fake, made, body, stored_files(fake, made.channel, call, data))


def _post(
    fake: FakeDiscord, made: Interaction, body: dict[str, Any], files: list[dict[str, Any]]
) -> Message:
    """Put an answer where the person sees it."""
    first = made.original is None
    reply_to = made.original if not first else made.message
    if reply_to is not None and (reply_to.ephemeral or reply_to.deleted):
        reply_to = None
    type = None
    if first and made.kind == COMMAND:
        type = 20 if made.payload["data"].get("type", 1) == 1 else 23
        reply_to = None
    return fake.post.post(
        made.channel,
        fake.bot_user,
        body,
        attachments=files,
        reply_to=reply_to,
        type=type,
        interaction=_metadata(fake, made),
        visible_to=made.user.id if int(body.get("flags") or 0) & EPHEMERAL else None,
    )


def _metadata(fake: FakeDiscord, made: Interaction) -> dict[str, Any]:
    user = payloads.user(made.user)
    metadata: dict[str, Any] = {
        "id": str(made.id),
        "type": made.kind,
        "user": user,
        "authorizing_integration_owners": made.payload["authorizing_integration_owners"],
    }
    if made.message is not None and made.kind == COMPONENT:
        metadata["interacted_message_id"] = str(made.message.id)
    found: dict[str, Any] = {
        "interaction_metadata": metadata,
        "webhook_id": str(fake.world.application_id),
    }
    if made.kind == COMMAND:
        found["interaction"] = {
            "id": str(made.id),
            "type": 2,
            "name": made.payload["data"]["name"],
            "user": user,
        }
    return found


def _told(made: Interaction, kind: int, message: Message | None) -> dict[str, Any]:
    about: dict[str, Any] = {"id": str(made.id), "type": made.kind}
    resource: dict[str, Any] = {"type": kind}
    if message is not None:
        about["response_message_id"] = str(message.id)
        about["response_message_loading"] = bool(message.flags & LOADING)
        about["response_message_ephemeral"] = message.ephemeral
        if kind in (MESSAGE, UPDATE):
            resource["message"] = payloads.message(message, readable=True)
    return {"interaction": about, "resource": resource}


def _by_token(fake: FakeDiscord, call: Call) -> Interaction:
    """Return the interaction a webhook token stands for, while it lasts."""
    made = fake.interactions.get(call.ids["token"])
    if made is None or call.id("app_id") != fake.world.application_id:
        raise unknown("webhook")
    if fake.clock.now_s() - made.created_s > fake.followup_deadline_s:
        made.refused.append(50027)
        raise ApiError(401, 50027, "Invalid Webhook Token")
    if made.answered is None:
        raise unknown("webhook")
    return made


def _message_of(made: Interaction, text: str) -> Message:
    messages = [m for m in (made.original, *made.followups) if m is not None and not m.deleted]
    for message in messages:
        if text == str(message.id) or (text == "@original" and message is made.original):
            return message
    raise unknown("message")


@route("POST", "/webhooks/{app_id}/{token}", public=True)
def follow_up(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Send a follow-up; the first one after a deferral fills the deferred message instead."""
    made, body = _by_token(fake, call), call.body or {}
    check_message(body, has_files=bool(call.files))
    files = stored_files(fake, made.channel, call, body)
    original = made.original
    if original is not None and original.flags & LOADING and not original.deleted:
        _fill(fake, made, original, body, files)
        return payloads.message(original, readable=True)
    is_user_only = "0" not in made.payload["authorizing_integration_owners"]
    if is_user_only and len(made.followups) >= FOLLOWUPS_OF_PEOPLE:
        raise ApiError(400, 40094, "Maximum number of follow up messages for this interaction")
    flags = int(body.get("flags") or 0) & ~LOADING
    message = _post(fake, made, {**body, "flags": flags}, files)
    made.followups.append(message)
    fake.journal.note(f"follow-up to {made.name}: {message.content[:120]!r}")
    return payloads.message(message, readable=True)


def _fill(
    fake: FakeDiscord,
    made: Interaction,
    message: Message,
    body: dict[str, Any],
    files: list[dict[str, Any]],
) -> None:
    message.flags &= ~LOADING
    allowed_fields = {
        k: v for k, v in body.items() if k in ("content", "embeds", "components", "flags")
    }
    fake.post.edit(message, allowed_fields, new_attachments=files, silent=True)
    message.edits.pop()
    if not message.ephemeral:
        message.pings = message.mentions
    fake.journal.note(f"deferred answer to {made.name}: {message.content[:120]!r}")


@route("GET", "/webhooks/{app_id}/{token}/messages/{message_id}", public=True)
def get_answer(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return an answer to an interaction."""
    return payloads.message(
        _message_of(_by_token(fake, call), call.ids["message_id"]), readable=True
    )


@route("PATCH", "/webhooks/{app_id}/{token}/messages/{message_id}", public=True)
def edit_answer(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Edit an answer; the first edit of a deferred one makes it readable."""
    made, body = _by_token(fake, call), call.body or {}
    message = _message_of(made, call.ids["message_id"])
    check_message({"flags": message.flags, **body}, has_files=bool(call.files), partial=True)
    files = stored_files(fake, made.channel, call, body)
    if message.flags & LOADING:
        check_message(body, has_files=bool(call.files))
        _fill(fake, made, message, body, files)
    else:
        fake.post.edit(message, body, new_attachments=files)
    return payloads.message(message, readable=True)


@route("DELETE", "/webhooks/{app_id}/{token}/messages/{message_id}", public=True)
def delete_answer(fake: FakeDiscord, call: Call) -> None:
    """Delete an answer."""
    fake.post.delete(_message_of(_by_token(fake, call), call.ids["message_id"]))

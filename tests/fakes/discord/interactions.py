"""What a person does with commands, buttons, selects and forms, as Discord's client allows it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import commands, payloads
from . import permissions as allowed
from .errors import CannotDo
from .limits import LABEL, ROW, SELECTS, STRING_SELECT, TEXT_INPUT, walk
from .outcomes import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT, Interaction, Modal
from .things import GROUP_DM, Channel, Member, Message, User

if TYPE_CHECKING:
    from .server import FakeDiscord


class People:
    """Builds interactions as Discord's client would, and refuses what it would not offer."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake

    def slash(
        self, who: User | Member, channel: Channel, words: str, values: Mapping[str, Any]
    ) -> Interaction:
        """Send a slash command."""
        first, *rest = words.lstrip("/").split()
        command = self._fake.commands.usable(who, channel, first, commands.CHAT_INPUT)
        resolved = commands.Resolved(self._fake.world, channel)
        options = commands.typed(command, rest, values, resolved)
        data = {**_named(command), "options": options}
        if resolved.data:
            data["resolved"] = resolved.data
        owners = self._fake.commands.owners(who, channel, command)
        return self._send(who, channel, COMMAND, data, owners, name=f"/{words.lstrip('/')}")

    def autocomplete(
        self,
        who: User | Member,
        channel: Channel,
        words: str,
        focused: str,
        text: Any,
        values: Mapping[str, Any],
    ) -> Interaction:
        """Ask for choices while an option is being typed."""
        first, *rest = words.lstrip("/").split()
        command = self._fake.commands.usable(who, channel, first, commands.CHAT_INPUT)
        resolved = commands.Resolved(self._fake.world, channel)
        options = commands.typed(
            command, rest, {**values, focused: text}, resolved, focused=focused
        )
        data = {**_named(command), "options": options}
        owners = self._fake.commands.owners(who, channel, command)
        called = f"autocomplete {focused} of /{words.lstrip('/')}"
        return self._send(who, channel, AUTOCOMPLETE, data, owners, name=called)

    def menu(
        self, who: User | Member, channel: Channel, name: str, target: User | Member | Message
    ) -> Interaction:
        """Use a context menu on a user or a message."""
        kind = commands.MESSAGE_MENU if isinstance(target, Message) else commands.USER_MENU
        command = self._fake.commands.usable(who, channel, name, kind)
        resolved = commands.Resolved(self._fake.world, channel)
        data = {**_named(command), "target_id": resolved.add(target), "resolved": resolved.data}
        owners = self._fake.commands.owners(who, channel, command)
        return self._send(who, channel, COMMAND, data, owners, name=name)

    def click(self, who: User | Member, message: Message, which: str) -> Interaction:
        """Press a button, named by label, custom id or emoji."""
        buttons = [c for c in walk(message.components) if c["type"] == 2]
        names = [
            (b.get("label"), b.get("custom_id"), (b.get("emoji") or {}).get("name"))
            for b in buttons
        ]
        found = [b for b, named in zip(buttons, names, strict=True) if which in named]
        component = self._one(found, which, names)
        return self._component(who, message, component, {})

    def select(
        self, who: User | Member, message: Message, which: str | None, values: Sequence[Any]
    ) -> Interaction:
        """Choose in a select, named by custom id or placeholder (None: the only one)."""
        selects = [c for c in walk(message.components) if c["type"] in SELECTS]
        names = [(s["custom_id"], s.get("placeholder")) for s in selects]
        found = [
            s for s, named in zip(selects, names, strict=True) if which is None or which in named
        ]
        component = self._one(found, str(which), names)
        low, high = component.get("min_values", 1), component.get("max_values", 1)
        if not low <= len(values) <= high:
            raise CannotDo(f"the select takes {low} to {high} values, not {len(values)}")
        resolved = commands.Resolved(self._fake.world, message.channel)
        data: dict[str, Any] = {"values": [_chosen(component, value, resolved) for value in values]}
        if resolved.data:
            data["resolved"] = resolved.data
        return self._component(who, message, component, data)

    @staticmethod
    def _one(found: list[dict[str, Any]], which: str, names: Sequence[Any]) -> dict[str, Any]:
        if len(found) != 1:
            raise CannotDo(f"{len(found)} components are called {which!r}; there are {list(names)}")
        if found[0].get("disabled"):
            raise CannotDo(f"{which!r} is disabled")
        if "custom_id" not in found[0]:
            raise CannotDo(f"{which!r} is a link")
        return found[0]

    def _component(
        self, who: User | Member, message: Message, component: dict[str, Any], data: dict[str, Any]
    ) -> Interaction:
        if message.deleted:
            raise CannotDo("the message is gone")
        if message.ephemeral and message.visible_to != who.id:
            raise CannotDo(f"{who.name} does not see this ephemeral message")
        data = {
            "custom_id": component["custom_id"],
            "component_type": component["type"],
            "id": component.get("id", 0),
            **data,
        }
        name = component.get("label") or component["custom_id"]
        channel, metadata = message.channel, (message.interaction or {}).get("interaction_metadata")
        owners = {"0": str(channel.guild.id if channel.guild is not None else 0)}
        if metadata is not None:
            owners = metadata["authorizing_integration_owners"]
        return self._send(who, channel, COMPONENT, data, owners, name=f"[{name}]", message=message)

    def submit(self, modal: Modal, values: Mapping[str, Any]) -> Interaction:
        """Send a form; inputs left out keep what they were prefilled with."""
        inputs = modal.inputs
        for given in values:
            if not any(given in (i.get("label"), i["custom_id"]) for i in inputs):
                raise CannotDo(
                    f"the form has no input {given!r}: {[i.get('label') for i in inputs]}"
                )
        source = modal.interaction
        components = [_filled(outer, values) for outer in modal.data["components"]]
        data: dict[str, Any] = {"custom_id": modal.data["custom_id"], "components": components}
        name = f"form {modal.title!r}"
        owners = source.payload["authorizing_integration_owners"]
        user, channel = source.user, source.channel
        return self._send(
            user, channel, MODAL_SUBMIT, data, owners, name=name, message=source.message
        )

    def _send(
        self,
        who: User | Member,
        channel: Channel,
        kind: int,
        data: dict[str, Any],
        owners: Mapping[str, str],
        *,
        name: str,
        message: Message | None = None,
    ) -> Interaction:
        world, guild = self._fake.world, channel.guild
        if not owners:
            raise CannotDo("the application is installed neither here nor for this person")
        bits = channel.permissions_of(who)
        if not bits & allowed.VIEW_CHANNEL:
            raise CannotDo(f"{who.name} does not see {channel.label}")
        user, made_id, token = world.users[who.id], world.ids.next(), secrets.token_urlsafe(64)
        made = Interaction(
            self._fake, made_id, token, kind, user, channel, name, world.clock.now_s(), message
        )
        is_member = commands.bot_is_in(guild, world) and channel.type != GROUP_DM
        bot_bits = channel.permissions_of(world.bot_user) if is_member else allowed.OUTSIDE
        payload: dict[str, Any] = {
            "id": str(made_id),
            "application_id": str(world.application_id),
            "type": kind,
            "token": token,
            "version": 1,
            "data": data,
            "channel": payloads.partial_channel(channel, bits),
            "channel_id": str(channel.id),
            "app_permissions": str(bot_bits),
            "locale": user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": 10485760,
            "authorizing_integration_owners": {} if world.sends_least else dict(owners),
            "context": commands.context_of(channel),
        }
        if guild is None:
            payload["user"] = payloads.user(user)
        else:
            payload["guild_id"] = str(guild.id)
            payload["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
            payload["guild_locale"] = guild.locale
            payload["member"] = payloads.member(guild.members[who.id], permissions=bits)
        if message is not None:
            made.edits_before = len(message.edits)
            payload["message"] = payloads.message(message, readable=True)
        made.payload = payload
        self._fake.interactions[token] = made
        self._fake.journal.note(f"{who.name} uses {name} in {channel.label}")
        world.announce("INTERACTION_CREATE", payload)
        return made


def _named(command: dict[str, Any]) -> dict[str, Any]:
    made = {"id": command["id"], "name": command["name"], "type": command["type"]}
    return made if "guild_id" not in command else {**made, "guild_id": command["guild_id"]}


def _chosen(component: dict[str, Any], value: Any, resolved: commands.Resolved) -> str:
    if component["type"] != STRING_SELECT:
        return resolved.add(value)
    options = component.get("options") or []
    option = next((o for o in options if value in (o["label"], o["value"])), None)
    if option is None:
        raise CannotDo(f"{value!r} is none of {[o['label'] for o in options]}")
    return str(option["value"])


def _filled(outer: dict[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    if outer["type"] == LABEL:
        inner = _answer(outer["component"], outer["label"], values)
        return {"type": LABEL, "id": outer.get("id", 0), "component": inner}
    if outer["type"] == ROW:
        inner_all = [_answer(inner, inner.get("label"), values) for inner in outer["components"]]
        return {"type": ROW, "id": outer.get("id", 0), "components": inner_all}
    return {"type": outer["type"], "id": outer.get("id", 0)}


def _answer(item: dict[str, Any], label: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    given = values.get(item["custom_id"], values.get(label or ""))
    made = {"type": item["type"], "id": item.get("id", 0), "custom_id": item["custom_id"]}
    if item["type"] == TEXT_INPUT:
        text = item.get("value") or "" if given is None else given
        low, high = item.get("min_length") or 0, item.get("max_length") or 4000
        if item.get("required", True) and not text:
            raise CannotDo(f"the form needs {label!r}")
        if text and not low <= len(text) <= high:
            raise CannotDo(f"{label!r} takes {low} to {high} characters, not {len(text)}")
        return {**made, "value": text}
    raise NotImplementedError(f"a form with a component of type {item['type']}")

"""Why, correct, undo, export, other servers and the context menus, as people use them."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import choices, use
from tests.fakes.discord import Member, Message, perms
from utils.database.guilds import settings as guilds
from utils.models.memory import Member as Known


async def number_of(kith: Den, who: Member, text: str) -> str:
    shown = await kith.app.memory.member_data.show(Known(kith.guild.id, who.id))
    (found,) = [row.id for row in shown.rows if row.text == text]
    return str(found)


async def let_moderators_look(kith: Den) -> None:
    def allow(connection):
        from dataclasses import replace

        settings = guilds.load(connection, kith.guild.id)
        guilds.save(connection, replace(settings, moderators_see_members=True))

    await kith.app.database.write(allow)
    kith.app.guilds.settings._cache.clear()


def files_of(kith: Den, message: Message) -> dict[str, bytes]:
    """The attached files, by name."""
    return {
        one["filename"]: kith.fake.world.files[urlsplit(one["url"]).path][0]
        for one in message.attachments
    }


async def menu(kith: Den, who: Member, name: str, target: object, place: object = None) -> Message:
    used = await kith.fake.context_menu(who, place or kith.general, name, target)
    reply = await used.reply()
    assert reply.ephemeral
    assert reply.visible_to == who.id
    assert not kith.fake.pings(reply).users
    return reply


# --- why ----------------------------------------------------------------------------------------


async def test_why_links_to_the_message_and_quotes_it(kith: Den) -> None:
    asked = await kith.teach(kith.alice, "I have a dog named Rex")
    number = await number_of(kith, kith.alice, "has a dog named Rex")
    assert await choices(kith, kith.alice, "memory why", "memory", "dog") == [
        "has a dog named Rex (just now)"
    ]
    why = await use(kith, kith.alice, "memory why", memory=number)
    assert why.ephemeral
    link = f"https://discord.com/channels/{kith.guild.id}/{kith.general.id}/{asked.id}"
    assert link in why.content
    assert "“I have a dog named Rex”" in why.content
    assert "(noted and verified by the model gpt-4.1-mini)" in why.content
    assert "% sure" in why.content


async def test_nobody_uses_somebody_elses_memory(kith: Den) -> None:
    await kith.teach(kith.bob, "I have a dog named Rex")
    number = await number_of(kith, kith.bob, "has a dog named Rex")
    for command in ("memory why", "memory undo", "memory correct"):
        assert await choices(kith, kith.alice, command, "memory", "") == []
        more = {"text": "has a cat"} if command == "memory correct" else {}
        reply = await use(kith, kith.alice, command, memory=number, **more)
        assert reply.content == f"There is no memory #{number} of yours here."
        assert await kith.known_of(kith.bob) == ["has a dog named Rex"]


# --- correct and undo ---------------------------------------------------------------------------


async def test_a_correction_is_believed_shown_and_undone(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Rome")
    number = await number_of(kith, kith.alice, "lives in Rome")
    corrected = await use(
        kith, kith.alice, "memory correct", memory=number, text="lives in Oslo, not Rome"
    )
    assert corrected.content.startswith("Corrected: `#")
    new = await number_of(kith, kith.alice, "lives in Oslo, not Rome")
    assert "before: “lives in Rome”" in (await use(kith, kith.alice, "memory show")).content
    await kith.talk(kith.alice, "where do I live?")
    assert "lives in Oslo" in kith.last_words().replace("Lives", "lives")
    why = await use(kith, kith.alice, "memory why", memory=new)
    assert "you typed it in a command" in why.content
    assert f"Replaced `#{number}` lives in Rome" in why.content
    old = await use(kith, kith.alice, "memory why", memory=number)
    assert f"Replaced by `#{new}`" in old.content

    tried = await use(kith, kith.alice, "memory correct", memory=number, text="lives in Bergen")
    assert tried.content == f"Memory #{number} has been replaced by #{new}; name that one."
    assert await choices(kith, kith.alice, "memory undo", "memory", "") == [
        "lives in Oslo, not Rome (just now)"
    ]
    undone = await use(kith, kith.alice, "memory undo", memory=new)
    assert undone.content.startswith("Undone. This holds again:\n`#" + number)
    assert await kith.known_of(kith.alice) == ["lives in Rome"]
    await use(kith, kith.alice, "memory undo", memory=number)
    assert await kith.known_of(kith.alice) == ["lives in Oslo, not Rome"]


# --- export -------------------------------------------------------------------------------------


async def test_an_export_is_two_files_for_the_member_alone(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.bob, "I own a castle")
    reply = await use(kith, kith.alice, "memory export")
    assert reply.ephemeral
    assert reply.visible_to == kith.alice.id
    files = files_of(kith, reply)
    assert sorted(files) == ["kith-export.json", "kith-export.txt"]
    payload = json.loads(files["kith-export.json"])["payload"]
    assert [one["text"] for one in payload["memories"]] == ["has a dog named Rex"]
    assert payload["user_id"] == str(kith.alice.id)
    assert b"castle" not in files["kith-export.json"] + files["kith-export.txt"]
    assert b"I have a dog named Rex" in files["kith-export.txt"]


async def erasing_exports(
    kith: Den, monkeypatch: pytest.MonkeyPatch, *, before: int = 0, after: int = 0
) -> list[Any]:
    """Teach what Alice owns, and have all of hers erased before or after an export of that number.

    Returns a list of the exports that were asked for, which grows.
    """
    await kith.teach(kith.alice, "I own zanzibar")
    member = Known(kith.guild.id, kith.alice.id)
    member_data, export = kith.app.memory.member_data, kith.app.memory.member_data.export
    calls: list[Any] = []

    async def erasing_export(asked, zone, made=None):
        calls.append(made)
        number = len(calls)
        if number == before:
            await kith.app.memory.editor.forget_all(member)
        result = await export(asked, zone, made)
        if number == after:
            await kith.app.memory.editor.forget_all(member)
        return result

    monkeypatch.setattr(member_data, "export", erasing_export)
    return calls


async def test_what_is_erased_while_an_export_is_sent_is_taken_back(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = await erasing_exports(kith, monkeypatch, before=3)
    used = await kith.fake.slash(kith.alice, kith.general, "memory export")
    await kith.fake.wait_until(lambda: len(calls) > 3 and used.followups, "the second sending")
    await kith.calm()
    sent = [one for one in (used.original, *used.followups) if one is not None and not one.deleted]
    (left,) = [one for one in sent if one.attachments]
    assert all(b"zanzibar" not in data for data in files_of(kith, left).values())


async def test_what_is_erased_while_an_export_is_made_is_not_in_it(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = await erasing_exports(kith, monkeypatch, after=1)
    reply = await use(kith, kith.alice, "memory export")
    assert len(calls) >= 3
    assert all(b"zanzibar" not in data for data in files_of(kith, reply).values())


# --- other servers, from a direct message -------------------------------------------------------


async def test_in_a_direct_message_any_server_of_ones_own_can_be_chosen(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.bob, "I own a castle")
    direct = kith.dm(kith.alice)
    await kith.teach(kith.alice, "I have a secret wish", direct)
    offered = await kith.fake.autocomplete(kith.alice, direct, "memory show", "server", "")
    assert [(one["name"], one["value"]) for one in offered] == [
        ("Direct messages", "0"),
        ("Den", str(kith.guild.id)),
    ]
    assert not await kith.fake.autocomplete(kith.alice, kith.general, "memory show", "server", "")
    refused = await use(kith, kith.alice, "memory show", server="0")
    assert refused.content.startswith("Another server can only be chosen in a direct message")
    there = str(kith.guild.id)
    page = await use(kith, kith.alice, "memory show", direct, server=there)
    assert page.content.startswith("**What I know of you in Den**")
    assert "has a dog named Rex" in page.content
    assert "secret wish" not in page.content
    assert "secret wish" in (await use(kith, kith.alice, "memory show", direct)).content
    files = files_of(kith, await use(kith, kith.alice, "memory export", direct, server=there))
    assert all(b"has a dog named Rex" in data for data in files.values())
    number = await number_of(kith, kith.alice, "has a dog named Rex")
    listed = await kith.fake.autocomplete(
        kith.alice, direct, "memory forget", "memory", "dog", {"server": there}
    )
    assert [one["value"] for one in listed] == [number]
    gone = await use(kith, kith.alice, "memory forget", direct, memory=number, server=there)
    assert gone.content == f"Forgotten: #{number}."
    assert await kith.known_of(kith.alice) == []
    assert await kith.known_of(kith.bob) == ["owns a castle"]


async def test_a_server_that_was_left_can_still_be_chosen(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    direct = kith.dm(kith.alice)
    await kith.talk(kith.alice, "hello", direct)
    there = str(kith.guild.id)
    await kith.fake.remove_bot(kith.guild)
    await kith.calm()
    offered = await kith.fake.autocomplete(kith.alice, direct, "memory show", "server", "server")
    assert [(one["name"], one["value"]) for one in offered] == [(f"server {there}", there)]
    page = await use(kith, kith.alice, "memory show", direct, server=there)
    assert "has a dog named Rex" in page.content
    used = await kith.fake.slash(
        kith.alice, direct, "memory forget", {"memory": "everything", "server": there}
    )
    question = await used.reply()
    assert f"in server {there}" in question.content
    await kith.fake.click(kith.alice, question, "Forget everything")
    await used.edited()
    assert await kith.known_of(kith.alice) == []


async def test_a_server_that_knows_nothing_of_them_is_refused(kith: Den) -> None:
    await kith.teach(kith.bob, "I own a castle")
    direct = kith.dm(kith.alice)
    await kith.talk(kith.alice, "hello", direct)
    for command, server, more in (
        ("memory show", "9" * 40, {}),
        ("memory export", str(kith.guild.id), {}),
        ("memory forget", str(kith.guild.id), {"memory": "1"}),
    ):
        reply = await use(kith, kith.alice, command, direct, server=server, **more)
        assert reply.content.startswith("I store nothing about you in that server")
        assert reply.attachments == []


# --- the menus ----------------------------------------------------------------------------------


async def test_remember_this_keeps_ones_own_message(kith: Den) -> None:
    said = await kith.fake.say(kith.alice, kith.general, "I own a parrot named Polly")
    reply = await menu(kith, kith.alice, "Remember this", said)
    assert reply.content.startswith("Remembered: `#")
    assert await kith.known_of(kith.alice) == ["I own a parrot named Polly"]
    again = await menu(kith, kith.alice, "Remember this", said)
    assert again.content == "I remember that already."
    await kith.fake.delete(said)
    await kith.calm()
    assert await kith.known_of(kith.alice) == []


async def test_what_was_remembered_in_private_stays_there(kith: Den) -> None:
    secret = kith.guild.add_text_channel("secret", private=True)
    secret.overwrite(kith.alice, allow=perms("view_channel", "read_message_history"))
    secret.overwrite(kith.guild.bot_role, allow=perms("view_channel", "read_message_history"))
    said = await kith.fake.say(kith.alice, secret, "I own a parrot named Polly")
    await menu(kith, kith.alice, "Remember this", said, secret)
    assert await kith.known_of(kith.alice) == ["I own a parrot named Polly"]
    await kith.talk(kith.alice, "what is my parrot named?")
    assert "Polly" not in str(kith.prompts()[-1]["messages"])


async def test_nobody_sees_others_unless_the_server_lets_moderators_who_read_the_channel(
    kith: Den,
) -> None:
    secret = kith.guild.add_text_channel("secret", private=True)
    for one in (kith.alice, kith.guild.bot_role):
        secret.overwrite(one, allow=perms("view_channel", "read_message_history", "send_messages"))
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.alice, "I have a hidden treasure", secret)
    assert len(await kith.known_of(kith.alice)) == 2
    for who in (kith.bob, kith.moderator):
        reply = await menu(kith, who, "What do you know?", kith.alice)
        assert reply.content.startswith("What I know about others belongs to them")
    await let_moderators_look(kith)
    refused = await menu(kith, kith.bob, "What do you know?", kith.alice)
    assert refused.content.startswith("What I know about others belongs to them")
    assert "looked" not in (await use(kith, kith.alice, "memory show")).content

    seen = await menu(kith, kith.moderator, "What do you know?", kith.alice)
    assert "**What I know of Alice here**" in seen.content
    assert "has a dog named Rex" in seen.content
    assert "treasure" not in seen.content
    page = await use(kith, kith.alice, "memory show")
    assert f"A moderator (<@{kith.moderator.id}>) looked at this <t:" in page.content
    assert not kith.fake.pings(page).users

"""What a person sees of a message reaches the model, whatever kind of part it is in."""

from typing import Any

import discord
import pytest

from cogs.bot.messages import attachments_of, visible_text
from tests.e2e.den import Den
from tests.fakes.discord import perms
from tests.fakes.discord.things import COMPONENTS_V2, FORUM, PUBLIC_THREAD, Message
from tests.rows import each_row
from utils.common.visible_text import UNREADABLE, own_words_of
from utils.models.memory import Consent, Member

BUTTON = {"type": 2, "style": 1, "custom_id": "x", "label": "Press me"}
TICK = {"type": 2, "style": 1, "custom_id": "t", "emoji": {"id": None, "name": "✅"}}
MEDIA = {"url": "https://example.org/a.png", "proxy_url": "", "placeholder": "", "loading_state": 2}
SELECT = {"type": 3, "custom_id": "s", "options": [{"label": "Only one", "value": "1"}]}
VOICE = {"id": "9", "filename": "voice-message.ogg", "size": 9, "url": "", "proxy_url": ""}
VOICE |= {"content_type": "audio/ogg", "duration_secs": 2.5, "waveform": "AAAA"}
POLL = {
    "question": {"text": "Pizza or pasta?"},
    "answers": [
        {"answer_id": 1, "poll_media": {"text": "Pizza"}},
        {"answer_id": 2, "poll_media": {"text": "Pasta", "emoji": {"id": None, "name": "🍝"}}},
    ],
    "expiry": "2030-01-01T00:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
    "results": {
        "is_finalized": False,
        "answer_counts": [{"id": 1, "count": 7, "me_voted": False}],
    },
}
CARD = {
    "title": "Release 2.0",
    "description": "Faster than before",
    "author": {"name": "Ann Author"},
    "footer": {"text": "small print"},
    "fields": [{"name": "Size", "value": "12 MB"}],
    "timestamp": "2026-12-24T18:00:00+00:00",
}
PARTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "content": ({"content": "plain words"}, ("plain words",)),
    "embeds": (
        {"embeds": [CARD]},
        (
            "[card]",
            "Release 2.0",
            "Faster",
            "Ann Author",
            "small print",
            "Size: 12 MB",
            "2026-12-24T18:00",
        ),
    ),
    "poll": ({"poll": POLL}, ("[poll]", "Pizza or pasta?", "- Pizza (7)", "- Pasta")),
    "poll without words": (
        {
            "poll": {
                **POLL,
                "question": {},
                "answers": [
                    {
                        "answer_id": 1,
                        "poll_media": {"text": None, "emoji": {"id": None, "name": "🍕"}},
                    }
                ],
            }
        },
        ("[poll]\n> - 🍕 (7)",),
    ),
    "sticker_items": (
        {"sticker_items": [{"id": "7", "name": "Wave", "format_type": 1}]},
        ("[sticker]", "Wave"),
    ),
    "activity": (
        {
            "activity": {"type": 1, "party_id": "p"},
            "application": {"id": "5", "name": "Chess", "description": "", "icon": None},
        },
        ("[invitation to join in]", "Chess"),
    ),
    "interaction_metadata": (
        {
            "type": 20,
            "content": "done",
            "interaction_metadata": {
                "id": "8",
                "type": 2,
                "user": {"id": "6", "username": "zoe", "discriminator": "0", "avatar": None},
                "authorizing_integration_owners": {},
            },
        },
        ("done", "[answer to a command by]", "zoe"),
    ),
}
COMPONENTS: dict[int, tuple[dict[str, Any], str]] = {
    1: ({"type": 1, "components": [BUTTON]}, "Press me"),
    2: ({"type": 1, "components": [TICK]}, "✅"),
    3: ({"type": 1, "components": [SELECT]}, "Only one"),
    **{
        kind: (
            {"type": 1, "components": [{"type": kind, "custom_id": "s", "placeholder": "Pick"}]},
            "Pick",
        )
        for kind in (5, 6, 7, 8)
    },
    9: (
        {"type": 9, "components": [{"type": 10, "content": "inner"}], "accessory": BUTTON},
        "inner\n> Press me",
    ),
    10: ({"type": 10, "content": "displayed"}, "displayed"),
    11: (
        {
            "type": 9,
            "components": [{"type": 10, "content": "left"}],
            "accessory": {"type": 11, "media": MEDIA, "description": "a red barn"},
        },
        "a red barn",
    ),
    12: ({"type": 12, "items": [{"media": MEDIA, "description": "a blue barn"}]}, "a blue barn"),
    13: ({"type": 13, "file": MEDIA}, "[file: a.png]"),
    14: ({"type": 14}, "[card]"),
    99: ({"type": 9, "components": [], "accessory": {"type": 99}}, UNREADABLE),
    17: ({"type": 17, "components": [{"type": 10, "content": "boxed"}]}, "boxed"),
}
ONLY_IN_FORMS = {4, 18, 19, 21, 22, 23}


async def seen(kith: Den, said: Message) -> str:
    """Return what Kith sees of a message, as Discord sends it."""
    channel = kith.client.get_channel(said.channel.id)
    assert isinstance(channel, discord.abc.Messageable)
    return visible_text(await channel.fetch_message(said.id))


@each_row("part", sorted(PARTS))
async def test_each_part_leaves_a_trace_sent_or_forwarded(kith: Den, part: str) -> None:
    shown, traces = PARTS[part]
    said = await kith.fake.say(kith.alice, kith.general, shown=shown)
    text = await seen(kith, said)
    assert all(trace in text for trace in traces), text
    forwarded = await kith.fake.say(kith.bob, kith.general, forward=said)
    copy = await seen(kith, forwarded)
    assert copy.startswith("[forwarded message]")
    # a snapshot has none of these
    if not part.startswith(("poll", "activity", "interaction_metadata")):
        assert all(f"> {trace}" in copy or trace in copy for trace in traces), copy
    assert own_words_of(copy) == ""


@each_row("kind", sorted({*COMPONENTS, *(kind.value for kind in discord.ComponentType)}))
async def test_each_kind_of_component_leaves_a_trace(kith: Den, kind: int) -> None:
    if kind in ONLY_IN_FORMS:
        return
    component, trace = COMPONENTS[kind]
    shown = {"components": [component], "flags": COMPONENTS_V2}
    said = await kith.fake.say(kith.alice, kith.general, shown=shown)
    assert trace in await seen(kith, said)


@each_row("kind", [kind for kind in discord.MessageType if kind.value])
async def test_each_type_of_message_leaves_a_trace(kith: Den, kind: discord.MessageType) -> None:
    starter = await kith.fake.say(kith.bob, kith.general, "how it began")
    said = await kith.fake.say(
        kith.alice, kith.general, "its words", reply_to=starter, shown={"type": kind.value}
    )
    text = await seen(kith, said)
    expected = "how it began" if kind is discord.MessageType.thread_starter_message else "its words"
    assert expected in text
    is_written = kind.name in ("reply", "chat_input_command", "context_menu_command", "poll_result")
    assert (text == "its words") is is_written


async def test_times_and_commands_are_what_they_mean(kith: Den) -> None:
    # Bots write times so into their cards, and people get them from Discord's @time.
    code = "`<t:0:R>` ```a` <t:0>``` <t:9999999999999>"
    words = f"raid <t:1796148000:F>, </join:1234>, {code}"
    meant = f"raid 2026-12-01 18:00 UTC, /join, {code}"
    said = await kith.fake.say(
        kith.alice, kith.general, words, shown={"embeds": [{"description": words}]}
    )
    assert await seen(kith, said) == f"{meant}\n[card]\n> {meant}"
    forwarded = await kith.fake.say(kith.bob, kith.general, forward=said)
    assert await seen(kith, forwarded) == f"[forwarded message]\n> {meant}\n> [card]\n> > {meant}"


async def test_pictures_of_cards_and_galleries_leave_a_trace(kith: Den) -> None:
    cards = [{"image": MEDIA}, {"image": MEDIA | {"description": "a barn"}}, {"thumbnail": MEDIA}]
    said = await kith.fake.say(kith.alice, kith.general, shown={"embeds": cards})
    assert await seen(kith, said) == "[card]\n> [image]\n[card]\n> [image] a barn\n[card]"
    gallery = {"type": 12, "items": [{"media": MEDIA}]}
    shown = {"components": [gallery], "flags": COMPONENTS_V2}
    said = await kith.fake.say(kith.alice, kith.general, shown=shown)
    assert await seen(kith, said) == "[card]\n> [image]"


@each_row("name", ["план v2.pdf", "Plän.pdf", "план", "plan.pdf"])
async def test_a_file_has_the_name_that_people_see(kith: Den, name: str) -> None:
    said = await kith.fake.say(kith.alice, kith.general, files=[(name, b"words")])
    channel = kith.client.get_channel(said.channel.id)
    assert isinstance(channel, discord.abc.Messageable)
    (attachment,) = attachments_of(await channel.fetch_message(said.id))
    assert attachment.name == name


@each_row("part", ["embeds", "poll", "sticker_items"])
async def test_a_message_replied_to_is_shown_with_all_its_parts(kith: Den, part: str) -> None:
    shown, traces = PARTS[part]
    said = await kith.fake.say(kith.bob, kith.general, shown=shown)
    asked = await kith.fake.say(kith.alice, kith.general, "<@bot> well?", reply_to=said)
    await kith.answer_to(asked)
    quoted, _, question = kith.last_words().rpartition("\n")
    assert question == "Alice: well?"
    assert all(trace in quoted for trace in traces), quoted


async def test_forwarded_words_are_shown_as_such_and_teach_nothing(kith: Den) -> None:
    said = await kith.fake.say(kith.bob, kith.general, "I have a parrot named Coco")
    place = kith.dm(kith.alice)
    forwarded = await kith.fake.say(kith.alice, place, forward=said)
    await kith.answer_to(forwarded)
    assert kith.last_words() == "Alice: [forwarded message]\n> I have a parrot named Coco"
    await kith.talk(kith.alice, "what did that say?", place)
    turns = [message["content"] for message in kith.prompts()[-1]["messages"]]
    assert "Alice: [forwarded message]\n> I have a parrot named Coco" in turns
    await kith.calm()
    assert not any("Coco" in str(request) for request in kith.extractions())
    assert await kith.known_of(kith.alice, direct=True) == []


async def test_a_mention_is_found_by_its_id_and_a_blank_name_is_not_shown(kith: Den) -> None:
    await kith.fake.change_member(kith.bob, nick="\u3164")
    await kith.fake.change_member(kith.guild.me, nick="Kith the Great")
    asked = await kith.fake.say(
        kith.bob, kith.general, f"<@bot> who is {kith.alice.mention}, <@&7>, <@bot>?"
    )
    await kith.answer_to(asked)
    assert kith.last_words().endswith("bob: who is @Alice, @unknown role, Kith the Great?")


async def test_a_thread_is_known_by_its_title_and_the_message_that_it_was_made_from(
    kith: Den,
) -> None:
    said = await kith.fake.say(kith.bob, kith.general, "my printer prints only cats")
    thread = kith.fake.world.make_thread(
        kith.general, "printer woes", kith.bob.id, PUBLIC_THREAD, set(), id=said.id
    )
    await kith.talk(kith.alice, "any idea how to fix this?", thread)
    told = kith.last_words()
    assert "<place>\ntitle: printer woes\nchannel: #general\n</place>" in told
    assert "(in a thread that began with a message by Bob, who wrote: my printer prints" in told


async def test_a_post_is_known_by_its_title_its_tags_and_its_channel(kith: Den) -> None:
    forum = kith.guild.add_channel("help", FORUM, topic="Ask about\nboats </place>here")
    forum.tags = {7: "sails", 8: "oars"}
    kith.fake.world.announce("CHANNEL_UPDATE", forum)
    post, asked = await kith.fake.open_post(
        kith.alice, forum, "How do I reef?", "<@bot> title says it all", tags=["sails"]
    )
    await kith.answer_to(asked)
    told = kith.last_words()
    assert "title: How do I reef?\ntag: sails\nchannel: #help\ntopic: Ask about boats (" in told
    assert told.endswith("title says it all\n[title of this post]\n> How do I reef?\n> tag: sails")
    await kith.talk(kith.bob, "well?", post)
    assert "title says it all" in str(kith.prompts()[-1])
    assert "began with" not in kith.last_words()  # it is one of the turns before


async def test_a_linked_message_is_read_where_everyone_may_read_it(kith: Den) -> None:
    archived = kith.guild.add_text_channel("open").add_thread("old")
    hidden = kith.guild.add_text_channel("hidden", private=True)
    hidden.overwrite(kith.guild.me, allow=perms("view_channel", "read_message_history"))
    for place, is_read in ((archived, True), (hidden, False), (kith.dm(kith.alice), False)):
        said = await kith.fake.say(kith.moderator, archived, "the meeting is at noon")
        await kith.fake.archive_thread(archived)
        said.channel, place.messages[said.id] = place, said
        # Anybody can write a link to another server's channel, or to a conversation with Kith.
        await kith.talk(kith.alice, said.jump_url.replace("@me", str(kith.guild.id)))
        words = ("a link to a message by Mia, who wrote: the meeting", "at noon", str(said.id))
        assert [part in kith.last_words() for part in words] == [is_read, is_read, True]


async def test_what_a_channel_is_for_is_known(kith: Den) -> None:
    boats = kith.guild.add_text_channel("boats", topic="Sailing and rowing")
    await kith.talk(kith.alice, "what is this channel for?", boats)
    assert "<place>\nchannel: #boats\ntopic: Sailing and rowing\n</place>" in kith.last_words()


@pytest.mark.parametrize("consent", [Consent.TEMPORARY, Consent.OFF])
async def test_a_message_that_calls_kith_after_an_edit_is_answered_once(
    kith: Den, consent: Consent
) -> None:
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.alice.id), consent)
    said = await kith.fake.say(kith.alice, kith.general, "who knows a good book?")
    assert await kith.stays_silent(said)
    await kith.fake.edit(said, "<@bot> who knows a good book?")
    await kith.answer_to(said)
    assert kith.last_words().endswith("Alice: who knows a good book?")
    await kith.fake.edit(said, "<@bot> who knows a better book?")
    await kith.calm()
    assert len(kith.answers()) == len(kith.prompts()) == 1


async def test_a_reply_is_one_even_if_discord_leaves_out_to_what(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await kith.talk(kith.alice, "hello")
    monkeypatch.setattr(kith.fake.world, "sends_least", True)
    asked = await kith.fake.say(
        kith.alice, kith.general, "and now?", reply_to=first, ping_reply=False
    )
    await kith.answer_to(asked)
    assert "(in reply to Kith, who wrote: Hello" in kith.last_words()


async def test_a_message_in_a_thread_that_discord_has_not_sent_is_answered(
    kith: Den, caplog
) -> None:
    thread = kith.general.add_thread("plans")
    await kith.calm()
    guild = kith.client.get_guild(kith.guild.id)
    guild._threads.pop(thread.id)
    await kith.talk(kith.alice, "hello", thread)
    assert kith.client.get_channel(thread.id) is not None
    guild._channels.pop(kith.general.id)  # as one of a type that discord.py does not know
    assert await kith.stays_silent(await kith.fake.say(kith.alice, thread, "<@bot> and now?"))
    assert f"{thread.id}, which Discord has not sent" in caplog.text


async def test_a_message_of_a_server_that_is_not_known_yet_is_no_direct_message(
    kith: Den, caplog
) -> None:
    state = kith.client._connection
    guild = state._guilds.pop(kith.guild.id)
    asked = await kith.fake.say(kith.alice, kith.general, "<@bot> psst")
    assert await kith.stays_silent(asked)
    assert f"{kith.general.id}, which Discord has not sent" in caplog.text
    state._guilds[kith.guild.id] = guild
    assert await kith.known_of(kith.alice, direct=True) == []

"""Exports of other programs' making: read as far as they make sense, never further."""

import io
import json
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.common.errors import BadInput
from utils.common.visible_text import own_words_of
from utils.memory.history.discord_export import (
    COMPRESSED_FILE,
    DAMAGED,
    DIRECT_EXPORT,
    EMPTY,
    NO_EXPORT,
    NOT_UTF8,
    TOO_DEEP,
    DiscordExport,
)
from utils.memory.policy.storable_events import storable
from utils.models.history import ExportedChannel, SkipReason
from utils.models.memory import Event

FIRST_ID = 1_400_000_000_000_000_000


def a_message(text="hello there", number=0, **given):
    author = {"id": "77", "name": "ada", "nickname": "Ada", "isBot": False} | given.pop(
        "author", {}
    )
    return {
        "id": str(FIRST_ID + number),
        "type": "Default",
        "timestamp": "2026-02-28T12:00:00.123+01:00",
        "timestampEdited": None,
        "content": text,
        "author": author,
        "mentions": [],
    } | given


def an_export(*messages, **given):
    return {
        "guild": {"id": "5", "name": "Den"},
        "channel": {"id": "50", "type": "GuildTextChat", "categoryId": "7", "name": "general"},
        "dateRange": {"after": None, "before": None},
        "messages": list(messages),
        "messageCount": len(messages),
    } | given


def opened(whole):
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return DiscordExport(io.BytesIO(data), "past.json")


def read(whole):
    """What is read, and the sentence that ends it."""
    found, sentence = [], ""
    try:
        found.extend(opened(whole).messages())
    except BadInput as error:
        sentence = str(error)
    return found, sentence


def one_of(**given):
    (found,), sentence = read(an_export(a_message(**given)))
    assert not sentence
    return found


def test_a_message_becomes_an_event_with_its_own_date():
    (event,), _ = read(an_export(a_message("I have a dog", timestampEdited="2026-03-01T00:00:00Z")))
    assert event == Event(
        guild_id=5,
        channel_id=50,
        source_id=50,
        message_id=FIRST_ID,
        author_id=77,
        author_name="Ada",
        role="member",
        text="I have a dog",
        created_at=datetime(2026, 2, 28, 11, 0, 0, 123000, tzinfo=UTC),
        revision=1772323200000,
    )


def test_without_a_nickname_the_account_gives_the_name():
    assert one_of(author={"nickname": None}).author_name == "ada"


def test_a_public_thread_is_heard_by_the_readers_of_its_parent():
    thread = {"id": "51", "type": "GuildPublicThread", "categoryId": "50"}
    assert opened(an_export(channel=thread)).channel == ExportedChannel(5, 51, 50)
    thread["type"] = "GuildPrivateThread"
    assert opened(an_export(channel=thread)).channel == ExportedChannel(5, 51, 51)


def test_a_reply_answers_its_message_and_what_is_forwarded_answers_none():
    reference = {"messageId": "123", "channelId": "50", "guildId": "5"}
    assert one_of(type="Reply", reference=reference).reply_to_id == 123
    assert one_of(type="19", reference=reference).reply_to_id == 123  # before version 2.26
    assert one_of(reference=reference).reply_to_id is None
    assert one_of(type="Reply", reference={"messageId": None}).reply_to_id is None


def test_what_a_message_shows_is_read_and_is_not_its_authors() -> None:
    forwarded = {"content": "I own a boat", "stickers": [{"name": "Wave"}]}
    event = one_of(text="", forwardedMessage=forwarded)
    assert event.text == "[forwarded message]\n> I own a boat\n> [sticker]\n> > Wave"
    assert own_words_of(event.text) == storable(event).stems == ""
    card = {"title": "News", "fields": [{"name": "Price", "value": "5"}]}
    assert one_of(text="look", embeds=[card]).text == "look\n[card]\n> News\n> Price: 5"
    button = {"type": "ActionRow", "components": [{"type": "Button", "label": "Join"}]}
    assert one_of(text="", components=[button]).text == "[card]\n> Join"
    for broken in ({"embeds": ["x"]}, {"stickers": [{}]}, {"components": [5]}):
        assert one_of(text="hi", **broken) is SkipReason.MALFORMED


def test_mentions_are_read_as_names():
    mentions = [{"id": "9", "name": "bob", "nickname": "Bob"}]
    assert one_of(text="<@9> and <@!8>, hi", mentions=mentions).text == "@Bob and @someone, hi"


@each_row(
    ("given", "why"),
    [
        ({"author": {"isBot": True}}, SkipReason.NOT_A_MEMBER),
        ({"author": {"id": "0", "name": "Deleted User"}}, SkipReason.NOT_A_MEMBER),
        ({"author": {"id": "456226577798135808"}}, SkipReason.NOT_A_MEMBER),
        ({"type": "ChannelPinnedMessage"}, SkipReason.SYSTEM_MESSAGE),
        ({"type": "20"}, SkipReason.SYSTEM_MESSAGE),
        ({"text": ""}, SkipReason.NO_TEXT),
        ({"text": None}, SkipReason.NO_TEXT),
        ({"text": "<:dog:123> !!"}, SkipReason.NO_TEXT),
        ({"text": 5}, SkipReason.MALFORMED),
        ({"id": "one"}, SkipReason.MALFORMED),
        ({"id": "9" * 19}, SkipReason.MALFORMED),
        ({"timestamp": "yesterday"}, SkipReason.MALFORMED),
        ({"timestamp": None}, SkipReason.MALFORMED),
        ({"timestamp": "0001-01-01T00:00:00+14:00"}, SkipReason.MALFORMED),
        ({"timestamp": "0001-01-01T00:00:00+00:00"}, SkipReason.MALFORMED),
        ({"timestamp": "2014-12-31T23:59:59+00:00"}, SkipReason.MALFORMED),
        ({"timestamp": "9999-12-31T23:59:59+00:00"}, SkipReason.MALFORMED),
        ({"timestampEdited": "9999-12-31T23:59:59+00:00"}, SkipReason.MALFORMED),
        ({"author": {"id": None}}, SkipReason.MALFORMED),
    ],
)
def test_what_is_no_members_message_is_said_to_be_none(given, why):
    assert one_of(**given) is why


def test_items_that_are_no_messages_are_counted_and_end_nothing():
    found, sentence = read(an_export(None, 5, [], {}, a_message()))
    assert found[:4] == [SkipReason.MALFORMED] * 4
    assert isinstance(found[4], Event)
    assert not sentence


def test_what_is_nested_without_end_is_read_no_further():
    deep = "[" * 100_000 + "]" * 100_000
    whole = json.dumps(an_export(a_message(), a_message(number=1), a_message(number=2)))
    before, behind = whole.rsplit('"mentions": []', 1)
    begun = time.process_time()
    found, sentence = read(f'{before}"mentions": {deep}{behind}'.encode())
    assert time.process_time() - begun < 5  # ijson's own reading of it takes a minute
    assert len(found) == 2
    assert sentence == TOO_DEEP.format(file="past.json", count=2)


def test_only_the_exports_own_messages_are_read():
    whole = an_export(a_message(), embeds={"messages": [a_message(number=5)]})
    assert len(read({"more": {"messages": [1]}, **whole, "messages ": [2]})[0]) == 1


@each_row(
    ("data", "sentence"),
    [
        (b"", EMPTY),
        (b" \n ", EMPTY),
        (b"hello", NO_EXPORT),
        (b"[1, 2]", NO_EXPORT),
        (b'{"hello": 1}', NO_EXPORT),
        (b'{"messages": [{"id": 1}]}', NO_EXPORT),
        (b'{"guild": {"id": "x"}, "channel": {"id": "5"}, "messages": []}', NO_EXPORT),
        (b"\x1f\x8b\x08\x00rest", COMPRESSED_FILE),
        (b"PK\x03\x04rest", COMPRESSED_FILE),
        ("{}".encode("utf-16"), NOT_UTF8),
        (b'{"guild": {"id": "0"}, "channel": {"id": "5"}, "messages": []}', DIRECT_EXPORT),
        (b"\x00" * 100, NO_EXPORT),
        (b'{"guild": {"id": "1"', DAMAGED),
        (b'{"a": ' + b"[" * 500_000, NO_EXPORT),
        (b'{"padding": "' + b"x" * 2_000_000, NO_EXPORT),
    ],
)
def test_what_is_no_export_gets_one_sentence_that_names_the_file(data, sentence):
    with pytest.raises(BadInput) as caught:
        opened(data)
    assert caught.value.template == sentence
    assert "past.json" in str(caught.value)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(
    st.recursive(
        st.none() | st.integers() | TEXTS,
        lambda one: (
            st.lists(one, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["id", "author", "content", "type", "timestamp", "mentions", "reference", "x"]
                ),
                one,
                max_size=5,
            )
        ),
        max_leaves=15,
    )
)
def test_any_json_in_the_place_of_a_message_is_read_or_counted(value):
    (found,), sentence = read(an_export(value))
    assert isinstance(found, Event | SkipReason)
    assert not sentence

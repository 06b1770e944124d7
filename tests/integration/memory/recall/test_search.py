"""Search with recall's ranking: all of the words first, then what fits best, within filters."""

from zoneinfo import ZoneInfo

import pytest

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, NOON, at, texts
from tests.fakes.clock import ManualClock
from tests.integration.memory.member_data.test_search import (
    HERE,
    SECRET_CHANNEL,
    remember,
    searched,
)
from tests.integration.memory.member_data.test_stored_messages import say
from utils.common.errors import BadInput
from utils.memory.member_data.search import SearchFilter
from utils.memory.recall.ranked_search import RankedSearch
from utils.models.memory import Kind, Member
from utils.models.recall import Similarities

__all__ = ["searched"]  # a fixture: with a full-text index, and without
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def searcher(searched):
    return RankedSearch(searched, ManualClock())


def only(kind=None, channel=None, when=None, **given):
    return SearchFilter.of(kind, channel, when, NOON, BERLIN, **given)


async def test_a_question_finds_what_answers_it(searcher, searched):
    stored = "adopted a dog named Rex from the shelter"
    question = "Which animal shelter did I get my dog from?"
    await remember(searched, "plays chess on Fridays")
    await remember(searched, stored)
    found = await searcher.of_member(ADA, question)
    assert (found.rows, texts(found.others)) == ((), [stored])
    found = await searcher.of_server(GUILD, question, HERE)
    assert (found.rows, texts(found.others)) == ((), [stored])


async def test_what_has_all_of_the_words_comes_first(searcher, searched):
    await remember(searched, "has a dog named Rex and a cat")
    await remember(searched, "walks the dog every evening")
    await remember(searched, "walks to work")
    for found in (
        await searcher.of_member(ADA, "Rex dog"),
        await searcher.of_server(GUILD, "Rex dog", HERE),
    ):
        assert texts(found.rows) == ["has a dog named Rex and a cat"]
        assert texts(found.others) == ["walks the dog every evening"]


async def test_messages_are_found_once_and_only_their_authors_and_no_moderators(searcher, searched):
    behind = await say(searched, "my grey dog sleeps all day")
    await remember(searched, "has a grey dog", id=behind.message_id)  # its evidence's message
    await say(searched, "the dog of my neighbour barks")
    await say(searched, "my dog and my cat fight", author_id=BOB.user_id)
    found = await searcher.of_member(ADA, "grey dog trouble")
    assert texts(found.others) == ["has a grey dog", "the dog of my neighbour barks"]
    looked = await searcher.of_member(ADA, "grey dog trouble", HERE, for_others=True)
    assert texts(looked.others) == ["has a grey dog"]


async def test_an_answer_is_found_by_the_words_of_the_question_before_it(searcher, searched):
    await say(searched, "what did you paint on holiday?", author_id=BOB.user_id)
    await say(searched, "mostly the old lighthouse")
    found = await searcher.of_member(ADA, "the picture that I did paint")
    assert texts(found.others) == ["mostly the old lighthouse"]


async def test_only_what_may_be_seen_is_found(searcher, searched):
    secret = "hides a dog in the cellar"
    await remember(searched, secret, channel_id=SECRET_CHANNEL)
    await remember(searched, "had a dog once", expires_at=at(days=-1))
    await remember(searched, "has a dog elsewhere", Member(2, ADA.user_id))
    await say(searched, "the dog is in channel 666", channel_id=SECRET_CHANNEL)
    words = "dog trouble"
    assert (await searcher.of_server(GUILD, words, HERE)).others == ()
    assert (await searcher.of_member(ADA, words, HERE)).others == ()
    own = await searcher.of_member(ADA, words)
    assert texts(own.others) == [secret, "the dog is in channel 666"]


async def test_a_search_is_limited_to_a_kind_a_channel_and_a_time(searcher, searched):
    await remember(searched, "has a dog", kind=Kind.FACT)
    await remember(searched, "likes dogs", kind=Kind.PREFERENCE, channel_id=SECRET_CHANNEL)
    await say(searched, "my dog ate my socks", created_at=at(days=-1))
    await say(searched, "that dog again", channel_id=5, source_id=CHANNEL)  # in a thread
    limits = {
        only(): ["likes dogs", "has a dog", "that dog again", "my dog ate my socks"],
        only(Kind.FACT): ["has a dog"],
        only(own_words=True): ["that dog again", "my dog ate my socks"],
        only(channel=SECRET_CHANNEL): ["likes dogs"],
        only(channel=CHANNEL): ["has a dog", "that dog again", "my dog ate my socks"],
        only(when="yesterday"): ["my dog ate my socks"],
        only(when="gestern"): ["my dog ate my socks"],
        only(when="Today"): ["likes dogs", "has a dog", "that dog again"],
    }
    for limit, expected in limits.items():
        found = await searcher.of_member(ADA, "dog", only=limit)
        assert texts([*found.rows, *found.messages]) == expected
        found = await searcher.of_member(ADA, "dog trouble", only=limit)
        assert sorted(texts(found.others)) == sorted(expected)
    rows = await searcher.of_server(GUILD, "dog", HERE, only=only(Kind.PREFERENCE))
    assert (rows.rows, rows.others) == ((), ())


async def test_a_time_that_is_none_is_refused():
    with pytest.raises(BadInput, match="I do not understand that time"):
        only(when="purple")


async def test_what_means_the_same_is_found_where_a_model_compares(searched):
    row_id = await remember(searched, "adores her puppy")
    await remember(searched, "works as a nurse")

    class Alike:
        async def to(self, text, about):
            assert (text, list(about)) == ("hound", [ADA])
            return Similarities({row_id: 0.8})

    searcher = RankedSearch(searched, ManualClock(), Alike())
    assert texts((await searcher.of_member(ADA, "hound")).others) == ["adores her puppy"]

"""What is prepared of members is kept for those recalled last, as much as fits."""

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from utils.memory.recall.prepared_cache import MEMBER_SIZE, PreparedCache
from utils.models.memory import Member

CAPACITY = 20
MEMBERS = [Member(1, user_id) for user_id in range(5)]
RECALLS = st.lists(
    st.tuples(st.sampled_from(MEMBERS), st.integers(0, CAPACITY - MEMBER_SIZE)),
    max_size=3 * CAPACITY,
)


@given(RECALLS)
def test_those_recalled_last_are_kept_as_many_as_fit(recalls):
    cache, expected = PreparedCache(CAPACITY), OrderedDict()
    for member, size in recalls:
        prepared = [None] * size  # only its length counts here
        cache.put(member, prepared)
        expected.pop(member, None)
        expected[member] = prepared
        while sum(len(kept) + MEMBER_SIZE for kept in expected.values()) > CAPACITY:
            expected.popitem(last=False)
        assert [cache.get(member) for member in MEMBERS] == [*map(expected.get, MEMBERS)]


def test_who_does_not_fit_at_all_is_not_kept():
    cache = PreparedCache(CAPACITY)
    cache.put(MEMBERS[0], [None] * CAPACITY)
    assert cache.get(MEMBERS[0]) is None

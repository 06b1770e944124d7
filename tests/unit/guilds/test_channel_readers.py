"""The rule about readers, compared with asking every possible member one by one."""

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from utils.guilds.channel_readers import Obstacle, ServerReaders
from utils.guilds.permission_rules import (
    ADMINISTRATOR,
    CONNECT,
    HISTORY,
    VIEW,
    ChannelOverwrite,
    ServerChannel,
    ServerRole,
)

GUILD, OWNER, BOT, BASE = 1, 900, 901, 10
ROLES = range(10, 14)
PEOPLE = (800, 801)
BITS = (VIEW, HISTORY, CONNECT)


def sums(bits):
    return st.lists(st.sampled_from(bits), unique=True).map(sum)


overwrites = st.builds(
    lambda target, allow, deny: ChannelOverwrite(target, target >= 800, allow & ~deny, deny),
    st.sampled_from([GUILD, *ROLES, *PEOPLE, BOT, OWNER, 77]),
    sums(BITS),
    sums(BITS),
)
channels = st.lists(
    st.tuples(
        st.lists(overwrites, max_size=5, unique_by=lambda made: made.target_id),
        st.booleans(),
        st.booleans(),
    ),
    min_size=2,
    max_size=3,
)
permissions = sums((*BITS, ADMINISTRATOR))


def permission(channel, everyone, roles, held, user_id, bit):
    """One bit of one member, as Discord documents it: base, @everyone, roles, the member."""
    has = everyone
    for role_id in held:
        has |= roles[role_id].permissions
    if has & ADMINISTRATOR:
        return True
    by_target = {made.target_id: made for made in channel.overwrites}
    if GUILD in by_target:
        has = has & ~by_target[GUILD].deny | by_target[GUILD].allow
    allow = deny = 0
    for role_id in held:
        if role_id in by_target:
            allow |= by_target[role_id].allow
            deny |= by_target[role_id].deny
    has = has & ~deny | allow
    if user_id in by_target:
        has = has & ~by_target[user_id].deny | by_target[user_id].allow
    return bool(has & bit)


def holds_all(channel, bits, *who):
    needed = [*bits, CONNECT] if channel.is_vocal else bits
    return all(permission(channel, *who, bit) for bit in needed)


def can_have_base(role):
    return not role.is_bot and not role.permissions & ADMINISTRATOR


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


@settings(max_examples=60)
@given(
    made=channels,
    everyone=sums(BITS),
    role_permissions=st.lists(permissions, min_size=4, max_size=4),
    bot_role=st.sampled_from([None, 11]),
    base=st.sampled_from([None, BASE, 99]),
    implied=st.sets(st.sampled_from(ROLES)),
    known=st.dictionaries(
        st.sampled_from(PEOPLE), st.none() | st.frozensets(st.sampled_from(ROLES))
    ),
)
def test_a_source_is_one_that_every_possible_member_can_read(
    made, everyone, role_permissions, bot_role, base, implied, known
):
    roles = {
        role_id: ServerRole(role_id, bits, role_id == bot_role)
        for role_id, bits in zip(ROLES, role_permissions, strict=True)
    }
    places = [ServerChannel(index, *values) for index, values in enumerate(made)]
    readers = ServerReaders(
        OWNER,
        ServerRole(GUILD, everyone),
        roles.values(),
        places,
        bot_ids=[BOT],
        base_role_id=base,
        implied_role_ids=implied,
    )
    sets = [
        held
        for held in subsets([role_id for role_id in ROLES if role_id != bot_role])
        if base != BASE or BASE in held or implied.isdisjoint(held)
    ]
    known = {  # nobody has a bot's role, or an implied role without the base role
        user_id: held
        for user_id, held in known.items()
        if held is None or tuple(sorted(held)) in sets
    }
    overwrites = [made for place in places for made in place.overwrites if made.allow | made.deny]
    named = {made.target_id for made in overwrites if made.is_member} - {BOT, OWNER}
    people = [(0, held) for held in sets]
    for user_id in named:
        if user_id not in known:
            people += [(user_id, held) for held in sets]
        elif known[user_id] is not None:
            people.append((user_id, tuple(known[user_id])))
    for answer in places:
        for source in places:
            is_hidden = source.is_age_restricted and not answer.is_age_restricted
            is_source = not is_hidden and all(
                holds_all(source, [VIEW, HISTORY], everyone, roles, held, user_id)
                for user_id, held in people
                if holds_all(answer, [VIEW], everyone, roles, held, user_id)
            )
            found = source.channel_id in readers.sources(answer.channel_id, known)
            assert found == is_source, (answer, source)
            obstacle = readers.obstacle(answer.channel_id, source.channel_id, known)
            assert (obstacle is None) == is_source
        decided = frozenset(PEOPLE) - readers.undecided_members(answer.channel_id, known)
        for relevant in (
            {id: known[id] for id in readers.named_members(answer.channel_id) & known.keys()},
            dict.fromkeys(decided, frozenset()) | known,
        ):
            sources = readers.sources(answer.channel_id, relevant)
            assert sources == readers.sources(answer.channel_id, known)
    open_to_all = {
        place.channel_id
        for place in places
        if (base is None or (base == BASE and can_have_base(roles[BASE])))
        and all(
            holds_all(place, [VIEW, HISTORY], everyone, roles, held, user_id)
            for user_id, held in people
            if base is None or BASE in held
        )
    }
    assert readers.open_channels(known) == open_to_all


def server(*places, roles=(), everyone=VIEW | HISTORY | CONNECT, **given):
    return ServerReaders(OWNER, ServerRole(GUILD, everyone), roles, places, bot_ids=[BOT], **given)


def test_the_obstacle_names_the_role_and_the_permission_that_is_missing():
    hidden = ChannelOverwrite(GUILD, False, 0, VIEW)
    members = ServerChannel(1, [hidden, ChannelOverwrite(10, False, VIEW, 0)])
    reception = ServerChannel(
        2, [hidden, *(ChannelOverwrite(id, False, VIEW, 0) for id in (10, 11))]
    )
    readers = server(members, reception, roles=[ServerRole(10, 0), ServerRole(11, 0)])
    assert readers.obstacle(2, 1, {}) == Obstacle(VIEW, (11,))
    assert readers.obstacle(1, 2, {}) is None


def test_a_base_role_that_is_gone_opens_no_channel():
    assert server(ServerChannel(1, [])).open_channels({}) == {1}
    assert server(ServerChannel(1, []), base_role_id=10).open_channels({}) == frozenset()


def test_a_hidden_channel_is_not_open_to_everybody():
    hidden = ServerChannel(1, [ChannelOverwrite(GUILD, False, 0, VIEW)])
    assert server(hidden, ServerChannel(2, [])).open_channels({}) == {2}


def test_what_everybody_with_the_base_role_reads_is_open():
    overwrites = [ChannelOverwrite(GUILD, False, 0, VIEW), ChannelOverwrite(BASE, False, VIEW, 0)]
    given = {"roles": [ServerRole(BASE, 0)]}
    of_base = ServerChannel(1, overwrites)
    assert server(of_base, **given, base_role_id=BASE).open_channels({}) == {1}
    assert server(of_base, **given).open_channels({}) == frozenset()
    behind_another = [ServerRole(12, 0), ServerRole(BASE, 0)]
    readers = server(of_base, roles=behind_another, base_role_id=BASE)
    assert readers.open_channels({}) == {1}, "wherever the base role is in the list of roles"


def test_a_role_that_is_shut_out_is_so_beside_a_base_role_and_what_one_implies_lets_in():
    hidden, of_implied = (
        ChannelOverwrite(GUILD, False, 0, VIEW),
        ChannelOverwrite(11, False, VIEW, 0),
    )
    shut_out = ServerChannel(1, [ChannelOverwrite(12, False, 0, VIEW)])
    without_base = ServerChannel(2, [ChannelOverwrite(BASE, False, 0, VIEW), of_implied])
    readers = server(
        *(shut_out, without_base, ServerChannel(3, []), ServerChannel(4, [hidden, of_implied])),
        roles=[ServerRole(role_id, 0) for role_id in (BASE, 11, 12)],
        base_role_id=BASE,
        implied_role_ids=[11],
    )
    assert readers.sources(3, {}) == {3}, "members with role 12, and those with the base role alone"
    assert readers.sources(4, {}) == {2, 3, 4}


def test_an_administrator_or_a_bot_named_first_does_not_count_for_the_next_person():
    shut_out = [ChannelOverwrite(user_id, True, 0, VIEW) for user_id in PEOPLE]
    readers = server(
        ServerChannel(1, shut_out), ServerChannel(2, []), roles=[ServerRole(10, ADMINISTRATOR)]
    )
    admin, nothing = frozenset({10}), frozenset()
    assert readers.sources(2, {800: admin, 801: admin}) == {1, 2}
    for first in (admin, None):
        assert readers.sources(2, {800: first, 801: nothing}) == {2}


def test_the_roles_of_a_person_who_is_let_into_the_answer_decide():
    hidden, of_role = ChannelOverwrite(GUILD, False, 0, VIEW), ChannelOverwrite(10, False, VIEW, 0)
    without_history = ChannelOverwrite(GUILD, False, 0, VIEW | HISTORY)
    answer = ServerChannel(1, [without_history, of_role, ChannelOverwrite(800, True, VIEW, 0)])
    readers = server(answer, ServerChannel(2, [hidden, of_role]), roles=[ServerRole(10, 0)])
    assert readers.named_members(1) == {800}
    assert readers.sources(1, {800: frozenset({10})}) == {2}
    assert readers.sources(1, {800: frozenset()}) == frozenset()


def test_the_obstacle_names_the_person_who_is_shut_out():
    shut_out = ServerChannel(1, [ChannelOverwrite(800, True, 0, HISTORY)])
    readers = server(shut_out, ServerChannel(2, []))
    assert readers.obstacle(2, 1, {800: frozenset()}) == Obstacle(HISTORY, (), 800)
    assert readers.open_obstacle(1, {800: frozenset()}) == Obstacle(HISTORY, (), 800)


def test_where_everybody_is_an_administrator_everything_is_readable():
    hidden = ServerChannel(1, [ChannelOverwrite(GUILD, False, 0, VIEW)])
    readers = server(hidden, ServerChannel(2, []), everyone=ADMINISTRATOR)
    assert readers.sources(2, {}) == readers.open_channels({}) == {1, 2}
    assert readers.obstacle(2, 1, {}) is None


def test_an_unknown_channel_has_no_sources():
    readers = server(ServerChannel(1, []))
    assert readers.sources(2, {}) == readers.named_members(2) == frozenset()


def text(channel_id, *overwrites, **given):
    """A channel with overwrites of roles: (id, allow, deny)."""
    made = [ChannelOverwrite(id, id >= 800, allow, deny) for id, allow, deny in overwrites]
    return ServerChannel(channel_id, made, **given)


FOUR = [ServerRole(role_id, 0) for role_id in ROLES]


def test_an_obstacle_names_as_few_roles_as_are_needed():
    readers = server(
        text(1),
        text(2, (10, 0, VIEW), (11, 0, VIEW)),
        text(3, (GUILD, 0, VIEW), (12, VIEW, 0), (13, VIEW, 0)),
        text(4, (GUILD, 0, VIEW), (10, VIEW, 0), (12, VIEW, 0)),
        text(5, (GUILD, 0, CONNECT), (11, CONNECT, 0), (13, CONNECT, 0), is_vocal=True),
        roles=FOUR,
    )
    expected = {
        (1, 2): (VIEW, (10,)),
        (1, 3): (VIEW, ()),
        (3, 2): (VIEW, (10, 12)),
        (3, 4): (VIEW, (13,)),
        (4, 3): (VIEW, (10,)),
        (5, 4): (VIEW, (11,)),
        (5, 2): (VIEW, (10, 11)),
        (1, 5): (CONNECT, ()),
        (3, 5): (CONNECT, (12,)),
    }
    for (answer, source), (permission, role_ids) in expected.items():
        assert readers.obstacle(answer, source, {}) == Obstacle(permission, role_ids)
        assert source not in readers.sources(answer, {})
    for same in range(1, 6):
        assert readers.obstacle(same, same, {}) is None
        assert readers.obstacle(same, 1, {}) is None
    assert readers.open_obstacle(2, {}) == Obstacle(VIEW, (10,))


def test_only_voice_channels_need_connect():
    shut = (GUILD, 0, CONNECT)
    readers = server(text(1, shut), text(2, shut, is_vocal=True), text(3))
    assert readers.sources(3, {}) == {1, 3}
    assert readers.obstacle(3, 2, {}) == Obstacle(CONNECT)
    assert readers.sources(2, {}) == {1, 2, 3}


def test_age_restricted_channels_are_sources_of_each_other_only():
    readers = server(text(1, is_age_restricted=True), text(2), text(3, is_age_restricted=True))
    assert [readers.sources(id, {}) for id in (1, 2, 3)] == [{1, 2, 3}, {2}, {1, 2, 3}]
    assert readers.obstacle(2, 1, {}) == Obstacle(0)
    assert readers.obstacle(1, 2, {}) is None
    assert [readers.is_age_restricted(id) for id in (1, 2)] == [True, False]
    assert {id for id in range(6) if id in readers} == {1, 2, 3}


def test_where_members_read_by_their_roles_a_role_that_gives_it_is_needed():
    """@everyone may not view channels; roles 10 and 11 give it, and an overwrite takes it away."""
    roles = [
        ServerRole(10, VIEW),
        ServerRole(11, VIEW),
        ServerRole(12, 0),
        ServerRole(13, VIEW, True),
    ]
    readers = server(
        text(1),
        text(2, (GUILD, 0, VIEW)),
        text(3, (11, 0, VIEW)),
        text(4, (GUILD, VIEW, 0)),
        text(5, (12, VIEW, 0)),
        roles=roles,
        everyone=HISTORY,
    )
    assert readers.sources(1, {}) == {1, 4, 5}
    assert readers.obstacle(1, 2, {}) == Obstacle(VIEW, (10,))
    assert readers.obstacle(1, 3, {}) == Obstacle(VIEW, (11,))
    assert readers.obstacle(4, 1, {}) == Obstacle(VIEW)
    assert readers.obstacle(5, 1, {}) == Obstacle(VIEW, (12,))
    assert readers.sources(2, {}) == {1, 2, 3, 4, 5}, "nobody reads it"
    assert readers.sources(4, {}) == {4}


def test_roles_that_imply_the_base_role_count_with_it():
    readers = server(
        text(1, (GUILD, 0, VIEW), (11, VIEW, 0)),
        text(2, (GUILD, 0, VIEW), (BASE, VIEW, 0)),
        text(3, (BASE, 0, VIEW)),
        text(4, (GUILD, 0, VIEW), (12, VIEW, 0)),
        roles=FOUR,
        base_role_id=BASE,
        implied_role_ids=[11, 99],
    )
    assert readers.sources(1, {}) == {1, 2}
    assert readers.sources(4, {}) == {4}
    assert readers.open_channels({}) == {2}
    assert readers.open_obstacle(3, {}) == Obstacle(VIEW, (BASE,))
    assert readers.mask([11, 99]) == readers.mask([11]) != 0


def test_what_overwrites_say_of_other_permissions_roles_and_bots_does_not_count():
    other = 1 << 11
    readers = server(
        text(
            1, (77, 0, VIEW), (BOT, 0, VIEW), (OWNER, 0, VIEW), (800, other, other), (10, other, 0)
        ),
        text(2, (800, VIEW, 0), (801, 0, VIEW)),
        roles=FOUR,
    )
    assert readers.sources(1, {801: frozenset()}) == {1}
    assert readers.all_named_members == {800, 801}
    assert readers.named_members(1) == {800, 801}
    assert readers.undecided_members(1, {}) == {801}
    assert readers.undecided_members(1, {801: None}) == frozenset()
    assert readers.undecided_anywhere([2, 1, 9], {}) == [801]
    assert readers.sources(1, {801: None}) == {1, 2}


def test_a_role_that_lets_in_beside_one_that_shuts_out_of_both_channels_decides():
    shut = (12, 0, VIEW)
    readers = server(text(1, shut, (10, VIEW, 0)), text(2, shut), roles=FOUR)
    assert readers.obstacle(1, 2, {}) == Obstacle(VIEW, (10, 12))
    assert readers.sources(2, {}) == {1, 2}

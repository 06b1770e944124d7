"""The judge, against the worked examples and sentences of Discord's documentation."""

import pytest

from tests.oracles.permissions import (
    ADMINISTRATOR,
    ALL,
    CONNECT,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Channel,
    Judge,
    Kind,
    Overwrite,
    Person,
    Role,
    Server,
    permissions,
    possible_members,
    reads,
    sees,
)

SERVER, OWNER, ANN, BEN = 1, 2, 3, 4
A, B, STAFF, BOT = 11, 12, 13, 14
READ = VIEW_CHANNEL | READ_MESSAGE_HISTORY


@pytest.fixture
def server() -> Server:
    """A server in which everybody reads; A and B are roles without permissions."""
    roles = [Role(A), Role(B), Role(STAFF, MANAGE_THREADS), Role(BOT, READ, is_of_bot=True)]
    return Server(SERVER, READ | CONNECT, OWNER, {role.id: role for role in roles})


def channel(*overwrites: tuple[int, int, int], kind: Kind = Kind.TEXT, **given) -> Channel:
    """A channel with overwrites: whose, what is allowed, what is denied."""
    made = {target: Overwrite(allow, deny) for target, allow, deny in overwrites}
    return Channel(100, kind, made, **given)


def with_roles(*role_ids: int, id: int = ANN) -> Person:
    return Person(id, frozenset(role_ids))


# --- the documented algorithm --------------------------------------------------------------------


def test_base_permissions_are_those_of_everyone_and_of_all_roles(server):
    server.everyone = VIEW_CHANNEL
    server.roles[A].permissions, server.roles[B].permissions = READ_MESSAGE_HISTORY, CONNECT
    assert permissions(server, with_roles(A, B), channel()) == READ | CONNECT
    assert permissions(server, with_roles(A), channel()) == READ


def test_overwrites_apply_in_the_order_everyone_then_roles_then_member(server):
    hidden = channel((SERVER, 0, VIEW_CHANNEL), (A, VIEW_CHANNEL, 0), (ANN, 0, VIEW_CHANNEL))
    assert not reads(server, with_roles(id=BEN), hidden)
    assert reads(server, with_roles(A, id=BEN), hidden)
    assert not reads(server, with_roles(A, id=ANN), hidden)
    invited = channel((SERVER, 0, VIEW_CHANNEL), (A, 0, VIEW_CHANNEL), (ANN, VIEW_CHANNEL, 0))
    assert reads(server, with_roles(A, id=ANN), invited)
    assert not reads(server, with_roles(A, id=BEN), invited)


def test_administrators_and_the_owner_have_everything(server):
    server.roles[A].permissions = ADMINISTRATOR
    closed = channel((SERVER, 0, ALL), (A, 0, ALL), (ANN, 0, ALL), (OWNER, 0, ALL))
    assert permissions(server, with_roles(A), closed) == ALL
    assert permissions(server, with_roles(id=OWNER), closed) == ALL
    assert not sees(server, with_roles(B), closed)


def test_without_read_message_history_new_messages_are_seen_and_old_ones_are_not(server):
    no_past = channel((SERVER, 0, READ_MESSAGE_HISTORY))
    assert sees(server, with_roles(), no_past)
    assert not reads(server, with_roles(), no_past)


@pytest.mark.parametrize("kind", [Kind.VOICE, Kind.STAGE])
def test_the_chat_of_a_voice_channel_needs_connect_too(server, kind):
    for_show = channel((SERVER, 0, CONNECT), (A, CONNECT, 0), kind=kind)
    assert permissions(server, with_roles(), for_show) & VIEW_CHANNEL
    assert not sees(server, with_roles(), for_show)
    assert reads(server, with_roles(A), for_show)
    for_show.kind = Kind.TEXT
    assert reads(server, with_roles(), for_show)


def test_threads_inherit_the_permissions_of_their_parent(server):
    parent = channel((SERVER, 0, VIEW_CHANNEL), (A, VIEW_CHANNEL, 0), age_restricted=True)
    thread = Channel(101, Kind.PUBLIC_THREAD, parent=parent)
    assert reads(server, with_roles(A), thread)
    assert not sees(server, with_roles(), thread)
    assert server.is_age_restricted(thread)


def test_a_private_thread_is_for_its_members_and_for_who_manages_threads(server):
    thread = Channel(101, Kind.PRIVATE_THREAD, parent=channel(), members={ANN})
    assert reads(server, with_roles(id=ANN), thread)
    assert not sees(server, with_roles(id=BEN), thread)
    assert reads(server, with_roles(STAFF, id=BEN), thread)


# --- possible members ----------------------------------------------------------------------------


def test_whoever_has_an_implied_role_has_the_base_role(server):
    server.base_role_id, server.implied_role_ids = A, frozenset([STAFF])
    sets = {person.role_ids for person in possible_members(server)}
    assert frozenset([STAFF]) not in sets
    assert {frozenset(), frozenset([B]), frozenset([A, STAFF])} <= sets


# --- leaks ---------------------------------------------------------------------------------------


def numbered(*channels: Channel) -> list[Channel]:
    for number, each in enumerate(channels):
        each.id = number
    return list(channels)


def test_an_answer_leaks_if_somebody_sees_it_who_could_not_have_read_the_source(server):
    everyone, club, staff = numbered(
        channel(),
        channel((SERVER, 0, VIEW_CHANNEL), (A, VIEW_CHANNEL, 0)),
        channel((SERVER, 0, VIEW_CHANNEL), (B, VIEW_CHANNEL, 0)),
    )
    judge = Judge(server)
    assert judge.leaks(everyone, club)
    assert not judge.leaks(club, everyone)
    assert judge.leaks(club, staff)
    assert {with_.role_ids for with_ in judge.witnesses(club, staff)} == {
        frozenset([A]),
        frozenset([A, STAFF]),
    }
    server.base_role_id, server.implied_role_ids = B, frozenset([A])
    assert not Judge(server).leaks(club, staff)


def test_a_channel_leaks_its_own_past_to_those_who_see_only_what_is_new(server):
    no_past = channel((SERVER, 0, READ_MESSAGE_HISTORY))
    assert Judge(server).leaks(no_past, no_past)


def test_what_is_age_restricted_stays_among_adults(server):
    everyone, adults = numbered(channel(), channel(age_restricted=True))
    thread = Channel(5, Kind.PUBLIC_THREAD, parent=adults)
    judge = Judge(server)
    assert judge.leaks(everyone, adults)
    assert judge.leaks(everyone, thread)
    assert not judge.leaks(adults, everyone)
    assert not judge.leaks(adults, thread)
    server.age_restricted = True
    assert not Judge(server).leaks(everyone, adults)

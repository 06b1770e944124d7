"""The operator's token, sessions, and the limit on guessing."""

import pytest

from cogs.dashboard.web.access import (
    MAX_ADDRESSES,
    MAX_FAILED,
    MAX_FAILED_TOTAL,
    SESSION_S,
    WINDOW_S,
    Access,
    TooManyAttempts,
    WrongToken,
    is_genuine,
)
from tests.fakes.clock import ManualClock

TOKEN = "a-token-for-the-dashboard"


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def access(clock):
    return Access(TOKEN, clock)


def guess(access, address, times=1):
    for _ in range(times):
        with pytest.raises(WrongToken):
            access.log_in("a-guess", address)


def test_the_token_opens_a_session_and_a_guess_does_not(access):
    session = access.log_in(TOKEN, "192.0.2.1")
    assert access.session(session.id) == session
    guess(access, "192.0.2.1")
    for cookie in (None, "", "a-guess", session.csrf):
        assert access.session(cookie) is None


@pytest.mark.parametrize("token", ["", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\ud800", "ключ"])
def test_nothing_but_the_token_is_the_token(access, token):
    with pytest.raises(WrongToken):
        access.log_in(token, "192.0.2.1")


def test_a_session_ends_by_itself_and_when_logged_out(access, clock):
    kept, left = access.log_in(TOKEN, "a"), access.log_in(TOKEN, "a")
    access.log_out(left)
    assert (access.session(kept.id), access.session(left.id)) == (kept, None)
    clock.advance(SESSION_S)
    assert access.session(kept.id) is None


def test_after_five_wrong_tokens_an_address_waits_and_others_do_not(access, clock):
    guess(access, "192.0.2.1", MAX_FAILED)
    clock.advance(1)
    with pytest.raises(TooManyAttempts, match="try again in 5 minutes"):
        access.log_in(TOKEN, "192.0.2.1")
    assert access.log_in(TOKEN, "192.0.2.2")
    clock.advance(WINDOW_S)
    assert access.log_in(TOKEN, "192.0.2.1")


def test_a_household_has_one_ipv6_network_to_guess_from(access):
    for host in range(MAX_FAILED):
        guess(access, f"2001:db8:0:7::{host:x}")
    with pytest.raises(TooManyAttempts):
        access.log_in(TOKEN, "2001:db8:0:7:ffff::1")
    assert access.log_in(TOKEN, "2001:db8:0:8::1")


def test_guesses_from_many_addresses_are_limited_too_and_bounded_in_memory(access, clock):
    for number in range(MAX_FAILED_TOTAL):
        guess(access, f"192.0.2.{number}")
    with pytest.raises(TooManyAttempts):
        access.log_in(TOKEN, "198.51.100.1")
    for number in range(2 * MAX_ADDRESSES):
        clock.advance(WINDOW_S)
        guess(access, f"address {number}")
    assert len(access._logins._by_address) == MAX_ADDRESSES


def test_guesses_from_elsewhere_do_not_lock_the_operator_out(access, clock):
    access.log_in(TOKEN, "198.51.100.1")
    for number in range(MAX_FAILED_TOTAL):
        guess(access, f"192.0.2.{number}")
    for known in ("198.51.100.1", "127.0.0.1", "::1"):
        assert access.log_in(TOKEN, known)
    with pytest.raises(TooManyAttempts):
        access.log_in(TOKEN, "198.51.100.2")
    guess(access, "198.51.100.1", MAX_FAILED)
    with pytest.raises(TooManyAttempts):
        access.log_in(TOKEN, "198.51.100.1")


def test_a_change_is_genuine_only_with_its_own_sessions_token(access):
    mine, other = access.log_in(TOKEN, "a"), access.log_in(TOKEN, "a")
    assert is_genuine(mine, mine.csrf)
    for csrf in (None, "", mine.id, other.csrf):
        assert not is_genuine(mine, csrf)

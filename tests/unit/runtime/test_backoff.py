"""Leaving a model alone: longer each time it does not answer, or one part of the work only."""

from tests.fakes.clock import ManualClock
from utils.runtime.backoff import FIRST_PAUSE_S, MAX_PAUSE_S, Backoff


def test_pauses_double_up_to_the_longest_and_are_short_again_after_an_answer():
    pause = Backoff(ManualClock())
    lasted = [pause.begin() for _ in range(8)]
    assert lasted[:3] == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert lasted[-1] == MAX_PAUSE_S
    pause.forget()
    assert pause.begin() == FIRST_PAUSE_S


def test_a_pause_is_on_until_its_time_is_over():
    clock = ManualClock()
    pause = Backoff(clock)
    assert not pause.is_on()
    pause.begin()
    clock.advance(FIRST_PAUSE_S - 1)
    assert pause.is_on()
    clock.advance(1)
    assert not pause.is_on()

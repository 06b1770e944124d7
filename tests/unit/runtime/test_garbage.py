"""While recall reads, no garbage is collected; afterwards it is, whatever happened."""

import gc
import threading

import pytest

from utils.runtime.garbage import no_collection


@pytest.fixture
def collecting():
    """Collect garbage after every ten new objects, as if each recall had thousands."""
    before, was_enabled = gc.get_threshold(), gc.isenabled()
    gc.set_threshold(10, 100, 100)
    gc.enable()
    yield
    gc.set_threshold(*before)
    if not was_enabled:
        gc.disable()


def collections():
    return sum(generation["collections"] for generation in gc.get_stats())


def test_short_lived_rows_cause_no_collection(collecting):
    with no_collection():
        before = collections()
        assert len([[number] for number in range(1_000)]) == 1_000
        assert collections() == before
    assert len([[number] for number in range(1_000)]) == 1_000
    assert collections() > before


def test_collections_go_on_after_an_error(collecting):
    with pytest.raises(KeyError), no_collection():
        raise KeyError
    assert gc.isenabled()


def test_who_paused_collections_before_resumes_them(collecting):
    gc.disable()
    with no_collection():
        pass
    assert not gc.isenabled()


def test_two_threads_leave_collections_on_in_any_order(collecting):
    first_ended, second_began = threading.Event(), threading.Event()

    @no_collection()
    def second():
        second_began.set()
        assert first_ended.wait(10)

    thread = threading.Thread(target=second)
    with no_collection():
        thread.start()
        assert second_began.wait(10)
    first_ended.set()
    thread.join()
    assert gc.isenabled()

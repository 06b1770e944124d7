"""How the attributes of memories are named."""

from utils.memory.verification.attributes import fact_key


def test_a_key_is_cut_without_an_ellipsis_and_has_no_marks():
    assert fact_key("Pets_and\x00 Hobbies") == "pets_and_hobbies"
    assert fact_key("x" * 150) == "x" * 100

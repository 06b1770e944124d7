"""What counts as going round in circles, and what stays there of it."""

from tests.rows import each_row
from utils.llm.repetition import end_before_circles

LINE = "I am here to help and support.\n"


@each_row(
    ("text", "rest"),
    [
        (f"Hi!\n{LINE * 8}", f"Hi!\n{LINE}".rstrip()),
        (f"Hi!\n{LINE * 8}I am here", f"Hi!\n{LINE}".rstrip()),
        ("Fun: " + "ha " * 80, "Fun: ha"),
        ("a" * 240, "a"),
        ("", None),
        (LINE * 7, None),
        ("la " * 60, None),
        ("-" * 200, None),
        (f"{LINE * 8}That was all.", None),
        ("".join(f"{n}. I am here to help.\n" for n in range(40)), None),
    ],
)
def test_only_an_end_that_repeats_itself_many_times_is_one(text, rest):
    end = end_before_circles(text)
    assert (None if end is None else text[:end]) == rest

"""What counts as going round in circles, and what stays there of it."""

from tests.rows import each_row
from utils.llm.repetition import end_before_circles

LINE = "I am here to help and support.\n"
PARAGRAPH = f"{LINE}{LINE.upper()}{LINE.title()}"


@each_row(
    ("text", "rest"),
    [
        (f"Hi!\n{LINE * 20}", f"Hi!\n{LINE}".rstrip()),
        (f"Hi!\n{LINE * 20}I am here", f"Hi!\n{LINE}".rstrip()),
        (f"Hi!\n{PARAGRAPH * 8}", f"Hi!\n{PARAGRAPH}".rstrip()),
        ("Fun: " + "ha " * 200, "Fun: ha"),
        ("a" * 600, "a"),
        ("", None),
        (LINE * 19, None),
        (PARAGRAPH * 7, None),
        ("la " * 100, None),
        ("-" * 500, None),
        ("|     |     |     |     |\n" * 12, None),  # a table to be filled in
        ("    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],\n" * 10, None),
        ("⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛\n" * 16, None),
        (f"{LINE * 20}That was all.", None),
        ("".join(f"{n}. I am here to help.\n" for n in range(40)), None),
    ],
)
def test_only_an_end_that_repeats_itself_many_times_is_one(text, rest):
    end = end_before_circles(text)
    assert (None if end is None else text[:end]) == rest

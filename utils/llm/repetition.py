"""Notice when a model goes round in circles: small ones repeat a sentence until the end. Pure."""

MIN_REPEATS = 8
MIN_REPEATED = 600  # characters: a refrain, an empty table or a matrix of zeros is shorter
MAX_PERIOD = 400
_TAIL = 16


def end_before_circles(text: str) -> int | None:
    """Return where a text ends if its end repeats itself; None if it does not.

    What repeats is left there once. It counts as repeated after MIN_REPEATS times in a row, and
    MIN_REPEATED characters.
    """
    text = text.rstrip()
    earlier = text.rfind(text[-_TAIL:], max(0, len(text) - _TAIL - MAX_PERIOD), len(text) - 1)
    if earlier < 0 or len(text) < MIN_REPEATED:
        return None
    period = len(text) - _TAIL - earlier
    repeated = period * max(MIN_REPEATS, -(-MIN_REPEATED // period))
    if len(text) < repeated:
        return None
    start = len(text) - repeated
    if text[start + period :] != text[start:-period]:
        return None
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return len(text[: start + period].rstrip())

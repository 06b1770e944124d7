"""What looks like a question, in any language: the one definition of it. Pure."""

import re

_AT_END = re.compile(r"[?？؟][\s\W]*$")
_ANYWHERE = re.compile(r"\?(?!\w)|[？؟]")  # not the one inside a link


def ends_as_question(text: str) -> bool:
    """Return whether a text ends with a question mark; emoji and quotation marks may follow."""
    has_mark = "?" in text or "？" in text or "؟" in text  # most texts do not, and this is faster
    return has_mark and _AT_END.search(text) is not None


def has_question(text: str) -> bool:
    """Return whether there is a question anywhere in a text."""
    return _ANYWHERE.search(text) is not None

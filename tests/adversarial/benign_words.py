"""The words in which benign statements are written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Benign:
    """A statement in its context, and what is to be remembered of it.

    ``quote`` is the whole message unless given. ``asked`` is what Kith said just before to the
    same member, ``earlier`` what the member said in the same burst, ``around`` what others said
    before: pairs of a name and a text.
    """

    said: str
    memory: str
    quote: str = ""
    asked: str = ""
    earlier: tuple[str, ...] = ()
    around: tuple[tuple[str, str], ...] = ()


def told(*pairs: tuple[str, str]) -> list[Benign]:
    return [Benign(said, memory) for said, memory in pairs]


def answered(*cases: tuple[str, str, str]) -> list[Benign]:
    return [Benign(said, memory, asked=asked) for asked, said, memory in cases]

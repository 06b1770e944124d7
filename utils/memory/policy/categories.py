"""The kinds of private content an operator may let Kith keep, or refuse. Pure."""

from enum import StrEnum


class Category(StrEnum):
    """A sensitive subject, kept only where the operator allows it; the value is the reason."""

    HEALTH = "health"
    RELIGION = "religion"
    POLITICS = "politics"
    SEXUALITY = "sexuality"
    ETHNICITY = "ethnicity"
    CRIME = "crime"
    LOCATION = "location"
    MINORS = "minors"


DEFAULT_CATEGORIES: frozenset[Category] = frozenset(Category)


def parse_categories(text: str) -> frozenset[Category]:
    """Read a comma list of categories; "none" is empty, "all" and a blank setting are all of them.

    Raises ValueError, which names what is unknown.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    if names == ["none"]:
        return frozenset()
    if not names or names == ["all"]:
        return DEFAULT_CATEGORIES
    valid_names = {category.value for category in Category}
    unknown = [name for name in names if name not in valid_names]
    if unknown:
        raise ValueError(
            f"unknown category: {', '.join(unknown)} (known: {', '.join(Category)}; all; none)"
        )
    return frozenset(map(Category, names))

"""Check the ids and page sizes that an operator's request names. Pure."""

from utils.common.errors import BadInput
from utils.models.admin import MAX_ID, MAX_ON_PAGE

NO_ID = "{name} is not an id: it must be between {minimum} and {maximum}."
NO_LIMIT = "A page has between 1 and {limit} rows."


def check_page(cursor: int | None, limit: int, **ids: int | None) -> None:
    """Raise BadInput for a page that is too long, or a number that is no id."""
    if not 1 <= limit <= MAX_ON_PAGE:
        raise BadInput(NO_LIMIT, limit=MAX_ON_PAGE)
    check_ids(cursor=cursor, **ids)


def check_ids(**ids: int | None) -> None:
    """Raise BadInput for a number that is no id; the databases would refuse it."""
    for name, value in ids.items():
        if value is not None and not 0 <= value <= MAX_ID:
            raise BadInput(NO_ID, name=name, minimum=0, maximum=MAX_ID)

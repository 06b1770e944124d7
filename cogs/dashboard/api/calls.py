"""What all API routes share: id types, responses, and how errors are described."""

import re
from collections.abc import Sequence
from datetime import UTC
from typing import Annotated, Any, TypeAlias, get_type_hints

from fastapi import Query
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    create_model,
)
from pydantic.fields import FieldInfo

from utils.models.admin import MAX_ID, MAX_ON_PAGE

Responses: TypeAlias = dict[int | str, dict[str, Any]]
MAX_FAULTS = 3  # reported per request


class ApiModel(BaseModel):
    """Base of all request and response schemas; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class ProblemResponse(ApiModel):
    """Why a request failed, in one sentence; ``reference`` finds an unexpected error in the log."""

    detail: str = Field(examples=["There is no memory #4711."])
    reference: str | None = Field(default=None, examples=["3f9a1c07"])


def response_of(name: str, record: type, description: str, **changed: Any) -> type[ApiModel]:
    """Return the schema of a response with the fields of a dataclass, whose ids become digits.

    ``changed`` says more of some fields: a pydantic Field describes one, an annotation replaces
    its type, and None leaves it out.
    """
    fields: dict[str, Any] = {}
    for field, kind in get_type_hints(record).items():
        change = changed.get(field, _AS_DIGITS.get(kind, kind) if _IS_ID.search(field) else kind)
        if change is not None:
            fields[field] = (kind, change) if isinstance(change, FieldInfo) else (change, ...)
    return create_model(name, __base__=ApiModel, __doc__=description, **fields)


def page_of(name: str, rows: str, response: type[ApiModel], description: str) -> type[ApiModel]:
    """Return the schema of a page; ``rows`` is what its rows are called."""
    fields: dict[str, Any] = {
        rows: (list[response], Field(validation_alias="rows")),  # type: ignore[valid-type]
        "cursor": (Id | None, ...),
    }
    return create_model(name, __base__=ApiModel, __doc__=description, **fields)


def problem_response(description: str) -> dict[str, Any]:
    """Return the OpenAPI description of an error response."""
    return {"model": ProblemResponse, "description": description}


NOT_FOUND: Responses = {404: problem_response("It does not exist, or no longer exists.")}
CONFLICT: Responses = {409: problem_response("It conflicts with the current state.")}
PROBLEMS: Responses = {
    401: problem_response("The token or session is missing or wrong."),
    403: problem_response("A session sent a change without its CSRF token."),
    422: problem_response("The request is invalid; ``detail`` says why."),
    429: problem_response("Too many wrong tokens were sent recently."),
    500: problem_response("An unexpected error; the log has it under the reference."),
    503: problem_response("The database cannot be reached."),
}


def _parse_id(text: object) -> int:
    """Read an id from digits; JavaScript loses digits of large numbers."""
    if not isinstance(text, str) or not (text.isascii() and text.isdecimal()):
        raise ValueError("an id is a whole number, in digits, as a text")
    if int(text[:20]) > MAX_ID:
        raise ValueError(f"an id is at most {MAX_ID}")
    return int(text)


_DIGITS = WithJsonSchema(
    {"type": "string", "pattern": "^[0-9]{1,19}$", "examples": ["1180000000000000001"]}
)
IdParameter = Annotated[int, BeforeValidator(_parse_id), _DIGITS]
"""An id sent to the API: a snowflake or a row id, as digits."""

Id = Annotated[int, PlainSerializer(str), _DIGITS]
"""An id that the API returns."""

ActorId = Annotated[
    int,
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": "^(-1|[0-9]{1,19})$", "examples": ["-1"]}),
]
"""Who did it: 0 is Kith, -1 the operator, else a user."""


_IS_ID = re.compile(r"(^|_)(id|ids|by)$")
_AS_DIGITS: dict[Any, Any] = {int: Id, int | None: Id | None, tuple[int, ...]: list[Id]}


def _storable(at: AwareDatetime) -> AwareDatetime:
    try:
        at.astimezone(UTC)
    except OverflowError:
        raise ValueError("that time is beyond the calendar") from None
    return at


def _written_out(value: object) -> object:
    """Refuse the seconds since 1970, which pydantic takes for a time."""
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return value
    raise ValueError("must be a date and a time with its zone, such as 2026-03-01T12:00:00Z")


Time = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_storable)]
"""A time with its zone."""

Cursor = Annotated[
    IdParameter | None,
    Query(description="The cursor of the previous page; omit it for the first page."),
]
Limit = Annotated[int, Query(ge=1, le=MAX_ON_PAGE, description="Maximum number of rows per page.")]


def faults_of(errors: Sequence[Any]) -> str:
    """Say what is wrong with a request, without repeating its values."""
    faults = [
        f"{'.'.join(str(part) for part in error['loc'][1:]) or error['loc'][0]}: {error['msg']}"
        for error in errors[:MAX_FAULTS]
    ]
    return "; ".join(faults)

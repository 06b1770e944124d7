"""What every call of the API shares: ids, errors in one form, and what it may ask."""

from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC
from typing import Annotated, Any, TypeAlias

from fastapi import Depends, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from starlette.exceptions import HTTPException

from cogs.dashboard.house import House
from utils.errors import (
    UNFORESEEN,
    BadInput,
    Conflict,
    DatabaseError,
    KithError,
    NotFound,
    log_unforeseen,
)
from utils.model.browsing import LARGEST_ID, MOST_ON_A_PAGE
from utils.text import clean


class TooLarge(BadInput):
    """More was sent than a call takes."""


Responses: TypeAlias = dict[int | str, dict[str, Any]]
STATUS = (
    (TooLarge, 413),
    (NotFound, 404),
    (Conflict, 409),
    (BadInput, 422),
    (DatabaseError, 503),
)
MOST_FAULTS = 3  # told of one call


class Shape(BaseModel):
    """Something the API sends or takes; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Problem(Shape):
    """Why a call failed, in one sentence; what nobody foresaw is in the log under ``reference``."""

    detail: str = Field(examples=["There is no memory #4711."])
    reference: str | None = Field(default=None, examples=["3f9a1c07"])


def problem_named(description: str) -> dict[str, Any]:
    """Return how the document describes an error."""
    return {"model": Problem, "description": description}


NOT_FOUND: Responses = {404: problem_named("There is no such thing, or not any more.")}
CONFLICT: Responses = {409: problem_named("It cannot be done as things stand now.")}
PROBLEMS: Responses = {
    401: problem_named("The token or the session is missing, or wrong."),
    403: problem_named("A session changes something without its CSRF token."),
    422: problem_named("What was sent makes no sense; the sentence says what."),
    429: problem_named("Too many wrong tokens came lately."),
    500: problem_named("Something nobody foresaw; the log has it under the reference."),
    503: problem_named("Memory cannot be reached right now."),
}


def _id_from(given: object) -> int:
    """Read an id: digits, as JavaScript loses those of large numbers."""
    if not isinstance(given, str) or not (given.isascii() and given.isdecimal()):
        raise ValueError("an id is a whole number, in digits, as a text")
    if int(given[:20]) > LARGEST_ID:
        raise ValueError(f"an id is at most {LARGEST_ID}")
    return int(given)


_DIGITS = WithJsonSchema(
    {"type": "string", "pattern": "^[0-9]{1,19}$", "examples": ["1180000000000000001"]}
)
GivenId = Annotated[int, BeforeValidator(_id_from), _DIGITS]
"""An id that is sent to the API: a snowflake or a row's number, as digits."""

Id = Annotated[int, PlainSerializer(str), _DIGITS]
"""An id that the API sends."""

ActorId = Annotated[
    int,
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": "^(-1|[0-9]{1,19})$", "examples": ["-1"]}),
]
"""Who did it: 0 is Kith itself, -1 the operator, else a person."""


def _storable(at: AwareDatetime) -> AwareDatetime:
    try:
        at.astimezone(UTC)
    except OverflowError:
        raise ValueError("that time is beyond the calendar") from None
    return at


Time = Annotated[AwareDatetime, AfterValidator(_storable)]
"""A time with its zone."""

Cursor = Annotated[
    GivenId | None,
    Query(description="Where to go on: the cursor of the page before; not for the first page."),
]
Limit = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="Rows on a page, at most.")]


class Call(APIRoute):
    """A route whose errors are all told in one form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what handles a request, errors included."""
        handle = super().get_route_handler()

        async def told(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                return problem(422, _faults(error.errors()))
            except KithError as error:
                found = (code for kind, code in STATUS if isinstance(error, kind))
                return problem(next(found, 500), str(error))
            except HTTPException as error:  # a body that is no text, let alone JSON
                return problem(422, str(error.detail))
            except Exception as error:
                reference = log_unforeseen(error)
                return problem(500, UNFORESEEN.format(reference=reference), reference)

        return told


def problem(status: int, sentence: str, reference: str | None = None) -> JSONResponse:
    """Return an error as the API tells it."""
    return JSONResponse({"detail": clean(sentence), "reference": reference}, status)


def _faults(errors: Sequence[Any]) -> str:
    """Say what is wrong with what was sent, without repeating it."""
    told = [
        f"{'.'.join(str(part) for part in one['loc'][1:]) or one['loc'][0]}: {one['msg']}"
        for one in errors[:MOST_FAULTS]
    ]
    return "; ".join(told)


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


InHouse = Annotated[House, Depends(_house)]

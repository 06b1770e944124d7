"""Pictures in a prompt, as OpenAI's chat completions take them. Pure."""

import base64
from collections.abc import Sequence
from typing import Any

from utils.common.text import estimate_tokens
from utils.models.llm import Picture

PICTURE_TOKENS = 1_500
"""What one of at most 1,568 pixels a side costs about, with the models that count most for it."""


def shown(text: str, pictures: Sequence[Picture]) -> str | list[dict[str, Any]]:
    """Return a message's content: its text alone, or in parts where pictures come with it."""
    if not pictures:
        return text
    return [{"type": "text", "text": text}, *map(_picture, pictures)]


def tokens_of(content: str | list[dict[str, Any]] | None) -> int:
    """Estimate what a message's content costs."""
    if not isinstance(content, list):
        return estimate_tokens(content or "")
    return sum(
        estimate_tokens(part["text"]) if part["type"] == "text" else PICTURE_TOKENS
        for part in content
    )


def _picture(picture: Picture) -> dict[str, Any]:
    data = base64.b64encode(picture.data).decode()
    url = f"data:{picture.media_type};base64,{data}"
    return {"type": "image_url", "image_url": {"url": url, "detail": "auto"}}

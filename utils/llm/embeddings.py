"""Embeddings from any OpenAI-compatible endpoint, strictly validated."""

import base64
import binascii
import math
import sys
from array import array
from collections.abc import Sequence
from typing import Any, Self

from utils.common.config import Settings
from utils.common.errors import ModelError, ModelMalformed, ModelRefused
from utils.common.text import estimate_tokens
from utils.llm.capabilities import refusal, reported_error
from utils.llm.endpoint import Endpoint, EndpointRefused, beside_chat
from utils.models.llm import Embedded, Usage, Vector

CONCURRENCY = 4
MAX_DIMENSIONS = 8192

_REASONS = {
    401: "The embedding endpoint does not accept the key (EMBEDDING_API_KEY or OPENAI_API_KEY).",
    403: "The key (EMBEDDING_API_KEY or OPENAI_API_KEY) may not use this embedding model.",
    501: "The server at EMBEDDING_BASE_URL offers no embeddings; it may need an option for them.",
    404: "There is no such embedding model (EMBEDDING_MODEL, EMBEDDING_BASE_URL).",
}


class EmbeddingEndpoint:
    """An embedding model behind its own client. It never retries: its caller does."""

    def __init__(
        self, model: str, *, api_key: str | None = None, base_url: str | None = None
    ) -> None:
        self._model = model
        self._endpoint = Endpoint(api_key, base_url, concurrency=CONCURRENCY)
        self._takes_base64 = True

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Build the client that EMBEDDING_MODEL asks for.

        Raises SettingsError where there is no endpoint, or an impossible key or address.
        """
        key, base_url = beside_chat(
            settings,
            settings.embedding_base_url,
            settings.embedding_api_key,
            "EMBEDDING_MODEL names a model, but there is no endpoint to ask: set OPENAI_API_KEY, "
            "OPENAI_BASE_URL or EMBEDDING_BASE_URL, or name a directory with a local model.",
        )
        return cls(settings.embedding_model or "", api_key=key, base_url=base_url)

    async def identity(self) -> str:
        """Return the model's name."""
        return self._model

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, is_query: bool = False
    ) -> Embedded:
        """Return a vector for each text, none of them empty; an endpoint knows no queries.

        Raises ModelUnreachable, ModelRefused (RequestRefused if only these texts are at fault), or
        ModelMalformed where there are not as many sound vectors of one length.
        """
        body = await self._ask(texts, timeout_s)
        vectors = read_vectors(body, len(texts))
        if any(len(vector) != len(vectors[0]) for vector in vectors):
            raise ModelMalformed
        usage: Any = body.get("usage") if isinstance(body, dict) else None
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        if type(tokens) is not int or tokens <= 0:
            tokens = sum(map(estimate_tokens, texts))
        return Embedded(vectors, Usage(tokens).of(self._model))

    async def close(self) -> None:
        """Close the connections; later calls raise ModelUnreachable."""
        await self._endpoint.close()

    async def _ask(self, texts: Sequence[str], timeout_s: float) -> object:
        """Send one request, for base64 if supported: parsing it is ten times as fast."""
        form = "base64" if self._takes_base64 else "float"
        request = {"model": self._model, "input": list(texts), "encoding_format": form}
        try:
            return await self._endpoint.post("/embeddings", request, timeout_s)
        except EndpointRefused as error:
            is_form = error.status in (400, 422) and "encoding" in error.text.lower()
            if not (is_form and self._takes_base64):
                raise _refusal(error) from None
        self._takes_base64 = False
        return await self._ask(texts, timeout_s)


def read_vectors(body: object, count: int) -> tuple[Vector, ...]:
    """Read an answer's vectors, in the order of the texts.

    Raises ModelMalformed unless there are ``count`` vectors of finite numbers, and ModelRefused for
    what is no answer at all.
    """
    if reported := reported_error(body):
        raise _refusal(EndpointRefused(*reported))
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(body, dict) or "data" not in body:
        raise ModelRefused(
            "What answers at the embedding endpoint's address does not speak of embeddings; check "
            "EMBEDDING_BASE_URL, which usually ends in /v1."
        )
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise ModelMalformed
    by_index = {
        str(item.get("index", index)): item.get("embedding") for index, item in enumerate(data)
    }
    indexes = [str(index) for index in range(count)]
    if len(data) != count or by_index.keys() != set(indexes):
        raise ModelMalformed
    return tuple(_vector(by_index[index]) for index in indexes)


def _vector(encoded: object) -> Vector:
    """Read a list of numbers, or little-endian floats in base64. Raises ModelMalformed."""
    vector = array("f")
    try:
        if isinstance(encoded, str):
            vector.frombytes(base64.b64decode(encoded, validate=True))
            if sys.byteorder == "big":
                vector.byteswap()
        elif isinstance(encoded, list):
            vector.extend(encoded)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise ModelMalformed from None
    # One sum finds a NaN or an infinity anywhere in it, and costs microseconds.
    if not 0 < len(vector) <= MAX_DIMENSIONS or not math.isfinite(sum(vector)):
        raise ModelMalformed
    return vector


def _refusal(error: EndpointRefused) -> ModelError:
    """Return what a status means; the sentences of chat would name other settings."""
    meant = refusal(error.status, error.text)
    reason = _REASONS.get(meant.status or 0)
    return ModelRefused(reason) if reason and type(meant) is ModelRefused else meant

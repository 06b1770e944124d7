"""Embeddings without an endpoint: a small model2vec model from a directory, in a thread."""

import asyncio
import hashlib
import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from utils.common.errors import ModelRefused
from utils.models.llm import Embedded, Usage

_NO_MODEL = (
    "EMBEDDING_MODEL names the directory {}, which holds no model2vec model that can be read "
    "(model.safetensors, tokenizer.json and config.json)."
)
_WEIGHTS = "*.safetensors"


class LocalEmbedder:
    """A model that is loaded when it is first needed, and never from anywhere but its directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._loading: asyncio.Future[_Model] | None = None

    async def identity(self) -> str:
        """Return the directory's name and a digest of the model in it.

        Raises ModelRefused where there is none.
        """
        return (await self._load()).identity

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded:
        """Return a vector for each text; it costs no tokens. Raises ModelRefused without a model.

        ``timeout_s`` is an endpoint's: a batch takes milliseconds here.
        """
        model = await self._load()
        matrix = await asyncio.to_thread(model.encoder.encode, list(texts))
        rows = matrix.astype("float32")
        return Embedded(tuple(array("f", row.tobytes()) for row in rows), Usage())

    async def close(self) -> None:
        """Let the model go."""
        self._loading = None

    async def _load(self) -> "_Model":
        """Return the model; a cancelled caller does not cancel the loading."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(_read, self._directory))
        try:
            return await asyncio.shield(self._loading)
        except ModelRefused:  # perhaps it is put there meanwhile
            self._loading = None
            raise


@dataclass(frozen=True, slots=True)
class _Model:
    """model2vec's encoder, and the name of the model with a digest of its numbers."""

    encoder: Any
    identity: str


def _read(directory: Path) -> _Model:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from model2vec import StaticModel

    try:
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(directory.glob(_WEIGHTS)):
            with file.open("rb") as weights:
                digest.update(hashlib.file_digest(weights, "blake2b").digest())
        encoder = StaticModel.from_pretrained(directory)
    except Exception:  # whatever files that are no model make of their reader
        raise ModelRefused(_NO_MODEL.format(directory)) from None
    return _Model(encoder, f"{directory.name[:100]}@{digest.hexdigest()}")

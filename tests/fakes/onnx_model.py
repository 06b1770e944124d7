"""Writes a tiny sentence-transformers model in ONNX form: a table with a vector for each word.

It writes the few fields of ONNX's protobuf messages by itself; the numbers are those of onnx.proto.
"""

import json
from pathlib import Path

import numpy as np

WORDS = ("[UNK]", "has", "a", "dog", "named", "rex", "lives", "in", "oslo", "query")
DIMENSIONS = 12
FLOAT, INT64 = 1, 7


def write_model(
    directory: Path,
    *,
    file: str = "model.onnx",
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    factor: float = 1.0,
    **settings: dict[str, object],
) -> Path:
    """Write a model into a directory, and ``settings`` as files of JSON; returns the directory."""
    (directory / file).parent.mkdir(parents=True, exist_ok=True)
    (directory / file).write_bytes(_onnx(inputs, factor))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer))
    for name, content in settings.items():
        path = directory / ("1_Pooling/config.json" if name == "pooling" else f"{name}.json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
    return directory


def _onnx(inputs: tuple[str, ...], factor: float) -> bytes:
    table = np.eye(len(WORDS), DIMENSIONS, dtype="<f4") * np.float32(factor)
    tensor = b"".join(_field(1, size) for size in table.shape)
    tensor += _field(2, FLOAT) + _field(8, b"table") + _field(9, table.tobytes())
    node = _field(1, b"table") + _field(1, inputs[0].encode())
    node += _field(2, b"last_hidden_state") + _field(4, b"Gather")
    graph = _field(1, node) + _field(2, b"tiny") + _field(5, tensor)
    graph += b"".join(_field(11, _value(name, INT64, ("b", "n"))) for name in inputs)
    graph += _field(12, _value("last_hidden_state", FLOAT, ("b", "n", "d")))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


def _value(name: str, type_: int, sizes: tuple[str, ...]) -> bytes:
    shape = b"".join(_field(1, _field(2, size.encode())) for size in sizes)
    tensor = _field(1, type_) + _field(2, shape)
    return _field(1, name.encode()) + _field(2, _field(1, tensor))


def _field(number: int, content: int | bytes) -> bytes:
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes([*encoded, number])

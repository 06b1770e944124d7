"""Make a model in ONNX form multiply with its 8-bit weights instead of a copy in 32 bits.

A graph that stores weights as int8 casts them to floats and scales them before it uses them, and
onnxruntime keeps the result: four times the memory, and twice, as it also packs it. Here a
weight stays as it is stored. A row of a table is scaled after it was looked up, which changes
nothing. What is multiplied with a matrix becomes 8-bit numbers of its own range first
(DynamicQuantizeLinear), and the product is scaled. Weights are shifted to uint8: with int8,
processors without VNNI add pairs in 16 bits, which overflow.
"""

from functools import cache
from typing import Any

FLOAT, UINT8, INT8 = 1, 2, 3  # TensorProto.DataType of onnx.proto
_SHIFT = "kith_shift_of_weights"
_INT_ATTRIBUTE = 2
_FIELDS: dict[str, tuple[tuple[str, int, str, bool], ...]] = {
    "ModelProto": (("graph", 7, "GraphProto", False),),
    "GraphProto": (("node", 1, "NodeProto", True), ("initializer", 5, "TensorProto", True)),
    "NodeProto": (
        ("input", 1, "STRING", True),
        ("output", 2, "STRING", True),
        ("op_type", 4, "STRING", False),
        ("attribute", 5, "AttributeProto", True),
    ),
    "AttributeProto": (
        ("name", 1, "STRING", False),
        ("i", 3, "INT64", False),
        ("type", 20, "INT32", False),
    ),
    "TensorProto": (
        ("data_type", 2, "INT32", False),
        ("name", 8, "STRING", False),
        ("raw_data", 9, "BYTES", False),
    ),
}
"""The fields of onnx.proto that are read or written; protobuf keeps the others as they are."""


def with_integer_weights(model: bytes) -> bytes:
    """Return the model with its int8 weights used as they are stored. Raises ValueError.

    Weights that are used in another way than by MatMul and Gather stay as they were.
    """
    from google.protobuf.message import DecodeError

    try:
        proto = _classes()["ModelProto"].FromString(model)
    except DecodeError as error:
        raise ValueError(str(error)) from None
    graph = proto.graph
    stored = {tensor.name: tensor for tensor in graph.initializer if tensor.data_type == INT8}
    casts = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}
    scaled = {  # name of a weight in floats -> the stored weight and its scale
        node.output[0]: (casts[node.input[0]], node.input[1])
        for node in graph.node
        if node.op_type == "Mul" and casts.get(node.input[0]) in stored
    }
    users = {name: [node for node in graph.node if name in node.input] for name in scaled}
    matrices = {
        name
        for name, nodes in users.items()
        if all(node.op_type == "MatMul" and node.input[0] != name for node in nodes)
    }
    tables = {
        name
        for name, nodes in users.items()
        if all(node.op_type == "Gather" and node.input[1] != name for node in nodes)
    }
    nodes = list[Any]()
    quantised = set[str]()
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in matrices:
            nodes += _product(node, *scaled[node.input[1]], quantised)
        elif node.op_type == "Gather" and node.input[0] in tables:
            nodes += _rows(node, *scaled[node.input[0]])
        elif not matrices.union(tables).intersection(node.output):
            nodes.append(node)
    for name in matrices:
        weight = stored[scaled[name][0]]
        weight.data_type = UINT8
        weight.raw_data = weight.raw_data.translate(bytes(byte ^ 128 for byte in range(256)))
    graph.initializer.add(name=_SHIFT, data_type=UINT8, raw_data=b"\x80")
    unused = {name for name, weight in casts.items() if weight in stored}
    unused -= {name for node in nodes for name in node.input}
    kept = [node for node in nodes if not unused.intersection(node.output)]
    del graph.node[:]
    graph.node.extend(kept)
    return bytes(proto.SerializeToString())


def _product(node: Any, weight: str, scale: str, quantised: set[str]) -> list[Any]:
    """Return the nodes of a product; ``quantised`` are the factors that have theirs already."""
    factor, result = node.input[0], node.output[0]
    parts = [f"{factor}_{part}" for part in ("u8", "scale", "zero")]
    nodes = [] if factor in quantised else [_node("DynamicQuantizeLinear", [factor], parts)]
    quantised.add(factor)
    return [
        *nodes,
        _node("MatMulInteger", [parts[0], weight, parts[2], _SHIFT], [f"{result}_i32"]),
        _node("Cast", [f"{result}_i32"], [f"{result}_f32"], to=FLOAT),
        _node("Mul", [parts[1], scale], [f"{result}_scale"]),
        _node("Mul", [f"{result}_f32", f"{result}_scale"], [result]),
    ]


def _rows(node: Any, weight: str, scale: str) -> list[Any]:
    """Return the nodes that look up rows of a table, each with its scale."""
    rows, result = node.input[1], node.output[0]
    return [
        _node("Gather", [weight, rows], [f"{result}_i8"]),
        _node("Cast", [f"{result}_i8"], [f"{result}_f32"], to=FLOAT),
        _node("Gather", [scale, rows], [f"{result}_scale"]),
        _node("Mul", [f"{result}_f32", f"{result}_scale"], [result]),
    ]


def _node(operation: str, inputs: list[str], outputs: list[str], **attributes: int) -> Any:
    node = _classes()["NodeProto"](op_type=operation, input=inputs, output=outputs)
    for name, value in attributes.items():
        node.attribute.add(name=name, i=value, type=_INT_ATTRIBUTE)
    return node


@cache
def _classes() -> dict[str, Any]:
    """Return the classes of the messages in _FIELDS, by name."""
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
    from google.protobuf.message_factory import GetMessages

    file = FileDescriptorProto(name="kith_onnx.proto", package="kith_onnx", syntax="proto2")
    for message_name, fields in _FIELDS.items():
        message = file.message_type.add(name=message_name)
        for name, number, kind, is_repeated in fields:
            field = message.field.add(name=name, number=number)
            field.label = 3 if is_repeated else 1
            if kind in _FIELDS:
                field.type = FieldDescriptorProto.TYPE_MESSAGE
                field.type_name = f".kith_onnx.{kind}"
            else:
                field.type = FieldDescriptorProto.Type.Value(f"TYPE_{kind}")
    classes = GetMessages([file])
    return {name: classes[f"kith_onnx.{name}"] for name in _FIELDS}

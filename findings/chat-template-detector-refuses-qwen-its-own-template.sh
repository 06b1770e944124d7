#!/bin/sh
# chat-template-detector 0.1.0 (PyPI, CPython 3.11), which compares the template of data for fine-tuning with that of the
# model, here without a network. Of models that it does not know by name it says that they use "None", and fails: ChatML for
# Qwen, whose own template that is, is a "Template mismatch", as is Llama 2's form for Llama 2 in a config that names its
# template. The mismatch of its README, messages in JSON for a model with [INST], passes without a word. A remark about tags
# in a text ("I read about [INST]") is taken for Llama 2's template.
# Source: its README: "Detector catches this mismatch and shows exactly what's wrong", beneath {"messages": ...} and
# <s>[INST]; Qwen's tokenizer_config.json: <|im_start|>. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "chat-template-detector==0.1.0"
cd "$folder"
cat >chatml.jsonl <<'JSON'
{"text": "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\nHi<|im_end|>"}
JSON
cat >inst.jsonl <<'JSON'
{"text": "<s>[INST] Hello [/INST] Hi</s>"}
JSON
cat >messages.jsonl <<'JSON'
{"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]}
JSON
echo 'chat_template: llama-2' >config.yaml
echo 'Ada: I read about [INST] today.' >talk.txt
validate() {
  echo "$*"
  venv/bin/chat-template-detector validate --training-file "$@" 2>&1 | grep -e Results -e Error -e Warning || true
}
{
  validate chatml.jsonl --model Qwen/Qwen2.5-7B-Instruct
  validate chatml.jsonl --model meta-llama/Llama-2-7b-chat-hf
  validate inst.jsonl --inference-config config.yaml
  validate messages.jsonl --model meta-llama/Llama-2-7b-chat-hf
  venv/bin/chat-template-detector check talk.txt 2>&1 | grep -o 'detected template.*'
} | tee seen
cat >expected <<'TEXT'
chatml.jsonl --model Qwen/Qwen2.5-7B-Instruct
3: Results: Validation FAILED
   Error: Template mismatch: training uses chatml, inference uses None
chatml.jsonl --model meta-llama/Llama-2-7b-chat-hf
3: Results: Validation FAILED
   Error: Template mismatch: training uses chatml, inference uses llama-2
inst.jsonl --inference-config config.yaml
3: Results: Validation FAILED
   Error: Template mismatch: training uses llama-2, inference uses None
messages.jsonl --model meta-llama/Llama-2-7b-chat-hf
3: Results: Validation PASSED
detected template: llama-2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }

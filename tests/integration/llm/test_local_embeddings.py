"""Embedding models in the process: a tiny one that the tests write, and the bundled one."""

import math
from importlib.util import find_spec

import pytest

from tests.fakes.onnx_model import DIMENSIONS, write_model
from utils.common.config import BUNDLED_EMBEDDING
from utils.common.errors import ModelRefused
from utils.llm.local_embeddings import BUNDLED_PACKAGE, LocalEmbedder

pytestmark = pytest.mark.skipif(  # its import starts a thread, and xdist's workers are forks
    find_spec("onnxruntime") is None, reason="the embeddings are not installed"
)
CLS = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
MEAN = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}


@pytest.fixture
def directory(tmp_path):
    return write_model(tmp_path / "tiny")


async def embed(directory, *texts, is_query=False):
    local = LocalEmbedder(directory)
    try:
        embedded = await local.embed(texts, timeout_s=1.0, is_query=is_query)
    finally:
        await local.close()
    assert embedded.usage.total == 0
    return embedded.vectors


def cosine(first, second):
    return sum(a * b for a, b in zip(first, second, strict=True))


async def test_a_vector_is_the_mean_of_its_tokens_with_length_1(directory):
    dog, turned, oslo = await embed(directory, "has a dog", "a dog has", "Oslo")
    assert list(dog) == pytest.approx(list(turned))
    assert list(dog[:4]) == pytest.approx([0.0, *[1 / math.sqrt(3)] * 3])
    assert cosine(dog, oslo) == 0.0
    assert list(oslo) == [0.0] * 8 + [1.0] + [0.0] * (DIMENSIONS - 9)


async def test_queries_and_texts_get_the_prefixes_that_the_models_files_name(tmp_path):
    prompts = {"query": "query ", "document": "rex "}
    directory = write_model(tmp_path / "tiny", config_sentence_transformers={"prompts": prompts})
    (query,) = await embed(directory, "dog", is_query=True)
    (text,) = await embed(directory, "dog")
    (plain_query,) = await embed(write_model(tmp_path / "plain"), "query dog")
    (plain_text,) = await embed(tmp_path / "plain", "rex dog")
    assert (query, text) == (plain_query, plain_text)


async def identity(directory):
    local = LocalEmbedder(directory)
    try:
        return await local.identity()
    finally:
        await local.close()


async def test_other_weights_words_or_pooling_are_another_model(directory):
    before = await identity(directory)
    assert before.startswith("tiny@")
    assert await identity(directory) == before
    identities = {before}
    for changed in ({"factor": 2.0}, {"pooling": CLS}, {"pooling": MEAN}):
        identities.add(await identity(write_model(directory, **changed)))
    tokenizer = directory / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text() + "\n")
    identities.add(await identity(directory))
    assert len(identities) == 5


async def test_a_directory_without_a_model_is_named_and_may_get_one(tmp_path):
    local = LocalEmbedder(tmp_path)
    with pytest.raises(ModelRefused, match=r"no model in ONNX form") as caught:
        await local.identity()
    assert str(tmp_path) in str(caught.value)
    write_model(tmp_path)
    assert len((await local.embed(["Oslo"], timeout_s=1.0)).vectors[0]) == DIMENSIONS
    await local.close()


# --- the bundled one ----------------------------------------------------------------------------


async def test_other_weights_in_the_package_are_not_used(monkeypatch, tmp_path):
    package = write_model(tmp_path / BUNDLED_PACKAGE)
    (package / "__init__.py").write_text("raise AssertionError('the package was run')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelRefused, match="is not the expected one"):
        await LocalEmbedder(BUNDLED_EMBEDDING).identity()


async def test_the_bundled_model_compares_meaning():
    pytest.importorskip(BUNDLED_PACKAGE)
    local = LocalEmbedder(BUNDLED_EMBEDDING)
    near, far, query = (
        await local.embed(
            ["My puppy chewed my shoes", "The train was late again", "Do I have a pet?"],
            timeout_s=1.0,
        )
    ).vectors
    assert len(query) == 384
    assert cosine(near, query) > cosine(far, query) + 0.1
    assert (await local.identity()).startswith("all-MiniLM-L6-v2@")
    await local.close()

"""The embedding client against a loopback endpoint, and which model a setting names."""

import asyncio
import json
import math
from array import array
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.fakes import model_server as fake
from tests.fakes.model_server import FakeModelServer
from tests.rows import each_row
from utils.common.config import BUNDLED_EMBEDDING, MULTILINGUAL_EMBEDDING, Settings
from utils.common.errors import (
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    RequestRefused,
    SettingsError,
)
from utils.llm.embeddings import EmbeddingEndpoint, read_vectors
from utils.models.llm import Usage

TEXTS = ["has a dog named Rex", "lives in Oslo"]
SECRET = "sk-very-secret-key-42"


@pytest.fixture(autouse=True)
def quick_client(monkeypatch, tmp_path):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)  # reading it takes 60 ms a client
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))


@pytest.fixture
async def server():
    async with FakeModelServer(dimensions=16) as running:
        yield running


@pytest.fixture
async def endpoint(server):
    made = EmbeddingEndpoint("minilm", api_key=SECRET, base_url=server.base_url)
    yield made
    await made.close()


async def embed(endpoint, texts=TEXTS):
    return await endpoint.embed(texts, timeout_s=5.0)


def answering(*vectors, **given):
    """A body with these vectors, as they are."""
    data = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {"data": data} | given


async def test_each_text_gets_its_vector_and_the_usage_is_the_servers(server, endpoint):
    embedded = await embed(endpoint)
    assert [list(vector) for vector in embedded.vectors] == [
        pytest.approx(fake.embed(text, 16), abs=1e-6) for text in TEXTS
    ]
    assert embedded.usage == Usage(sum(map(fake.count_tokens, TEXTS)), 0)
    (request,) = server.requests
    assert request.body == {"model": "minilm", "input": TEXTS, "encoding_format": "base64"}
    assert request.headers["Authorization"] == f"Bearer {SECRET}"
    assert await endpoint.identity() == "minilm"


async def test_an_endpoint_that_knows_no_base64_is_asked_for_numbers_from_then_on(server, endpoint):
    server.on_embeddings = lambda request: (
        fake.error(400, message="encoding_format: only float")
        if request["encoding_format"] == "base64"
        else None
    )
    first, second = await embed(endpoint), await embed(endpoint)
    assert first.vectors == second.vectors
    forms = [request.body["encoding_format"] for request in server.requests]
    assert forms == ["base64", "float", "float"]


async def test_what_an_endpoint_does_not_count_is_estimated(server, endpoint):
    body = json.dumps(answering([1.0, 0.0], [0.0, 1.0]))
    server.on_embeddings = lambda _: fake.raw_body(body)
    assert (await embed(endpoint)).usage.prompt_tokens >= 8


def test_vectors_are_put_in_the_order_of_the_texts():
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    assert read_vectors({"data": data}, 2) == (array("f", [1, 0]), array("f", [0, 1]))


@each_row(
    "body",
    [
        answering(),
        answering([1.0]),
        answering([1.0], [1.0], [1.0]),
        answering([1.0], []),
        answering([1.0], None),
        answering([1.0], [math.nan]),
        answering([1.0], [math.inf, -math.inf]),
        answering([1.0], ["1.0"]),
        answering([1.0], [None]),
        answering([1.0], [10**400]),
        answering([1.0], [[1.0]]),
        answering([1.0], "no base64!"),
        answering([1.0], "AAA="),
        answering([1.0], [0.5] * 9000),
        {"data": None},
        {"data": [None, None]},
        {"data": [{"index": 0, "embedding": [1.0]}] * 2},
        {"data": [{"index": [], "embedding": [1.0]}] * 2},
    ],
)
def test_what_are_no_vectors_is_malformed(body):
    with pytest.raises(ModelMalformed):
        read_vectors(body, 2)


@pytest.mark.parametrize("body", [None, [], "hello", {"choices": []}])
def test_what_is_no_answer_at_all_is_refused(body):
    with pytest.raises(ModelRefused, match="EMBEDDING_BASE_URL"):
        read_vectors(body, 2)


def test_an_error_with_status_200_is_one():
    with pytest.raises(ModelUnreachable):
        read_vectors({"error": {"code": 503, "message": "away"}}, 2)


async def test_vectors_of_several_lengths_are_malformed(server, endpoint):
    server.on_embeddings = lambda _: [[1.0, 0.0], [1.0]]
    with pytest.raises(ModelMalformed):
        await embed(endpoint)


async def test_another_model_may_answer_with_vectors_of_another_length(server, endpoint):
    await embed(endpoint)
    server.on_embeddings = lambda _: [[1.0, 0.0], [1.0, 0.0]]
    assert [len(vector) for vector in (await embed(endpoint)).vectors] == [2, 2]


@pytest.mark.parametrize(
    ("answer", "raised", "said"),
    [
        (fake.error(503), ModelUnreachable, "try|reach"),
        (fake.error(429), ModelUnreachable, "too many requests"),
        (fake.error(429, message="insufficient_quota"), ModelRefused, "quota"),
        (fake.error(401), ModelRefused, "EMBEDDING_API_KEY"),
        (fake.error(404), ModelRefused, "EMBEDDING_MODEL"),
        (fake.error(413), RequestRefused, "too long"),
        (fake.error(422, message="batch size 64 > 32"), RequestRefused, "language model"),
        (fake.drop_connection(), ModelUnreachable, "reach"),
        (fake.raw_body("<html>"), ModelRefused, "EMBEDDING_BASE_URL"),
    ],
)
async def test_what_an_endpoint_says_is_one_sentence_and_asked_once(
    server, endpoint, answer, raised, said
):
    server.on_embeddings = lambda _: answer
    with pytest.raises(raised, match=said) as caught:
        await embed(endpoint)
    assert type(caught.value) is raised
    assert TEXTS[0] not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert len(server.requests) == 1


async def test_an_endpoint_that_hangs_is_given_up(server, endpoint):
    server.on_embeddings = lambda _: fake.hang()
    with pytest.raises(ModelUnreachable):
        await endpoint.embed(TEXTS, timeout_s=0.05)


async def test_nothing_listens(server, endpoint):
    await server.stop()
    with pytest.raises(ModelUnreachable):
        await embed(endpoint)


async def test_only_so_many_ask_at_once(server, endpoint):
    gate, begun = asyncio.Event(), 0

    async def hold(_):
        nonlocal begun
        begun += 1
        await gate.wait()

    server.on_embeddings = hold
    calls = [asyncio.create_task(embed(endpoint)) for _ in range(9)]
    await server.wait_requests(4)
    assert begun <= 4
    gate.set()
    await asyncio.gather(*calls)
    assert begun == 9


# --- settings -----------------------------------------------------------------------------------


def settings(**given):
    return Settings(_env_file=None, **{"embedding_model": "minilm"} | given)


async def asked_with(server, **given):
    """The key that is sent with these settings, and whether the server was asked."""
    endpoint = EmbeddingEndpoint.from_settings(settings(**given))
    try:
        await embed(endpoint)
    finally:
        await endpoint.close()
    return server.requests[-1].headers["Authorization"]


async def test_the_chat_endpoint_is_asked_unless_there_is_another(server):
    chat = {"openai_base_url": server.base_url, "openai_api_key": SecretStr("chat")}
    assert await asked_with(server, **chat) == "Bearer chat"
    assert await asked_with(server, **chat, embedding_api_key=SecretStr("own")) == "Bearer own"


async def test_the_chat_endpoints_key_goes_to_no_other_address(server):
    given = {"embedding_base_url": server.base_url, "openai_api_key": SecretStr("chat")}
    assert await asked_with(server, **given) == "Bearer none"
    assert await asked_with(server, **given, embedding_api_key=SecretStr("own")) == "Bearer own"


def test_a_name_without_an_endpoint_is_a_wrong_setting():
    with pytest.raises(SettingsError, match="EMBEDDING_BASE_URL"):
        EmbeddingEndpoint.from_settings(settings())


def test_a_directory_is_told_from_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "minilm").mkdir()
    assert settings().embedding_directory is not None
    assert settings(embedding_model="BAAI/bge-m3").embedding_directory is None
    assert settings(embedding_model="./none").embedding_directory is not None
    assert settings(embedding_model=None).embedding_directory is None


def test_local_names_the_models_that_come_with_the_packages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "local").mkdir()
    assert settings(embedding_model="local").embedding_directory == BUNDLED_EMBEDDING
    multilingual = settings(embedding_model="local-multilingual").embedding_directory
    assert multilingual == MULTILINGUAL_EMBEDDING
    assert MULTILINGUAL_EMBEDDING.is_dir()
    assert settings(embedding_model="./local").embedding_directory == Path("local")

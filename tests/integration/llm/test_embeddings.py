"""The embedding client against a loopback endpoint, and which model a setting names."""

from array import array

import pytest
from pydantic import SecretStr

from tests.fakes import model_server as fake
from tests.fakes.model_server import FakeModelServer
from utils.common.config import Settings
from utils.common.errors import (
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    RequestRefused,
)
from utils.llm.embeddings import EmbeddingEndpoint, read_vectors
from utils.models.llm import Usage

TEXTS = ["has a dog named Rex", "lives in Oslo"]
SECRET = "sk-very-secret-key-42"


pytestmark = pytest.mark.usefixtures("quick_client")


@pytest.fixture
async def server():
    async with FakeModelServer(dimensions=16) as running:
        yield running


@pytest.fixture
def endpoint(server, until_end):
    return until_end(EmbeddingEndpoint("minilm", api_key=SECRET, base_url=server.base_url))


async def embed(endpoint, texts=TEXTS):
    return await endpoint.embed(texts, timeout_s=5.0)


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


def test_vectors_are_put_in_the_order_of_the_texts():
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    assert read_vectors({"data": data}, 2) == (array("f", [1, 0]), array("f", [0, 1]))


@pytest.mark.parametrize("body", [None, [], "hello", {"choices": []}])
def test_what_is_no_answer_at_all_is_refused(body):
    with pytest.raises(ModelRefused, match="EMBEDDING_BASE_URL"):
        read_vectors(body, 2)


async def test_vectors_of_several_lengths_are_malformed(server, endpoint):
    server.on_embeddings = lambda _: [[1.0, 0.0], [1.0]]
    with pytest.raises(ModelMalformed):
        await embed(endpoint)


@pytest.mark.parametrize(
    ("answer", "raised", "said"),
    [
        (fake.error(503), ModelUnreachable, "try|reach"),
        (fake.error(401), ModelRefused, "EMBEDDING_API_KEY"),
        (fake.error(422, message="batch size 64 > 32"), RequestRefused, "language model"),
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


async def test_the_chat_endpoints_key_goes_to_no_other_address(server):
    given = {"embedding_base_url": server.base_url, "openai_api_key": SecretStr("chat")}
    assert await asked_with(server, **given) == "Bearer none"
    assert await asked_with(server, **given, embedding_api_key=SecretStr("own")) == "Bearer own"

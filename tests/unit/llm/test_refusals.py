"""What errors of servers in use mean; their texts as they were sent."""

from tests.rows import each_row
from utils.common.errors import ModelRefused, ModelUnreachable, RequestRefused
from utils.llm.capabilities import Feature, blamed_feature, refusal
from utils.llm.endpoint import Endpoint

UNKNOWN = "/chat/completions: Invalid model name passed in model=nope. Call `/v1/models` to view"
LLAMA_LONG = "the rendered prompt is 30020 tokens; the model context is 8192"
VLLM = "max_tokens=9 cannot be greater than max_model_len=8. Please request fewer output tokens."
AZURE = "The response was filtered due to the prompt triggering Azure OpenAI's content management"


@each_row(
    ("status", "text", "kind", "words"),
    [
        (400, UNKNOWN, ModelRefused, "does not exist"),
        (400, "nope is not a valid model ID", ModelRefused, "does not exist"),
        (500, "model 'nope' not found", ModelRefused, "does not exist"),
        (400, "Server is pinned to 'a/small'; requested 'nope'.", ModelRefused, "does not exist"),
        *(
            (400, text, ModelRefused, "does not exist")
            for text in (
                "Model Not Exist",  # DeepSeek
                "The model `llama3-70b-8192` has been decommissioned and is no longer supported.",
                "The provided model identifier is invalid.",  # Bedrock
                "Unavailable model: gpt-9",  # GitHub
                "No models loaded. Please load a model in the developer page",  # LM Studio
            )
        ),
        (400, "No connected db.", ModelRefused, "OPENAI_API_KEY"),
        (400, "API key not valid. Please pass a valid API key.", ModelRefused, "OPENAI_API_KEY"),
        (400, "User location is not supported for the API use.", ModelRefused, "may not use"),
        (400, "Your credit balance is too low to access the Anthropic API.", ModelRefused, "quota"),
        (500, "Authentication Error, No api key passed in.", ModelRefused, "OPENAI_API_KEY"),
        *(
            (400, text, RequestRefused, "too long")
            for text in (
                *(LLAMA_LONG, VLLM, "input is too large to process"),
                "input length and `max_tokens` exceed context limit: 198000 + 8000 > 200000",
                "The input token count exceeds the maximum number of tokens allowed 8192.",
                "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
                "The decoder prompt (length 5011) is longer than the maximum model length of 4096.",
                "Prompt length (5011) exceeds maximum input length (4096).",  # TensorRT-LLM
                "This model's maximum prompt length is 131072 but the request contains 537812",
                "Your request exceeded model token limit: 8192",  # Moonshot
                "Range of input length should be [1, 30720]",  # Qwen
                "Prompt length 5011 is greater than max_seq_len 4096",
                "`inputs` must have less than 1024 tokens. Given: 5011",
            )
        ),
        (500, "Prompt length 5000 exceeds max_kv_size 4096", RequestRefused, "too long"),
        (400, AZURE, RequestRefused, "content filter"),
        (403, "Input was flagged by moderation", RequestRefused, "content filter"),
        (501, "This server does not support embeddings.", ModelRefused, "does not offer"),
        *((status, "", ModelUnreachable, "can't reach") for status in (408, 409, 425, 500, 529)),
        (500, "out of memory at max_seq_len=8192", ModelUnreachable, "can't reach"),
        (400, "`inputs` must have a role", RequestRefused, "refused the request"),
        (400, "This model's 'stop' has been deprecated.", RequestRefused, "refused the request"),
    ],
)
def test_a_text_decides_where_the_status_does_not(status, text, kind, words):
    error = refusal(status, text)
    assert type(error) is kind
    assert words in str(error)
    assert "hoever runs me" not in error.for_operator


@each_row(
    ("status", "text", "blamed"),
    [
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it", Feature.SYSTEM),
        (400, "System role not supported", Feature.SYSTEM),
        (
            400,
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            Feature.SYSTEM,
        ),
        (500, "Only user and assistant roles are supported!", Feature.SYSTEM),
        # llm-shield-proxy 1.7.0 adds it to each stream, so that only a request without one is taken
        (400, "HTTP 400: Unrecognized request argument supplied: stream_options", Feature.STREAM),
    ],
)
def test_what_a_refusal_is_about(status, text, blamed):
    used = {Feature.SYSTEM, Feature.TOOL_MESSAGES, Feature.REPEATED_ROLES, Feature.STREAM}
    assert blamed_feature(status, text, used) is blamed


def test_a_picture_for_a_model_that_sees_none_concerns_the_picture():
    text = "image input is not supported - hint: if this is unexpected, provide the mmproj"
    errors = [type(refusal(500, text, has_pictures=has_any)) for has_any in (True, False)]
    assert errors == [RequestRefused, ModelUnreachable]


def test_keys_are_removed_from_what_an_endpoint_says():
    endpoint = Endpoint("my-secret-value", "http://127.0.0.1:1/v1", concurrency=1)
    said = endpoint.without_keys("key my-secret-value or sk-abc***9 is\nwrong (Bearer xyz)")
    assert said == "key … or … is wrong (Bearer …"

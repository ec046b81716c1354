package llm

import (
	"net/http"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// What servers answer, each in words of its own.
func TestFailures(t *testing.T) {
	apiError := func(message, typ, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + typ + `","param":null,"code":"` + code + `"}}`
	}
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   failure // class, feature, limit and reason count
	}{
		{"OpenAI, too long", 400, apiError("This model's maximum context length is 8192 tokens. However, your messages resulted in 10021 tokens. Please reduce the length of the messages.", "invalid_request_error", "context_length_exceeded"), failure{class: classTooLong, limit: 8192}},
		{"vLLM, too long", 400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).","type":"BadRequestError","param":null,"code":400}`, failure{class: classTooLong, limit: 16384}},
		{"vLLM, too long with the reply", 400, apiError("'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens", "BadRequestError", ""), failure{class: classTooLong, limit: 4096}},
		{"llama.cpp, too long", 400, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}`, failure{class: classTooLong, limit: 8192}},
		{"llama.cpp, the same with another status", 500, `{"error":{"code":500,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":2560}}`, failure{class: classTooLong, limit: 2560}},
		{"llama.cpp, newer", 400, apiError("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", "exceed_context_size_error", ""), failure{class: classTooLong, limit: 4096}},
		{"llama.cpp, within a success", 200, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":8192}}`, failure{class: classTooLong, limit: 8192}},
		{"llama-cpp-python", 500, apiError("Requested tokens (2285) exceed context window of 2048", "internal_server_error", ""), failure{class: classTooLong, limit: 2048}},
		{"TGI, too long", 422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 512 `max_new_tokens`\",\"error_type\":\"validation\"}", failure{class: classTooLong, limit: 4096}},
		{"Anthropic, too long", 400, apiError("prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error", ""), failure{class: classTooLong, limit: 200000}},
		{"DashScope, too long", 400, apiError("Range of input length should be [1, 30720]", "invalid_request_error", "invalid_parameter_error"), failure{class: classTooLong, limit: 30720}},
		{"Gemini, too long", 400, apiError("The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).", "INVALID_ARGUMENT", ""), failure{class: classTooLong, limit: 1048576}},
		{"Mistral, too long", 400, apiError("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", "invalid_request_error", ""), failure{class: classTooLong, limit: 32768}},
		{"SGLang, too long", 400, apiError("The input (5000 tokens) is longer than the model's context length (4096 tokens).", "BadRequest", ""), failure{class: classTooLong, limit: 4096}},
		{"LM Studio, too long", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, failure{class: classTooLong, limit: 4096}},
		{"with separators", 400, apiError("maximum context length is 128,000 tokens", "", ""), failure{class: classTooLong, limit: 128000}},
		{"without a number", 400, apiError("Your input exceeds the context window of this model.", "", ""), failure{class: classTooLong}},
		{"Groq, larger than a minute's allowance", 413, apiError("Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000", "tokens", "rate_limit_exceeded"), failure{class: classTooLong, limit: 6000}},
		{"OpenAI, larger than a minute's allowance", 429, apiError("Request too large for gpt on tokens per min (TPM): Limit 10000, Requested 12000.", "tokens", "rate_limit_exceeded"), failure{class: classTooLong, limit: 10000}},
		{"nginx, too large", 413, "<html><h1>413 Request Entity Too Large</h1></html>", failure{class: classTooLong}},

		{"a busy server", 429, apiError("Rate limit reached on tokens per min (TPM): Limit 10000, Used 9500, Requested 800. Please try again in 3s.", "tokens", "rate_limit_exceeded"), failure{class: classOutage}},
		{"no quota", 429, apiError("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), failure{class: classOutage}},
		{"an overloaded server", 503, apiError("Our servers are overloaded", "server_error", ""), failure{class: classOutage}},
		{"a gateway's page", 502, "<html>Bad Gateway</html>", failure{class: classOutage}},
		{"Anthropic, overloaded", 529, apiError("Overloaded", "overloaded_error", ""), failure{class: classOutage}},
		{"a broken server", 500, apiError("The server had an error", "server_error", ""), failure{class: classOutage}},
		{"a proxy with an error inside", 200, `{"error":{"message":"Provider returned error","code":429}}`, failure{class: classOutage}},

		{"a wrong key", 401, apiError("Incorrect API key provided: sk-abc", "invalid_request_error", "invalid_api_key"), failure{class: classSetup}},
		{"no credit", 402, apiError("Insufficient Balance", "unknown_error", "invalid_request_error"), failure{class: classSetup}},
		{"not allowed", 403, apiError("Country not supported", "request_forbidden", ""), failure{class: classSetup}},
		{"no such model", 404, apiError("The model `m` does not exist", "invalid_request_error", "model_not_found"), failure{class: classSetup}},
		{"no such path", 404, "404 page not found", failure{class: classSetup}},
		{"longer replies than the model can", 400, apiError("max_tokens is too large: 5000. This model supports at most 4096 completion tokens", "invalid_request_error", ""), failure{class: classSetup}},

		{"DeepSeek, no schema", 400, apiError("This response_format type is unavailable now", "invalid_request_error", "invalid_request_error"), failure{class: classFeature, feature: featureFormat}},
		{"LM Studio, no object", 400, `{"error":"'response_format.type' must be 'json_schema'"}`, failure{class: classFeature, feature: featureFormat}},
		{"llama.cpp, schema not understood", 400, apiError("failed to parse grammar", "invalid_request_error", ""), failure{class: classFeature, feature: featureFormat}},
		{"vLLM, no tools", 400, apiError(`\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`, "BadRequestError", ""), failure{class: classFeature, feature: featureFormat}},
		{"OpenRouter, no tools", 404, apiError("No endpoints found that support tool use", "", "404"), failure{class: classFeature, feature: featureFormat}},
		{"OpenAI, no temperature", 400, apiError("Unsupported value: 'temperature' does not support 0 with this model.", "invalid_request_error", "unsupported_value"), failure{class: classFeature, feature: featureTemperature}},
		{"OpenAI, other word for max_tokens", 400, apiError("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "invalid_request_error", "unsupported_parameter"), failure{class: classFeature, feature: featureMaxTokens}},

		{"Azure, filtered", 400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400}}`, failure{class: classReply, reason: ReasonRefused}},
		{"DashScope, filtered", 400, apiError("Input data may contain inappropriate content.", "data_inspection_failed", "data_inspection_failed"), failure{class: classReply, reason: ReasonRefused}},
		{"Groq, no JSON came out", 400, apiError("Failed to generate JSON. Please adjust your prompt.", "invalid_request_error", "json_validate_failed"), failure{class: classReply, reason: ReasonNotJSON}},

		{"without a reason", 400, apiError("invalid argument", "invalid_request_error", ""), failure{class: classRejected}},
		{"without a body", 422, "", failure{class: classRejected}},
		{"FastAPI, which repeats the input", 422, `{"detail":[{"loc":["body","messages",0,"content"],"msg":"value error","input":"I live in Boston"}]}`, failure{class: classRejected}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := refused(&http.Response{StatusCode: tt.status, Header: http.Header{}}, []byte(tt.body))
			if got == nil {
				t.Fatal("taken for a success")
			}
			if got.class != tt.want.class || got.feature != tt.want.feature || got.limit != tt.want.limit || got.reason != tt.want.reason {
				t.Errorf("class %d, feature %d, limit %d, reason %q, want %d, %d, %d, %q",
					got.class, got.feature, got.limit, got.reason, tt.want.class, tt.want.feature, tt.want.limit, tt.want.reason)
			}
			if s := got.Error(); len(s) > 120 || len(got.code) > 64 {
				t.Errorf("the error says too much: %s", s)
			}
		})
	}
}

func TestSuccesses(t *testing.T) {
	for _, body := range []string{`{"choices":[]}`, `{"choices":[],"error":null}`, "<html></html>", ""} {
		if f := refused(&http.Response{StatusCode: http.StatusOK}, []byte(body)); f != nil {
			t.Errorf("%q is taken for a failure: %v", body, f)
		}
	}
}

// What the client itself refuses to send is something to do without.
func TestClientRefusals(t *testing.T) {
	for err, want := range map[error]feature{
		openai.ErrReasoningModelMaxTokensDeprecated: featureMaxTokens,
		openai.ErrReasoningModelLimitationsOther:    featureTemperature,
		openai.ErrReasoningToolsRequireResponses:    featureFormat,
	} {
		if f := diagnose(err); f.class != classFeature || f.feature != want {
			t.Errorf("%v: class %d, feature %d, want feature %d", err, f.class, f.feature, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header map[string]string
		want   time.Duration
	}{
		{"none", nil, 0},
		{"seconds", map[string]string{"Retry-After": "20"}, 20 * time.Second},
		{"parts of a second", map[string]string{"Retry-After": " 1.5 "}, 1500 * time.Millisecond},
		{"milliseconds", map[string]string{"Retry-After": "20", "Retry-After-Ms": "1250"}, 1250 * time.Millisecond},
		{"a date on the server's clock", map[string]string{"Retry-After": "Sun, 01 Mar 2026 12:01:30 GMT", "Date": "Sun, 01 Mar 2026 12:00:00 GMT"}, 90 * time.Second},
		{"a date that is over", map[string]string{"Retry-After": "Sun, 01 Mar 2026 12:01:30 GMT"}, 0},
		{"negative", map[string]string{"Retry-After": "-5"}, 0},
		{"no number", map[string]string{"Retry-After": "soon"}, 0},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0},
		{"a year", map[string]string{"Retry-After": "31536000"}, maxRetryAfter},
		{"for ever", map[string]string{"Retry-After": "Inf"}, maxRetryAfter},
	} {
		h := http.Header{}
		for k, v := range tt.header {
			h.Set(k, v)
		}
		if got := retryAfter(&http.Response{Header: h}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Whatever a server says, it is classified, and not repeated.
func FuzzFailure(f *testing.F) {
	f.Add(400, `{"error":{"message":"maximum context length is 8192","code":{"a":1}}}`, "5")
	f.Add(200, `{"error":"x","n_ctx":-3}`, "Sun, 01 Mar 2026 12:01:30 GMT")
	f.Add(500, `{"error":[1,2],"detail":{}}`, "1e400")
	f.Fuzz(func(t *testing.T, status int, body, after string) {
		got := refused(&http.Response{StatusCode: status, Header: http.Header{"Retry-After": {after}}}, []byte(body))
		if got == nil {
			return
		}
		if got.limit < 0 || got.after < 0 || got.after > maxRetryAfter || len(got.Error()) > 200 {
			t.Fatalf("%+v: %s", got, got)
		}
	})
}

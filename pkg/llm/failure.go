package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// class is what a failed call means for the work that wanted it.
type class int

const (
	// classOutage: the server cannot be reached, or asks to be left alone.
	classOutage class = iota
	// classSetup: the operator must mend something (key, model, address); the work waits.
	classSetup
	// classTooLong: the prompt does not fit, and might in pieces.
	classTooLong
	// classFeature: the server lacks something of the request that can be done without.
	classFeature
	// classReply: the model's answer is of no use; another attempt may do better.
	classReply
	// classRejected: the request itself is refused, for a reason that is not known.
	classRejected
)

// feature is what a server may lack.
type feature int

const (
	featureFormat      feature = iota // the way in which a JSON reply is asked for
	featureTemperature                // a temperature other than the model's own
	featureMaxTokens                  // max_tokens, where max_completion_tokens has replaced it
)

// failure is a call that failed. Its text never holds what the server said, which may repeat
// the conversation, but for a code of known form.
type failure struct {
	class   class
	feature feature
	// status is that of the HTTP response, or 0 without one; code the server's own.
	status int
	code   string
	// after is the wait that the server named, or 0.
	after time.Duration
	// limit is how many tokens fit, as the server said, or 0.
	limit int
	// reason is that of a bad reply.
	reason Reason
	cause  error
}

func (f *failure) Error() string {
	switch {
	case f.cause != nil:
		return f.cause.Error()
	case f.class == classSetup && f.status == http.StatusNotFound:
		return f.answer() + ": the endpoint knows no such path or model"
	case f.class == classSetup:
		return f.answer() + ": the endpoint must be set up"
	}
	return f.answer()
}

func (f *failure) answer() string {
	s := fmt.Sprintf("status %d %s", f.status, http.StatusText(f.status))
	if f.code != "" {
		s += " (" + f.code + ")"
	}
	return strings.TrimSpace(s)
}

func (f *failure) Unwrap() error { return f.cause }

// diagnose says what an error of the client means. What is not known to be anything else is
// an outage: a connection that broke, a time-out.
func diagnose(err error) *failure {
	var f *failure
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
		return &failure{class: classFeature, feature: featureMaxTokens, cause: err}
	case errors.Is(err, openai.ErrReasoningModelLimitationsOther), errors.Is(err, openai.ErrReasoningSamplingUnsupported):
		return &failure{class: classFeature, feature: featureTemperature, cause: err}
	case errors.Is(err, openai.ErrReasoningToolsRequireResponses):
		return &failure{class: classFeature, feature: featureFormat, cause: err}
	case errors.Is(err, openai.ErrReasoningEffortUnsupported), errors.Is(err, openai.ErrChatCompletionInvalidModel):
		return &failure{class: classSetup, cause: err}
	case errors.As(err, &syntax), errors.As(err, &typ):
		return &failure{class: classReply, reason: ReasonGarbled, cause: errGarbled}
	}
	return &failure{class: classOutage, cause: err}
}

var errGarbled = errors.New("the response is no JSON of the API")

// doer sends requests and turns every response that is no success into a failure, so that
// the wait that a server names is known, and no response is read without bound.
type doer struct {
	client *http.Client
	// most bounds a response, in bytes.
	most int64
}

// Do is openai.HTTPDoer.
func (d doer) Do(req *http.Request) (*http.Response, error) {
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // what was to be read has been
	body, err := io.ReadAll(io.LimitReader(resp.Body, d.most+1))
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	if int64(len(body)) > d.most {
		return nil, &failure{class: classReply, reason: ReasonGarbled, cause: fmt.Errorf("the response is longer than %d bytes", d.most)}
	}
	if f := refused(resp, body); f != nil {
		return nil, f
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// problem is what a server says about a failure, in the forms that are in use: an object
// under "error", a text there, or the fields at the top.
type problem struct {
	message, code, kind string
	status              int
}

// readProblem returns what body says is wrong; ok is false if it says nothing of the kind.
func readProblem(body []byte) (p problem, ok bool) {
	type fields struct {
		Message any `json:"message"`
		Code    any `json:"code"`
		Type    any `json:"type"`
		Limit   int `json:"n_ctx"` // llama.cpp's
	}
	var doc struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
		fields
	}
	if json.Unmarshal(body, &doc) != nil {
		return problem{message: string(body)}, false
	}
	f := doc.fields
	ok = len(doc.Error) > 0 && string(doc.Error) != "null"
	if ok && json.Unmarshal(doc.Error, &f) != nil {
		f.Message = string(doc.Error)
	}
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	p = problem{message: text(f.Message), code: token(text(f.Code)), kind: token(text(f.Type))}
	if p.message == "" {
		p.message = string(doc.Detail)
	}
	if f.Limit > 0 {
		p.message += fmt.Sprintf(" context size (%d tokens)", f.Limit)
	}
	p.status, _ = strconv.Atoi(p.code)
	return p, ok
}

var code = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// token is s if it is a mere identifier, which can be shown.
func token(s string) string {
	if code.MatchString(s) {
		return s
	}
	return ""
}

// What servers say, each in words of its own.
var (
	tooLong = regexp.MustCompile(`(?i)context[ _-]?(?:length|size|window)|maximum (?:model|prompt|input) length|reduce the length|(?:prompt|input|request|messages?)(?: is| are)? too (?:long|large)|too many tokens|token count .*exceeds|range of input length|max_new_tokens.{0,10} must be|request entity too large`)
	limit   = regexp.MustCompile(`(?i)(?:context|model|prompt) length (?:is|of)(?: only)? ([\d,]+)|context length (?:\(|= ?)([\d,]+)|context size (?:\(|of )([\d,]+)|context window (?:\(|of )(?:only )?([\d,]+)|([\d,]+) maximum context length|must be <= ([\d,]+)|> ([\d,]+) maximum|\[\d+, ?([\d,]+)\]|tokens allowed \(([\d,]+)\)|limit:? ([\d,]+)|with ([\d,]+) maximum|context length \(([\d,]+)`)

	filtered    = regexp.MustCompile(`(?i)content[_ -]?(?:filter|policy|management)|responsibleai|data_inspection|moderation|flagged|inappropriate content|sensitive content`)
	badJSON     = regexp.MustCompile(`(?i)json_validate_failed|failed to (?:generate|validate) json`)
	temperature = regexp.MustCompile(`(?i)temperature`)
	maxTokens   = regexp.MustCompile(`(?i)max_tokens`)
	newMax      = regexp.MustCompile(`(?i)max_completion_tokens`)
	format      = regexp.MustCompile(`(?i)response_format|json_schema|json_object|json mode|structured output|schema|grammar|guided|\btool|function`)
)

// refused is the failure that a response is, or nil for a success. Some proxies answer 200
// with an error inside.
func refused(resp *http.Response, body []byte) *failure {
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	p, ok := readProblem(body)
	if success && !ok {
		return nil
	}
	status := resp.StatusCode
	if success {
		status = http.StatusBadGateway
		if p.status >= 400 && p.status < 600 {
			status = p.status
		}
	}
	f := &failure{status: status, code: p.code, after: retryAfter(resp)}
	if f.code == "" || f.code == strconv.Itoa(status) {
		f.code = p.kind
	}
	f.classify(p)
	return f
}

// classify decides by the status first, and by the server's words where it says too little.
func (f *failure) classify(p problem) {
	said := p.code + " " + p.kind + " " + p.message
	switch f.status {
	case http.StatusTooManyRequests:
		// A request that is larger than a minute's allowance never gets through.
		if m := limit.FindStringSubmatch(said); tooLong.MatchString(said) && m != nil {
			f.class, f.limit = classTooLong, number(m)
		}
		return
	case http.StatusRequestEntityTooLarge:
		f.class, f.limit = classTooLong, number(limit.FindStringSubmatch(said))
		return
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusGone:
		f.class = classSetup
		return
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return
	}
	switch {
	case tooLong.MatchString(said):
		f.class, f.limit = classTooLong, number(limit.FindStringSubmatch(said))
	case filtered.MatchString(said):
		f.class, f.reason = classReply, ReasonRefused
	case badJSON.MatchString(said):
		f.class, f.reason = classReply, ReasonNotJSON
	case newMax.MatchString(said):
		f.class, f.feature = classFeature, featureMaxTokens
	case maxTokens.MatchString(said), f.status == http.StatusForbidden:
		f.class = classSetup
	case temperature.MatchString(said):
		f.class, f.feature = classFeature, featureTemperature
	case format.MatchString(said), f.status == http.StatusNotImplemented:
		f.class, f.feature = classFeature, featureFormat
	case f.status == http.StatusNotFound, f.status < 400:
		f.class = classSetup
	case f.status >= 500:
		f.class = classOutage
	default:
		f.class = classRejected
	}
}

// number is the group of a match that took part in it, or 0.
func number(match []string) int {
	for _, m := range match[min(1, len(match)):] {
		if n, err := strconv.Atoi(strings.ReplaceAll(m, ",", "")); err == nil {
			return n
		}
	}
	return 0
}

// maxRetryAfter bounds the wait that a server can ask for.
const maxRetryAfter = time.Hour

// retryAfter is the wait that a response asks for, in seconds, as a date, or in the
// milliseconds that some servers add; 0 if it asks for none. A date is compared with the
// server's own clock, where it tells it.
func retryAfter(resp *http.Response) time.Duration {
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if ms, err := strconv.ParseFloat(resp.Header.Get("Retry-After-Ms"), 64); err == nil {
		return wait(ms / 1000)
	}
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return wait(s)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return wait(at.Sub(now).Seconds())
}

// wait is a number of seconds within the bounds; what is no number is 0.
func wait(seconds float64) time.Duration {
	switch {
	case seconds >= maxRetryAfter.Seconds():
		return maxRetryAfter
	case seconds > 0:
		return time.Duration(seconds * float64(time.Second))
	}
	return 0
}

package llmtest

import (
	"net/http"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/llm/wire"
)

// Quirk is a way to misbehave.
type Quirk string

// The quirks of stories.
const (
	QuirkNone Quirk = "none"
	// QuirkUnavailable answers 429 with a wait, 503, and not at all, in turn.
	QuirkUnavailable Quirk = "unavailable"
	// QuirkFencedJSON puts the reply in a code fence with a sentence around it.
	QuirkFencedJSON Quirk = "fenced_json"
	// QuirkProseOnly replies without JSON, whatever format is asked for.
	QuirkProseOnly Quirk = "prose_only"
	// QuirkHallucinates adds a candidate whose quote stands nowhere.
	QuirkHallucinates Quirk = "hallucinates"
)

// Quirks beyond those of stories.
const (
	// QuirkTruncated cuts every reply off, for its length.
	QuirkTruncated Quirk = "truncated"
	// QuirkSlow never answers; the client gives up.
	QuirkSlow Quirk = "slow"
	// QuirkRefusing has the model refuse.
	QuirkRefusing Quirk = "refusing"
	// QuirkFiltered has the provider refuse, with 400.
	QuirkFiltered Quirk = "filtered"
	// QuirkEmpty replies with nothing.
	QuirkEmpty Quirk = "empty"
	// QuirkGarbled answers 200 with a page of HTML.
	QuirkGarbled Quirk = "garbled"
	// QuirkErrorInside answers 200 with an error inside, as some proxies do.
	QuirkErrorInside Quirk = "error_inside"
	// QuirkWrongRelation relates every candidate to the first known memory, or to one that
	// was never shown, as what it ends.
	QuirkWrongRelation Quirk = "wrong_relation"
	// QuirkLeaksPrompt states every line of the instructions as a fact, with its own words as
	// the quote, and QuirkLeaksIntoQuotes with those of the user.
	QuirkLeaksPrompt     Quirk = "leaks_prompt"
	QuirkLeaksIntoQuotes Quirk = "leaks_into_quotes"
	// QuirkReasoning thinks aloud before it replies, in the content and in a field.
	QuirkReasoning Quirk = "reasoning"
	// QuirkSloppyJSON leaves commas before closing brackets.
	QuirkSloppyJSON Quirk = "sloppy_json"
	// QuirkNoSchema refuses response_format json_schema with 400, QuirkNoFormats every
	// response_format, and QuirkTextOnly tools too.
	QuirkNoSchema  Quirk = "no_schema"
	QuirkNoFormats Quirk = "no_formats"
	QuirkTextOnly  Quirk = "text_only"
	// QuirkReasoningModel refuses a temperature and max_tokens with 400.
	QuirkReasoningModel Quirk = "reasoning_model"
	// QuirkRejects answers 400 without a word that helps.
	QuirkRejects Quirk = "rejects"
	// QuirkNoModel answers 404.
	QuirkNoModel Quirk = "no_model"
	// QuirkShuffled returns embeddings in another order, with their indices.
	QuirkShuffled Quirk = "shuffled"
	// QuirkShortVectors returns embeddings that are too short.
	QuirkShortVectors Quirk = "short_vectors"
)

// interferes answers a request itself, as the quirk wants it, and reports whether it did.
func (s *Server) interferes(w http.ResponseWriter, r *http.Request, q Quirk, c *chatRequest) bool {
	switch q {
	case QuirkUnavailable:
		s.unavailable(w)
	case QuirkSlow:
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
	case QuirkFiltered:
		fail(w, http.StatusBadRequest, problem{"The response was filtered due to the prompt triggering our content management policy.", "", "content_filter"})
	case QuirkGarbled:
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html><body>Welcome</body></html>"))
	case QuirkErrorInside:
		write(w, http.StatusOK, map[string]any{"error": map[string]any{"message": "Provider returned error", "code": 503}})
	case QuirkRejects:
		fail(w, http.StatusBadRequest, problem{Message: "invalid argument", Type: "BadRequestError"})
	case QuirkNoModel:
		fail(w, http.StatusNotFound, problem{"The model does not exist", "invalid_request_error", "model_not_found"})
	default:
		return c != nil && lacks(w, q, c)
	}
	return true
}

// lacks refuses a request for what the quirk's server cannot do.
func lacks(w http.ResponseWriter, q Quirk, c *chatRequest) bool {
	format := c.format()
	refuse := func(message string) bool {
		fail(w, http.StatusBadRequest, problem{Message: message, Type: "invalid_request_error"})
		return true
	}
	switch {
	case q == QuirkNoSchema && format == FormatSchema,
		(q == QuirkNoFormats || q == QuirkTextOnly) && (format == FormatSchema || format == FormatObject):
		return refuse("This response_format type is unavailable now")
	case q == QuirkTextOnly && format == FormatTool:
		return refuse(`"auto" tool choice requires --enable-auto-tool-choice`)
	case q == QuirkReasoningModel && c.Temperature != nil:
		return refuse("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.")
	case q == QuirkReasoningModel && c.MaxTokens != 0:
		return refuse("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
	}
	return false
}

// RetryAfter is the wait that QuirkUnavailable asks for, where it asks for one.
const RetryAfter = time.Second

func (s *Server) unavailable(w http.ResponseWriter) {
	s.mu.Lock()
	turn := s.outages % 3
	s.outages++
	s.mu.Unlock()
	switch turn {
	case 0:
		w.Header().Set("Retry-After", "1")
		fail(w, http.StatusTooManyRequests, problem{"Rate limit reached", "requests", "rate_limit_exceeded"})
	case 1:
		fail(w, http.StatusServiceUnavailable, problem{Message: "overloaded", Type: "server_error"})
	default:
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
}

// distort changes what a good model would say.
func (q Quirk) distort(content string, p Prompt) string {
	switch q {
	case QuirkFencedJSON:
		return "Here is what I found:\n```json\n" + content + "\n```\nLet me know if you need anything else."
	case QuirkProseOnly:
		return "The user seems to have told me something about themselves, but I would rather describe it in words."
	case QuirkReasoning:
		return "<think>Is {\"candidates\":[]} right? No.</think>\n\n" + content
	case QuirkSloppyJSON:
		return strings.NewReplacer("}]", "},]", "}}", "},}").Replace(content)
	case QuirkTruncated:
		return content[:len(content)/2]
	case QuirkHallucinates, QuirkWrongRelation, QuirkLeaksPrompt, QuirkLeaksIntoQuotes:
		r, err := wire.Read(content)
		if err != nil {
			return content // a script of its own
		}
		return encode(q.falsify(r, p))
	}
	return content
}

// falsify adds or changes candidates.
func (q Quirk) falsify(r wire.Reply, p Prompt) wire.Reply {
	last := p.last()
	switch q {
	case QuirkHallucinates:
		r.Candidates = append(r.Candidates, fact("I have three sailing boats in Trieste", "I have three sailing boats in Trieste", last.Number))
	case QuirkWrongRelation:
		for i := range r.Candidates {
			r.Candidates[i].Relation = wire.Relation{Type: "ends", To: 1}
			if len(p.Known) == 0 {
				r.Candidates[i].Relation.To = 99
			}
		}
	case QuirkLeaksPrompt, QuirkLeaksIntoQuotes:
		for line := range strings.SplitSeq(p.System, "\n") {
			quote := line
			if q == QuirkLeaksIntoQuotes {
				quote = last.Content
			}
			if line = strings.TrimSpace(line); line != "" {
				r.Candidates = append(r.Candidates, fact(line, quote, last.Number))
			}
		}
	}
	return r
}

func fact(text, quote string, message int) wire.Candidate {
	sure := 0.95
	return wire.Candidate{
		Kind: "fact", Value: text, Text: text, Language: "en", Stability: "stable", Confidence: &sure,
		Relation: wire.Relation{Type: "new"}, Evidence: wire.Evidence{Message: message, Quote: quote},
	}
}

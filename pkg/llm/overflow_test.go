package llm_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// long is a conversation in which n things are learnt, each in a message of some 100 tokens,
// with an assistant's words between them.
func long(n int) memory.Extraction {
	var contents []string
	for i := range n {
		contents = append(contents, fmt.Sprintf("My dog is called Rex%d. %s", i, strings.Repeat("Tell me more about trains. ", 14)))
	}
	in := told(contents...)
	for i := range in.Messages {
		in.Messages[i].Number = 2*i + 1
	}
	for i := range n {
		in.Messages = append(in.Messages, memory.Message{
			Number: 2*i + 2, Role: memory.RoleAssistant, At: noon, Content: strings.Repeat("Trains are long. ", 10), Context: true,
		})
	}
	slices.SortFunc(in.Messages, func(a, b memory.Message) int { return a.Number - b.Number })
	return in
}

// watch records which messages were new in the prompts that were answered.
type watch struct {
	mu     sync.Mutex
	asked  [][]int
	tokens int // of the longest prompt
}

func (w *watch) script(p llmtest.Prompt) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var numbers []int
	for _, m := range p.Messages {
		if !m.Context {
			numbers = append(numbers, m.Number)
		}
	}
	w.asked, w.tokens = append(w.asked, numbers), max(w.tokens, p.Tokens)
	return "", false
}

func odd(n int) []int {
	var out []int
	for i := range n {
		out = append(out, 2*i+1)
	}
	return out
}

// A piece that does not fit is cut between messages; nothing is lost, and nothing asked twice.
func TestLongPieceIsCutBetweenMessages(t *testing.T) {
	const n = 60
	s := serve(t, llmtest.Options{ContextTokens: 8192})
	var w watch
	s.SetScript(w.script)
	x := extractor(t, s, nil)
	in := long(n)
	in.Known = []memory.Memory{{Text: "I like trains", Status: memory.StatusCurrent}}
	for round := range 2 {
		w.asked = nil
		calls := s.Calls()
		candidates, _, err := x.Extract(testContext(t), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Concat(w.asked...); !slices.Equal(got, odd(n)) {
			t.Errorf("new messages in the parts: %v", w.asked)
		}
		if refused := s.Calls() - calls - len(w.asked); len(w.asked) < 2 || refused > 1 || round > 0 && refused > 0 {
			t.Errorf("round %d: %d parts after %d refusals", round, len(w.asked), refused)
		}
		var learnt []int
		for _, c := range candidates {
			if want := fmt.Sprintf("Rex%d", c.Source.Message/2); strings.Contains(c.Value, want) {
				learnt = append(learnt, c.Source.Message)
			}
		}
		if slices.Sort(learnt); !slices.Equal(slices.Compact(learnt), odd(n)) {
			t.Errorf("learnt from the messages %v", learnt)
		}
	}
	if w.tokens > 8192-2048 {
		t.Errorf("the longest prompt has %d tokens", w.tokens)
	}
}

// A limit that is known from the start costs no refusal.
func TestKnownContextIsHeeded(t *testing.T) {
	s := serve(t, llmtest.Options{ContextTokens: 8192})
	var w watch
	s.SetScript(w.script)
	x := extractor(t, s, func(o *llm.Options) { o.ContextTokens = 8192 })
	if _, _, err := x.Extract(testContext(t), long(60)); err != nil {
		t.Fatal(err)
	}
	if s.Calls() != len(w.asked) || len(w.asked) < 2 {
		t.Errorf("%d calls for %d parts", s.Calls(), len(w.asked))
	}
}

// A single message that does not fit will not fit the next time either.
func TestMessageThatNeverFits(t *testing.T) {
	s := serve(t, llmtest.Options{ContextTokens: 8192})
	x := extractor(t, s, nil)
	in := long(3)
	in.Messages[2].Content = strings.Repeat("Trains are long. ", 3000)
	_, _, err := x.Extract(testContext(t), in)
	if !fault.IsPermanent(err) || strings.Contains(err.Error(), "Trains") {
		t.Errorf("error is %v, want a permanent one without the text", err)
	}
	if s.Calls() > 6 {
		t.Errorf("%d calls to find out", s.Calls())
	}
}

// A model that cannot even hold the instructions is for the operator to change.
func TestModelThatIsTooSmall(t *testing.T) {
	s := serve(t, llmtest.Options{ContextTokens: 2048})
	expectOutage(t, extractor(t, s, nil), long(3))
}

// A reply that is cut off is asked for in halves, as long as there are halves.
func TestTruncatedReplyIsHalved(t *testing.T) {
	s := serve(t, llmtest.Options{})
	sources := func(p llmtest.Prompt) (n int) {
		for _, m := range p.Messages {
			if !m.Context {
				n++
			}
		}
		return n
	}
	s.SetQuirkFor(func(p llmtest.Prompt) llmtest.Quirk {
		if sources(p) > 2 {
			return llmtest.QuirkTruncated
		}
		return llmtest.QuirkNone
	})
	x := extractor(t, s, nil)
	candidates, _, err := x.Extract(testContext(t), long(7))
	if err != nil {
		t.Fatal(err)
	}
	var learnt []int
	for _, c := range candidates {
		learnt = append(learnt, c.Source.Message)
	}
	if slices.Sort(learnt); !slices.Equal(slices.Compact(learnt), odd(7)) {
		t.Errorf("learnt from the messages %v", learnt)
	}
	expectCalls(t, s, 3+4) // 7 and its halves of 3 and 4 are cut off, of which come 1, 2, 2 and 2
}

// However bad a server is, an extraction ends.
func TestCallsAreBounded(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkTruncated)
	x := extractor(t, s, nil)
	_, _, err := x.Extract(testContext(t), long(64))
	var bad *llm.ReplyError
	if !errors.As(err, &bad) {
		t.Errorf("error is %v, want a bad reply", err)
	}
	if s.Calls() > 24 {
		t.Errorf("%d calls", s.Calls())
	}
}

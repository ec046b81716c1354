package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/verify"
)

// content is a reply as a model writes it.
func content(t testing.TB, r wire.Reply) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func sure(c float64) *float64 { return &c }

func TestExtractGivesWhatTheModelFound(t *testing.T) {
	s := serve(t, llmtest.Options{})
	x := extractor(t, s, nil)
	shanghai := time.FixedZone("", 8*3600)
	in := memory.Extraction{
		Scope: alice,
		Messages: []memory.Message{
			{Number: 1, Event: "e1", Role: memory.RoleAssistant, At: noon.In(shanghai), Content: "你还住在上海吗？", Context: true},
			{Number: 2, Event: "e2", Role: memory.RoleUser, At: noon.In(shanghai), Content: "不了，我上个月搬到杭州了。记住这一点。下周三我要去深圳开会。"},
		},
		Known: []memory.Memory{
			{ID: "7c1e0000-0000-4000-8000-000000000001", Key: "user.city", Value: "上海", Text: "我住在上海", Status: memory.StatusCurrent},
			{ID: "7c1e0000-0000-4000-8000-000000000002", Text: "我周五去北京", Plan: true, Status: memory.StatusCurrent},
		},
		Questions: []memory.Question{{
			ID: "7c1e0000-0000-4000-8000-000000000003", Key: "user.city", Text: "上海还是杭州？",
			Current: memory.Side{Value: "上海"}, Rivals: []memory.Side{{Value: "杭州"}},
		}},
	}
	s.SetScript(func(p llmtest.Prompt) (string, bool) {
		return content(t, wire.Reply{
			Candidates: []wire.Candidate{
				{
					Kind: "fact", Key: "user.city", Value: "杭州", Text: "我上个月搬到杭州了", Language: "zh-CN", Stability: "stable",
					ValidFrom: "2026-02-01", Confidence: sure(0.95), Relation: wire.Relation{Type: "updates", To: 1},
					Evidence: wire.Evidence{Message: 2, Quote: "我上个月搬到杭州了", AskedMessage: 1, AskedQuote: "你还住在上海吗"},
				},
				{
					Kind: "fact", Text: "下周三我要去深圳开会", Stability: "stable", Plan: true, ExpiresAt: "2026-03-12", About: "user.city",
					Relation: wire.Relation{Type: "updates", To: 2}, Evidence: wire.Evidence{Message: 2, Quote: "下周三我要去深圳开会"},
				},
			},
			Directives: []wire.Directive{
				{Do: "remember", Quote: "记住这一点", Message: 2},
				{Do: "answer", What: "杭州", Quote: "我上个月搬到杭州了", Message: 2, Question: 1, Decision: "replace"},
			},
		}), true
	})
	candidates, directives, err := x.Extract(testContext(t), in)
	if err != nil {
		t.Fatal(err)
	}
	day := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, shanghai) }
	wantCandidates := []memory.Candidate{
		{
			Kind: memory.KindProfile, Key: "user.city", Value: "杭州", Text: "我上个月搬到杭州了", Language: "zh", Stability: memory.Stable,
			ValidFrom: day(2, 1), Confidence: 0.95, Relation: memory.RelationUpdates, Target: &memory.Target{Key: "user.city", Value: "上海"}, Pinned: true,
			Source: memory.Source{Message: 2, Quote: "我上个月搬到杭州了", AskedMessage: 1, AskedQuote: "你还住在上海吗"},
		},
		{
			Kind: memory.KindFact, Text: "下周三我要去深圳开会", Language: "zh", Stability: memory.Dated, Plan: true, About: "user.city",
			ValidFrom: day(3, 4), ExpiresAt: day(3, 5), Confidence: 0.7, Relation: memory.RelationUpdates,
			Target: &memory.Target{Value: "我周五去北京", Plan: true}, Pinned: true,
			Source: memory.Source{Message: 2, Quote: "下周三我要去深圳开会"},
		},
	}
	for i := range candidates {
		// The instants count; the zones are the same offset by another name.
		candidates[i].ValidFrom, candidates[i].ExpiresAt = in2(candidates[i].ValidFrom, shanghai), in2(candidates[i].ExpiresAt, shanghai)
	}
	if !reflect.DeepEqual(candidates, wantCandidates) {
		t.Errorf("candidates:\n%+v\nwant:\n%+v", candidates, wantCandidates)
	}
	wantDirectives := []memory.Directive{
		{Action: memory.ActionRemember, Source: memory.Source{Message: 2, Quote: "记住这一点"}},
		{
			Action: memory.ActionAnswer, What: "杭州", Question: in.Questions[0].ID, Decision: memory.DecisionReplace,
			Source: memory.Source{Message: 2, Quote: "我上个月搬到杭州了"},
		},
	}
	if !reflect.DeepEqual(directives, wantDirectives) {
		t.Errorf("directives:\n%+v\nwant:\n%+v", directives, wantDirectives)
	}
}

func in2(at time.Time, zone *time.Location) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(zone)
}

// What servers cannot do is found out once.
func TestServersDiffer(t *testing.T) {
	for _, tt := range []struct {
		quirk llmtest.Quirk
		// format is that of the prompts that were answered, calls how many it took to find out.
		format string
		calls  int
	}{
		{llmtest.QuirkNone, llmtest.FormatSchema, 1},
		{llmtest.QuirkFencedJSON, llmtest.FormatSchema, 1},
		{llmtest.QuirkSloppyJSON, llmtest.FormatSchema, 1},
		{llmtest.QuirkReasoning, llmtest.FormatSchema, 1},
		{llmtest.QuirkNoSchema, llmtest.FormatObject, 2},
		{llmtest.QuirkNoFormats, llmtest.FormatTool, 3},
		{llmtest.QuirkTextOnly, llmtest.FormatText, 4},
		{llmtest.QuirkReasoningModel, llmtest.FormatSchema, 3},
	} {
		t.Run(string(tt.quirk), func(t *testing.T) {
			s := serve(t, llmtest.Options{})
			var formats []string
			s.SetScript(func(p llmtest.Prompt) (string, bool) {
				formats = append(formats, p.Format)
				if inPrompt := strings.Contains(p.System, `"candidates":{`); inPrompt != (p.Format == llmtest.FormatText || p.Format == llmtest.FormatObject) {
					t.Errorf("%s: the schema stands in the prompt: %v", p.Format, inPrompt)
				}
				return "", false
			})
			s.SetQuirk(tt.quirk)
			x := extractor(t, s, nil)
			expectBoston(t, x)
			expectCalls(t, s, tt.calls)
			expectBoston(t, x)
			expectCalls(t, s, tt.calls+1)
			if want := []string{tt.format, tt.format}; !slices.Equal(formats, want) {
				t.Errorf("answered were %v, want %v", formats, want)
			}
		})
	}
}

// A mode in which replies cannot be read again and again is given up, and so is one that the
// server does not have any more.
func TestModeIsProbedAgain(t *testing.T) {
	s := serve(t, llmtest.Options{})
	x := extractor(t, s, nil)
	s.SetQuirkFor(func(p llmtest.Prompt) llmtest.Quirk {
		if p.Format == llmtest.FormatSchema {
			return llmtest.QuirkProseOnly
		}
		return llmtest.QuirkNone
	})
	for range 2 {
		_ = expectReason(t, x, boston(), llm.ReasonNotJSON)
	}
	expectBoston(t, x)
	s.SetQuirkFor(func(p llmtest.Prompt) llmtest.Quirk {
		if p.Format == llmtest.FormatObject {
			return llmtest.QuirkRejects
		}
		return llmtest.QuirkNone
	})
	expectBoston(t, x)
	calls := s.Calls()
	expectBoston(t, x)
	expectCalls(t, s, calls+1)
}

// expectReason fails unless the reply to the prompt is of no use for that reason, which is an
// attempt and neither an outage nor for good.
func expectReason(t *testing.T, x *llm.Extractor, in memory.Extraction, want llm.Reason) *llm.ReplyError {
	t.Helper()
	candidates, directives, err := x.Extract(testContext(t), in)
	var bad *llm.ReplyError
	if !errors.As(err, &bad) || bad.Reason != want {
		t.Fatalf("error is %v, want %s", err, want)
	}
	if errors.Is(err, fault.ErrOutage) || fault.IsPermanent(err) || candidates != nil || directives != nil {
		t.Fatalf("a bad reply is no attempt: %v, %v, %v", err, candidates, directives)
	}
	if strings.Contains(err.Error(), "Boston") {
		t.Errorf("the error holds text of the conversation: %v", err)
	}
	return bad
}

func TestBadReplies(t *testing.T) {
	for _, tt := range []struct {
		quirk  llmtest.Quirk
		reason llm.Reason
		calls  int // with the one that asks for a repair, where that can help
	}{
		{llmtest.QuirkProseOnly, llm.ReasonNotJSON, 2},
		{llmtest.QuirkTruncated, llm.ReasonTruncated, 2},
		{llmtest.QuirkEmpty, llm.ReasonEmpty, 2},
		{llmtest.QuirkRefusing, llm.ReasonRefused, 1},
		{llmtest.QuirkFiltered, llm.ReasonRefused, 1},
		{llmtest.QuirkGarbled, llm.ReasonGarbled, 1},
	} {
		t.Run(string(tt.quirk), func(t *testing.T) {
			s := serve(t, llmtest.Options{})
			s.SetQuirk(tt.quirk)
			x := extractor(t, s, nil)
			_ = expectReason(t, x, boston(), tt.reason)
			expectCalls(t, s, tt.calls)
		})
	}
}

func TestOtherJSONIsNotTheContract(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetScript(func(llmtest.Prompt) (string, bool) { return `{"memories": ["I live in Boston."]}`, true })
	bad := expectReason(t, extractor(t, s, nil), boston(), llm.ReasonContract)
	if bad.Reply != `{"memories": ["I live in Boston."]}` {
		t.Errorf("the reply is kept as %q", bad.Reply)
	}
}

func TestKeptReplyIsBoundedAndWithoutSecrets(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetScript(func(llmtest.Prompt) (string, bool) {
		return "password: hunter2-Zq9!x " + strings.Repeat("杭", 4000), true
	})
	bad := expectReason(t, extractor(t, s, nil), boston(), llm.ReasonNotJSON)
	if len(bad.Reply) > 5<<10 || strings.Contains(bad.Reply, "hunter2") {
		t.Errorf("%d bytes are kept, from %.60q", len(bad.Reply), bad.Reply)
	}
}

// One repair is asked for, with what was wrong.
func TestRepair(t *testing.T) {
	s := serve(t, llmtest.Options{})
	repaired := false
	s.SetScript(func(p llmtest.Prompt) (string, bool) {
		if repaired = p.Repair; !repaired {
			return "I found a city.", true
		}
		return "", false
	})
	expectBoston(t, extractor(t, s, nil))
	if expectCalls(t, s, 2); !repaired {
		t.Error("no repair was asked for")
	}
}

func expectOutage(t *testing.T, x *llm.Extractor, in memory.Extraction) time.Duration {
	t.Helper()
	_, _, err := x.Extract(testContext(t), in)
	if !errors.Is(err, fault.ErrOutage) || fault.IsPermanent(err) {
		t.Fatalf("error is %v, want an outage", err)
	}
	if strings.Contains(err.Error(), "Boston") || strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("the error says too much: %v", err)
	}
	after, _ := fault.Delay(err)
	return after
}

func TestOutages(t *testing.T) {
	for _, quirk := range []llmtest.Quirk{llmtest.QuirkUnavailable, llmtest.QuirkErrorInside, llmtest.QuirkNoModel, llmtest.QuirkRejects, llmtest.QuirkSlow} {
		t.Run(string(quirk), func(t *testing.T) {
			s := serve(t, llmtest.Options{})
			s.SetQuirk(quirk)
			x := extractor(t, s, func(o *llm.Options) {
				if quirk == llmtest.QuirkSlow {
					o.Timeout = 20 * time.Millisecond
				}
			})
			expectOutage(t, x, boston())
		})
	}
	t.Run("wrong key", func(t *testing.T) {
		s := serve(t, llmtest.Options{APIKey: "sk-right"})
		expectOutage(t, extractor(t, s, func(o *llm.Options) { o.APIKey = "sk-secret" }), boston())
		expectBoston(t, extractor(t, s, func(o *llm.Options) { o.APIKey = "sk-right" }))
	})
	t.Run("nobody there", func(t *testing.T) {
		s, err := llmtest.Start(llmtest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := extractor(t, s, nil)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		expectOutage(t, x, boston())
	})
}

// The first 429 names a wait: until it is over nobody asks. Another tenant is not held up.
func TestServerIsLeftAlone(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkUnavailable)
	x := extractor(t, s, nil)
	if after := expectOutage(t, x, boston()); after != llmtest.RetryAfter {
		t.Errorf("the wait is %s, want that of the server", after)
	}
	for range 5 {
		if after := expectOutage(t, x, boston()); after <= 0 || after > llmtest.RetryAfter {
			t.Errorf("the wait is %s, want what is left of %s", after, llmtest.RetryAfter)
		}
	}
	expectCalls(t, s, 1)
	s.SetQuirk(llmtest.QuirkNone)
	other := boston()
	other.Scope = memory.UserScope("globex", "bob")
	if c, _, err := x.Extract(testContext(t), other); err != nil || len(c) != 1 {
		t.Errorf("another tenant gets %v, %v", c, err)
	}
}

func TestBreakerOpensAfterOutages(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkErrorInside)
	x := extractor(t, s, func(o *llm.Options) { o.BreakerFailures, o.BreakerMin = 3, time.Hour })
	for range 10 {
		expectOutage(t, x, boston())
	}
	expectCalls(t, s, 3)
}

// A refusal whose reason is unknown says something of the request only where others are
// answered.
func TestRejectedRequest(t *testing.T) {
	s := serve(t, llmtest.Options{})
	x := extractor(t, s, nil)
	s.SetQuirk(llmtest.QuirkRejects)
	expectOutage(t, x, boston())
	s.SetQuirk(llmtest.QuirkNone)
	expectBoston(t, x)
	s.SetQuirk(llmtest.QuirkRejects)
	if _, _, err := x.Extract(testContext(t), boston()); !fault.IsPermanent(err) {
		t.Errorf("error is %v, want a permanent one", err)
	}
}

func TestCancelledWorkIsNoOutage(t *testing.T) {
	s := serve(t, llmtest.Options{})
	ctx, cancel := context.WithCancel(testContext(t))
	s.SetQuirkFor(func(llmtest.Prompt) llmtest.Quirk {
		cancel()
		return llmtest.QuirkSlow
	})
	budget := &llmtest.Budget{Cap: 1 << 20}
	x := extractor(t, s, func(o *llm.Options) { o.Budget = budget })
	if _, _, err := x.Extract(ctx, boston()); !errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrOutage) {
		t.Errorf("error is %v, want that of the context", err)
	}
	if taken := budget.Taken("acme"); taken <= 0 || taken > 8000 {
		t.Errorf("%d tokens are taken, want those of the prompt", taken)
	}
}

func TestTrivialTurnsMakeNoCall(t *testing.T) {
	s := serve(t, llmtest.Options{})
	x := extractor(t, s, nil)
	for _, in := range []memory.Extraction{told("ok thanks!"), told("好的，谢谢"), told(""), {Scope: alice}} {
		if c, d, err := x.Extract(testContext(t), in); err != nil || len(c)+len(d) > 0 {
			t.Errorf("%v: %v, %v, %v", in.Messages, c, d, err)
		}
	}
	expectCalls(t, s, 0)
}

// empty talk is not trivial, but holds nothing.
var emptyTalk = told("Can you compare these two train connections for me, please?", "帮我比较一下这两趟火车，好吗？")

// standing are the candidates that verification lets pass.
func standing(t *testing.T, x *llm.Extractor, in memory.Extraction) (passed []memory.Candidate, refused int) {
	t.Helper()
	candidates, _, err := x.Extract(testContext(t), in)
	if err != nil {
		t.Fatal(err)
	}
	byNumber := map[int]memory.Message{}
	for _, m := range in.Messages {
		byNumber[m.Number] = m
	}
	for _, c := range candidates {
		if verify.Candidate(&c, byNumber, registry) == "" {
			passed = append(passed, c)
		} else {
			refused++
		}
	}
	return passed, refused
}

func TestInventedFactsAreRefused(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkHallucinates)
	if passed, refused := standing(t, extractor(t, s, nil), emptyTalk); len(passed) > 0 || refused != 1 {
		t.Errorf("passed %+v, refused %d, want nothing and 1", passed, refused)
	}
}

// Whatever model repeats of its instructions, nothing of it is remembered.
func TestInstructionsDoNotLeak(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkLeaksPrompt)
	for _, in := range []memory.Extraction{told(emptyTalk.Messages[0].Content), told(emptyTalk.Messages[1].Content)} {
		passed, refused := standing(t, extractor(t, s, nil), in)
		if len(passed)+refused < 50 {
			t.Errorf("only %d lines of the instructions were repeated", refused)
		}
		for _, c := range passed {
			t.Errorf("%q is remembered of %q", c.Text, c.Source.Quote)
		}
	}
}

// A wrong relation never reaches beyond what was shown.
func TestWrongRelation(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkWrongRelation)
	x := extractor(t, s, nil)
	candidates, _, err := x.Extract(testContext(t), boston())
	if err != nil {
		t.Fatal(err)
	}
	c := candidates[0]
	if c.Relation != memory.RelationNew || c.Target != nil || c.Key != "" || c.About != "user.city" {
		t.Errorf("what ends a memory that was never shown is %+v, want a free memory", c)
	}
}

// Numbers in a reply stand for what was shown, or for nothing.
func TestHostileReplies(t *testing.T) {
	s := serve(t, llmtest.Options{})
	x := extractor(t, s, nil)
	in := told("I live in Boston.", "Yes, I do.")
	in.Messages[1].Number = 7
	in.Known = []memory.Memory{{Key: "user.city", Value: "Oslo", Text: "I live in Oslo", Status: memory.StatusCurrent}}
	in.Questions = []memory.Question{{ID: "q"}}
	number := rapid.OneOf(rapid.IntRange(-2, 9), rapid.Int())
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "user.city", "I live in Boston", "ends", "updates", "answer", "forget", "2026-13-45", "2026-03-01", "9999-12-31T23:59"}))
	rapid.Check(t, func(rt *rapid.T) {
		reply := wire.Reply{
			Candidates: []wire.Candidate{{
				Kind: text.Draw(rt, "kind"), Key: text.Draw(rt, "key"), Value: text.Draw(rt, "value"), Text: text.Draw(rt, "text"),
				Language: text.Draw(rt, "language"), Stability: text.Draw(rt, "stability"),
				ValidFrom: text.Draw(rt, "from"), ExpiresAt: text.Draw(rt, "until"), Confidence: sure(rapid.Float64Range(-10, 10).Draw(rt, "confidence")),
				Relation: wire.Relation{Type: text.Draw(rt, "type"), To: number.Draw(rt, "to")},
				Evidence: wire.Evidence{
					Message: number.Draw(rt, "message"), Quote: text.Draw(rt, "quote"),
					AskedMessage: number.Draw(rt, "asked"), AskedQuote: text.Draw(rt, "asked quote"),
				},
				Plan: rapid.Bool().Draw(rt, "plan"), About: text.Draw(rt, "about"),
			}},
			Directives: []wire.Directive{{
				Do: text.Draw(rt, "do"), What: text.Draw(rt, "what"), Message: number.Draw(rt, "message"),
				Question: number.Draw(rt, "question"), Decision: text.Draw(rt, "decision"),
			}},
		}
		s.SetScript(func(llmtest.Prompt) (string, bool) { return content(t, reply), true })
		candidates, directives, err := x.Extract(testContext(t), in)
		if err != nil || len(candidates) != 1 || len(directives) != 1 {
			rt.Fatalf("%+v, %+v, %v, want one of each", candidates, directives, err)
		}
		c, d := candidates[0], directives[0]
		for _, n := range []int{c.Source.Message, c.Source.AskedMessage, d.Source.Message} {
			if n != 0 && n != 1 && n != 7 {
				rt.Fatalf("message %d was never shown", n)
			}
		}
		if c.Target != nil && (c.Target.Key != "user.city" || c.Target.Value != "Oslo" || reply.Candidates[0].Relation.To != 1) {
			rt.Fatalf("target %+v was never shown", c.Target)
		}
		if _, ok := registry.Field(c.Key); c.Key != "" && !ok {
			rt.Fatalf("key %q is not the registry's", c.Key)
		}
		if d.Action == memory.ActionAnswer && d.Source.Message != 0 && d.Question != "q" || d.Action != memory.ActionAnswer && d.Question != "" {
			rt.Fatalf("directive %+v answers a question that was never shown", d)
		}
		if d.Action == "" && d.Source.Message != 0 {
			rt.Fatalf("directive %+v has no action, and is not refused", d)
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	s := serve(t, llmtest.Options{})
	s.SetQuirk(llmtest.QuirkNoSchema)
	x := extractor(t, s, nil)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if c, _, err := x.Extract(testContext(t), boston()); err != nil || len(c) != 1 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	all.Wait()
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    llm.Options
		want string // part of the error; empty: none
	}{
		{"OpenAI's own", llm.Options{Registry: registry}, ""},
		{"another server", llm.Options{Registry: registry, Endpoint: llm.Endpoint{BaseURL: "http://127.0.0.1:11434/v1", Model: "m"}}, ""},
		{"another server without a model", llm.Options{Registry: registry, Endpoint: llm.Endpoint{BaseURL: "http://127.0.0.1:11434/v1"}}, "model"},
		{"no address", llm.Options{Registry: registry, Endpoint: llm.Endpoint{BaseURL: "127.0.0.1:11434", Model: "m"}}, "URL"},
		{"no registry", llm.Options{}, "registry"},
	} {
		x, err := llm.New(tt.o)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error is %v, want one about %q", tt.name, err, tt.want)
		}
		if err == nil {
			x.Close()
		}
	}
}

package eval

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// example is a conversation that the figures below are computed for by hand.
type example struct {
	corpus, queries, memories []string
	states                    map[string][]memory.Candidate
	names                     Share
}

// Both examples have the same shape. Each word stands in one of the six turns, so that each
// word that was said weighs a = ln(1 + 5.5/1.5) = 1.540, and each one that was not
// b = ln(1 + 6.5/0.5) = 2.639.
var examples = map[string]example{
	"English": {
		corpus: []string{
			`{"user":"u","sess":"s1","ts":"2026-03-02 (Monday)","id":1,"role":"user","text":"I live in Oslo with my brother Tom."}`,
			`{"user":"u","sess":"s1","ts":"2026-03-02 (Monday)","id":2,"role":"assistant","text":"Nice."}`,
			`{"user":"u","sess":"s1","ts":"2026-03-02 (Monday)","id":3,"role":"user","text":"My rent is 1,200 euros."}`,
			`{"user":"u","sess":"s2","ts":"2026-03-03 (Tuesday)","id":4,"role":"user","text":"I moved to Bergen."}`,
			`{"user":"u","sess":"s2","ts":"2026-03-03 (Tuesday)","id":5,"role":"assistant","text":"Shall I find you a gym?"}`,
			`{"user":"u","sess":"s3","ts":"2026-03-04 (Wednesday)","id":6,"role":"user","text":"It rains."}`,
		},
		queries: []string{
			// move (a) of move and city (b): 0.369, which is more than a third.
			`{"user":"u","qid":"q1","cat":"update","q":"Which city did I move to?","gold":[4],"gold_new":[4],"gold_old":[1]}`,
			// rent (a) of rent and high (b).
			`{"user":"u","qid":"q2","cat":"update","q":"How high is my rent?","gold":[6],"gold_new":[6],"gold_old":[3]}`,
			`{"user":"u","qid":"q3","cat":"other","q":"Who is Tom?","gold":[1]}`,
		},
		memories: []string{
			// live, oslo (2a) of them and norway (b): 0.539, found, but not by its name.
			`{"user":"u","id":"m1","sess":"s1","kind":"static","text":"The user lives in Oslo, Norway.","source":["1"]}`,
			// 1200, euro, rent (3a) of them and pay (b): 0.636, found, with its number.
			`{"user":"u","id":"m2","sess":"s1","kind":"static","text":"【Money】 User pays 1,200 euros of rent.","source":["3"]}`,
			// brother, tom: both in the turn, and in no memory.
			`{"user":"u","id":"m3","sess":"s1","kind":"static","text":"User has a brother Tom.","source":["1"]}`,
			// gym (a) of them and join, want (2b): 0.226, not even in the turn.
			`{"user":"u","id":"m4","sess":"s2","kind":"dynamic","text":"User wants to join a gym.","source":["5"]}`,
			// bergen, move (2a) of them and 2025 (b): 0.539, found, but not by its number.
			`{"user":"u","id":"m5","sess":"s2","kind":"dynamic","text":"User moved to Bergen in 2025.","source":["4"]}`,
			// rain (a) of them and like (b): 0.369.
			`{"user":"u","id":"m6","sess":"s2","kind":"dynamic","text":"User likes rain.","source":["s2#0"]}`,
		},
		states: map[string][]memory.Candidate{
			"I live in Oslo with my brother Tom.": {lives("Oslo", "I live in Oslo", memory.RelationNew)},
			"My rent is 1,200 euros.":             {states("My rent is 1,200 euros")},
			"I moved to Bergen.":                  {lives("Bergen", "I moved to Bergen", memory.RelationUpdates)},
			"Shall I find you a gym?":             {states("find you a gym")},
			"It rains.":                           {states("It rains")},
		},
		names: Share{1, 2}, // Bergen, but not Norway
	},
	"Chinese": {
		corpus: []string{
			`{"user":"u","sess":"s1","ts":"2026年03月02日 周一 09:00","id":1,"role":"user","text":"我住在杭州，和弟弟小明一起住。"}`,
			`{"user":"u","sess":"s1","ts":"2026年03月02日 周一 09:01","id":2,"role":"assistant","text":"好的。"}`,
			`{"user":"u","sess":"s1","ts":"2026年03月02日 周一 09:02","id":3,"role":"user","text":"我的房租是3000元。"}`,
			`{"user":"u","sess":"s2","ts":"2026年03月03日 周二 09:00","id":4,"role":"user","text":"我搬到苏州了。"}`,
			`{"user":"u","sess":"s2","ts":"2026年03月03日 周二 09:01","id":5,"role":"assistant","text":"要不要帮你找健身房？"}`,
			`{"user":"u","sess":"s3","ts":"2026年03月04日 周三 09:00","id":6,"role":"user","text":"下雨了。"}`,
		},
		queries: []string{
			// 搬到 (a) of 搬到 and 城市 (b): 0.369.
			`{"user":"u","qid":"q1","cat":"update","q":"我搬到哪个城市了？","gold":[4],"gold_new":[4],"gold_old":[1]}`,
			// 房租 alone.
			`{"user":"u","qid":"q2","cat":"update","q":"我的房租是多少？","gold":[6],"gold_new":[6],"gold_old":[3]}`,
			`{"user":"u","qid":"q3","cat":"other","q":"小明是谁？","gold":[1]}`,
		},
		memories: []string{
			// 住, 杭州: found.
			`{"user":"u","id":"m1","sess":"s1","kind":"static","text":"用户住在杭州。","source":["1"]}`,
			// 3000, 3000元, 房租 (3a) of them and 付 (b): 0.636, found, with its number.
			`{"user":"u","id":"m2","sess":"s1","kind":"static","text":"【花销】用户付3000元房租。","source":["3"]}`,
			// 弟, 弟弟, 小明: all in the turn, and in no memory.
			`{"user":"u","id":"m3","sess":"s1","kind":"static","text":"用户的弟弟是小明。","source":["1"]}`,
			// 健身 (a) of them and 办健, 身卡 (2b): 0.226, not even in the turn.
			`{"user":"u","id":"m4","sess":"s2","kind":"dynamic","text":"用户想办健身卡。","source":["5"]}`,
			// 搬到, 到苏, 苏州 (3a) of them and 2年 (b): 0.636, found, but not by its number.
			`{"user":"u","id":"m5","sess":"s2","kind":"dynamic","text":"用户搬到苏州2年了。","source":["4"]}`,
			// 下雨 (a) of them and 喜欢, 欢下 (2b): 0.226.
			`{"user":"u","id":"m6","sess":"s2","kind":"dynamic","text":"用户喜欢下雨。","source":["s2#0"]}`,
		},
		states: map[string][]memory.Candidate{
			"我住在杭州，和弟弟小明一起住。": {lives("杭州", "我住在杭州", memory.RelationNew)},
			"我的房租是3000元。":     {states("我的房租是3000元")},
			"我搬到苏州了。":         {lives("苏州", "我搬到苏州了", memory.RelationUpdates)},
			"要不要帮你找健身房？":      {states("找健身房")},
			"下雨了。":            {states("下雨了")},
		},
	},
}

// TestTheReportIsAsComputedByHand is the harness's own test.
func TestTheReportIsAsComputedByHand(t *testing.T) {
	for name, x := range examples {
		t.Run(name, func(t *testing.T) {
			set := loaded(t, folder(t, x.corpus, x.queries, x.memories))
			l := &listener{states: x.states}
			got, err := Run(t.Context(), set, Options{
				Name: "listener", Config: app.DefaultConfig(), Extractor: l, Logger: slog.New(slog.DiscardHandler),
				Usage: func() Usage { return Usage{Calls: len(l.shown), Tokens: 10 * len(l.shown)} },
			})
			if err != nil {
				t.Fatal(err)
			}
			want := &Report{
				Set: set.Name, Extractor: "listener",
				CorpusSHA256: set.CorpusSHA256, QueriesSHA256: set.QueriesSHA256, MemoriesSHA256: set.MemoriesSHA256,
				Users: 1,
				Coverage: []Coverage{
					{"all", Share{3, 6}, Share{3, 6}, Share{4, 6}},
					{"said by the user", Share{3, 4}, Share{3, 4}, Share{4, 4}},
					{"said by the assistant", Share{0, 1}, Share{0, 1}, Share{0, 1}},
					{"of no turn", Share{0, 1}, Share{0, 1}, Share{0, 1}},
					{"dynamic", Share{1, 3}, Share{1, 3}, Share{1, 3}},
					{"static", Share{2, 3}, Share{2, 3}, Share{3, 3}},
				},
				Numbers: Share{1, 2}, Names: x.names,
				GoldTurns: Share{3, 4}, // all but the assistant's
				Memories:  Memories{All: 4, Current: 3, FromGold: 3, False: 1, FromNoise: 1},
				Updates:   Updates{All: 2, Correct: 1, Omitted: 1, Stale: 1},
				Messages:  ledger.Counts{Messages: 6, Remembered: 4, Rejected: 1, Nothing: 1},
				// What the assistant says is no source, whatever an extractor makes of it.
				Rejections: []ledger.Rejection{{Reason: "source_not_allowed", Count: 1}},
				Usage:      Usage{Calls: 3, Tokens: 30},
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %s\nwant %s", encoded(t, got), encoded(t, want))
			}
		})
	}
}

func TestTheSameInputGivesTheSameReport(t *testing.T) {
	x := examples["English"]
	set := loaded(t, folder(t, x.corpus, x.queries, x.memories))
	var reports []string
	for range 2 {
		r, err := run(t, set, &listener{states: x.states})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, encoded(t, r))
	}
	if reports[0] != reports[1] {
		t.Errorf("two reports:\n%s\n%s", reports[0], reports[1])
	}
}

// TestBothSpeakersAreUsers: each one's memories are compared with those that are about them,
// and the other one is the assistant to them.
func TestBothSpeakersAreUsers(t *testing.T) {
	set := loaded(t, folder(t, []string{
		`{"user":"c","sess":"1","ts":"1:56 pm on 8 May, 2023","id":"D1:1","role":"Ann","text":"I live in Oslo."}`,
		`{"user":"c","sess":"1","ts":"1:56 pm on 8 May, 2023","id":"D1:2","role":"Bob","text":"I live in Bergen."}`,
	}, []string{}, []string{
		`{"user":"c","id":"m1","sess":"1","subject":"Ann","text":"Ann lives in Oslo.","source":["D1:1"]}`,
		`{"user":"c","id":"m2","sess":"1","subject":"Bob","text":"Bob lives in Bergen.","source":["D1:2"]}`,
		`{"user":"c","id":"m3","sess":"1","subject":"Bob","text":"Lives in Oslo.","source":["D1:1"]}`,
	}))
	l := &listener{states: map[string][]memory.Candidate{
		"I live in Oslo.":   {states("I live in Oslo")},
		"I live in Bergen.": {states("I live in Bergen")},
	}}
	r, err := run(t, set, l)
	if err != nil {
		t.Fatal(err)
	}
	want := []Coverage{
		{"all", Share{2, 3}, Share{2, 3}, Share{3, 3}},
		{"said by the user", Share{2, 2}, Share{2, 2}, Share{2, 2}},
		// What Ann says of herself is none of Bob's memories.
		{"said by the assistant", Share{0, 1}, Share{0, 1}, Share{1, 1}},
	}
	if !reflect.DeepEqual(r.Coverage, want) || r.Users != 2 || r.Messages.Messages != 4 {
		t.Errorf("%s of %d users, %d messages; want %s of 2, 4", encoded(t, r.Coverage), r.Users, r.Messages.Messages, encoded(t, want))
	}
	at := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	for i, roles := range [][]memory.Role{{memory.RoleUser, memory.RoleAssistant}, {memory.RoleAssistant, memory.RoleUser}} {
		for j, role := range roles {
			if m := l.shown[i][j]; m.Role != role || m.Name != []string{"Ann", "Bob"}[j] || !m.At.Equal(at) {
				t.Errorf("run %d, message %d: %s %s at %s, want a message of the %s at %s", i, j, m.Role, m.Name, m.At, role, at)
			}
		}
	}
}

// TestASetWithoutGoldMemories has nothing to cover and names no false ones; the turns that
// hold the answers to its questions are gold.
func TestASetWithoutGoldMemories(t *testing.T) {
	x := examples["Chinese"]
	r, err := run(t, loaded(t, folder(t, x.corpus, x.queries, nil)), &listener{states: x.states})
	if err != nil {
		t.Fatal(err)
	}
	want := Memories{All: 4, Current: 3, FromGold: 3}
	if len(r.Coverage) != 0 || r.MemoriesSHA256 != "" || r.Memories != want || r.GoldTurns != (Share{3, 3}) {
		t.Errorf("got %s", encoded(t, r))
	}
}

func TestLimit(t *testing.T) {
	set := loaded(t, folder(t, []string{
		`{"user":"a","sess":"s","ts":"","id":1,"role":"user","text":"I live in Oslo."}`,
		`{"user":"b","sess":"s","ts":"","id":1,"role":"user","text":"I live in Oslo."}`,
		`{"user":"c","sess":"s","ts":"","id":1,"role":"user","text":"I live in Oslo."}`,
	}, []string{}, nil))
	for limit, want := range map[int]int{0: 3, 2: 2, 9: 3} { // by the extractor of the configuration
		r, err := Run(t.Context(), set, Options{Config: app.DefaultConfig(), Limit: limit, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Users != want || r.Memories.All != want {
			t.Errorf("limit %d: %d users, %d memories, want %d of each", limit, r.Users, r.Memories.All, want)
		}
	}
}

var errReply = errors.New("a reply of no use")

// TestAFailingExtractor: what the product waits for is waited for, and what it gives up on is
// parked.
func TestAFailingExtractor(t *testing.T) {
	often := make([]error, 9)
	for i := range often {
		often[i] = errReply
	}
	for name, c := range map[string]struct {
		fail  []error
		calls int
		want  ledger.Counts
	}{
		"bad replies, then a good one": {often[:2], 3, ledger.Counts{Messages: 1, Remembered: 1}},
		"bad replies only":             {often, 5, ledger.Counts{Messages: 1, Parked: 1}},
		"permanent":                    {[]error{fault.Permanent(errReply)}, 1, ledger.Counts{Messages: 1, Parked: 1}},
		"again in a moment":            {[]error{fault.RetryAfter(errReply, time.Millisecond)}, 2, ledger.Counts{Messages: 1, Remembered: 1}},
		"outages are no attempts": {
			[]error{errReply, fault.Outage(errReply, time.Millisecond), fault.Outage(errReply, time.Millisecond), errReply, errReply, errReply},
			7, ledger.Counts{Messages: 1, Remembered: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := &listener{states: map[string][]memory.Candidate{"It rains.": {states("It rains")}}, fail: c.fail}
			r, err := run(t, loaded(t, oneTurn(t, "It rains.")), l)
			if err != nil {
				t.Fatal(err)
			}
			if r.Messages != c.want || len(l.shown) != c.calls {
				t.Errorf("%+v after %d calls, want %+v after %d", r.Messages, len(l.shown), c.want, c.calls)
			}
		})
	}
}

func TestAnOutageWithoutEndEndsTheMeasurement(t *testing.T) {
	for name, outage := range map[string]error{
		"that says nothing of its length": fault.Outage(errReply, 0),
		"that is too long":                fault.Outage(errReply, maxWait+1),
	} {
		_, err := run(t, loaded(t, oneTurn(t, "It rains.")), &listener{fail: []error{outage}})
		if !errors.Is(err, errReply) || !strings.Contains(fmt.Sprint(err), "u, session s") {
			t.Errorf("an outage %s: %v, want an error that names the session", name, err)
		}
	}
}

func TestWhatIsTooLongForTheEdgeIsCounted(t *testing.T) {
	r, err := run(t, loaded(t, oneTurn(t, strings.Repeat("long ", 30_000))), &listener{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refused != 1 || r.Messages.Messages != 0 {
		t.Errorf("%d refused, %d messages, want 1 and 0", r.Refused, r.Messages.Messages)
	}
}

// TestWhatTheEdgeRefusesForItsFormIsAnError: a set that no backend could send is at fault itself.
func TestWhatTheEdgeRefusesForItsFormIsAnError(t *testing.T) {
	set := loaded(t, folder(t, []string{`{"user":"u","sess":"","ts":"","id":1,"role":"user","text":"Hello."}`}, []string{}, nil))
	if _, err := run(t, set, &listener{}); err == nil || !strings.Contains(err.Error(), "thread") {
		t.Errorf("a turn without a session: %v, want an error about the thread", err)
	}
}

func oneTurn(t *testing.T, text string) string {
	return folder(t, []string{fmt.Sprintf(`{"user":"u","sess":"s","ts":"","id":1,"role":"user","text":%q}`, text)}, []string{}, nil)
}

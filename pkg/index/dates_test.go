package index_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// monday is a 4 May.
var monday = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestTermsOfDates(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	evening := time.Date(2026, 3, 5, 23, 30, 0, 0, shanghai)
	m := memory.Memory{
		Text: "x", ValidFrom: time.Date(2026, 4, 30, 20, 0, 0, 0, time.UTC), // the first of May where it was said
		Evidence: []memory.Evidence{{Event: "a", At: evening}, {Event: "b", At: evening.Add(time.Hour)}, {Event: "c", At: evening.Add(2 * time.Hour)}},
	}
	want := []string{"on:2026-05-01", "on:2026-05", "said:2026-03-05", "said:2026-03", "said:2026-03-06"}
	if got := index.Terms(&m); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	m.Evidence = nil
	if got := index.Terms(&m); !slices.Equal(got, []string{"on:2026-04-30", "on:2026-04"}) {
		t.Errorf("without evidence: %q", got)
	}
	for day := range 100 {
		m.Evidence = append(m.Evidence, memory.Evidence{At: evening.AddDate(0, 0, day)})
	}
	if got := index.Terms(&m); len(got) > 2+7+2 {
		t.Errorf("often said: %d terms", len(got))
	}
}

func TestQueryDates(t *testing.T) {
	for query, want := range map[string]string{
		// What was said or done on a day, or in a month.
		"What did I say on March 5?":         "on:2026-03-05 on:2027-03-05 said:2026-03-05 said:2027-03-05",
		"3月5号我说了什么？":                         "on:2026-03-05 on:2027-03-05 said:2026-03-05 said:2027-03-05",
		"我们2026年3月5日聊了什么":                    "on:2026-03-05 said:2026-03-05",
		"What happened on 2026-03-05?":       "on:2026-03-05 said:2026-03-05",
		"What did I do yesterday?":           "on:2026-05-03 said:2026-05-03",
		"昨天发生了什么":                            "on:2026-05-03 said:2026-05-03",
		"我上周五做了什么？":                          "on:2026-05-01 said:2026-05-01",
		"What did we discuss in March 2026?": "on:2026-03 said:2026-03",
		"今年三月我说了什么":                          "on:2026-03 said:2026-03",
		"what did I say today?":              "on:2026-05-04 said:2026-05-04",
		// What begins on a day that something else is asked about.
		"Is the dentist open on 8 May 2026?": "on:2026-05-08",
		"明天适合爬山吗？":                           "on:2026-05-05",
		// No day, or one that everything is about.
		"How warm is Rome in March?": "",
		"罗马三月热吗？":                    "",
		"What should I eat today?":   "",
		"今天吃什么？":                     "",
		"Who won in 2019?":           "",
		"2019年谁赢了？":                  "",
		"It may rain":                "",
		"every Friday":               "",
		"I slept for three days":     "",
		"hello":                      "",
		"":                           "",
	} {
		if got := index.QueryDates(query, monday); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}

// A week is asked for by its days.
func TestQueryDatesOfAWeek(t *testing.T) {
	got := index.QueryDates("what did I say last week?", monday)
	if len(got) != 14 || !slices.Contains(got, "said:2026-04-27") || !slices.Contains(got, "said:2026-05-03") {
		t.Errorf("got %q", got)
	}
}

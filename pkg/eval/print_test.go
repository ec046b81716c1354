package eval

import (
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
)

func TestPrint(t *testing.T) {
	r := &Report{
		Set: "s", Extractor: "x", CorpusSHA256: "c0", QueriesSHA256: "9e", MemoriesSHA256: "3e", Users: 2,
		Coverage:  []Coverage{{"all", Share{1, 4}, Share{0, 4}, Share{3, 4}}},
		Numbers:   Share{1, 2},
		GoldTurns: Share{2, 3},
		Memories:  Memories{All: 8, Current: 7, FromGold: 6, False: 2, FromNoise: 1},
		Updates:   Updates{All: 8, Correct: 4, BothActive: 1, Asked: 1, Omitted: 2, Stale: 1},
		Messages:  ledger.Counts{Messages: 40, Remembered: 8, Refreshed: 4, Rejected: 2, Nothing: 25, Parked: 1},
		Refused:   3, Rejections: []ledger.Rejection{{Reason: "secret", Count: 5}}, Usage: Usage{Calls: 10, Tokens: 4000},
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	const want = `
set            s
extractor      x
corpus         sha256 c0
queries        sha256 9e
gold memories  sha256 3e
users          2

gold memories                found            from their own turn  in their own turn
  all                        1 of 4 (25.0 %)  0 of 4 (0.0 %)       3 of 4 (75.0 %)
found ones with all numbers  1 of 2 (50.0 %)
found ones with all names    none
gold turns remembered from   2 of 3 (66.7 %)

memories                      8
  current in the end          7 of 8 (87.5 %)
  from a gold turn            6 of 8 (75.0 %)
  false: from no gold turn    2 of 8 (25.0 %)
    in a session without any  1 of 8 (12.5 %)
updates                       8
  correct                     4 of 8 (50.0 %)
  both values active          1 of 8 (12.5 %)
  asked about                 1 of 8 (12.5 %)
  omitted                     2 of 8 (25.0 %)
    old value active          1 of 8 (12.5 %)

turns                       40
  remembered                8 of 40 (20.0 %)
  refreshed                 4 of 40 (10.0 %)
  rejected                  2 of 40 (5.0 %)
  nothing to remember       25 of 40 (62.5 %)
  parked                    1 of 40 (2.5 %)
turns refused at the edge   3
candidates refused: secret  5
calls                       10 (0.25 a turn)
tokens                      4000 (100.00 a turn)
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("printed %s\nwant %s", got, want)
	}
}

type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestPrintSaysThatItFailed(t *testing.T) {
	if err := (&Report{}).Print(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("Print = %v, want %v", err, errBroken)
	}
}

package rank

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
)

// Renewed is how many of the best Renew looks at.
const Renewed = 5

// The bounds of Renew.
const (
	// minRenewedShare is the total that a newer statement needs, as a share of the older's.
	minRenewedShare = 0.5
	// minSharedAsked is the share of the query's terms in the older statement that the newer
	// one needs to hold as well, minAlike the cosine of their terms.
	minSharedAsked = 0.3
	minAlike       = 0.3
)

// Renew puts what says that something has changed above the older statements about the same
// that stand before it: "the deadline moved to May" answers a question about the deadline
// better than "the deadline is in April", however many words of the question the latter
// holds. Only the best five change places, and only what the same speaker said later, with a
// word of change in it (see Changes). order are the places of the candidates, best first, and
// totals their totals; the new order is returned.
func Renew(q Query, cs []Candidate, order []int, totals []float64) []int {
	words := q.terms()
	out := slices.Clone(order)
	for i := 1; i < min(len(out), Renewed); i++ {
		newer := out[i]
		if !Changes(cs[newer].Text) {
			continue
		}
		to := slices.IndexFunc(out[:i], func(older int) bool {
			return totals[newer] >= minRenewedShare*totals[older] && replaces(words, &cs[newer], &cs[older])
		})
		if to >= 0 {
			out = slices.Insert(slices.Delete(out, i, i+1), to, newer)
		}
	}
	return out
}

// replaces reports whether newer says something about what older says, later; words are the
// query's terms.
func replaces(words []uint32, newer, older *Candidate) bool {
	if newer.Speaker != older.Speaker || !later(newer, older) {
		return false
	}
	inOlder, inBoth := 0.0, 0.0
	for _, index := range words {
		if _, ok := slices.BinarySearch(older.Terms.Indices, index); !ok {
			continue
		}
		inOlder++
		if _, ok := slices.BinarySearch(newer.Terms.Indices, index); ok {
			inBoth++
		}
	}
	return inOlder > 0 && inBoth >= minSharedAsked*inOlder && alike(newer.Terms, older.Terms) >= minAlike
}

func later(a, b *Candidate) bool {
	if !a.At.Equal(b.At) {
		return a.At.After(b.At)
	}
	return a.Seq > b.Seq
}

// changeWords say that something is no longer what it was.
var changeWords = wordsOf(`
now nowadays new newly instead anymore actually latest lately recent recently currently
change changes changed changing update updates updated updating switch switched switching
move moved moving reschedule rescheduled postpone postponed delay delayed
extend extended extending shorten shortened increase increased increasing increases
raise raised decrease decreased reduce reduced lower lowered adjust adjusted adjusting
revise revised correct corrected correction replace replaced replacing
upgrade upgraded downgrade downgraded
`)

// changePhrases are found anywhere in the text.
var changePhrases = strings.Fields(`
no_longer used_to any_more pushed_back brought_forward
现在 如今 目前 最新 最近 改成 改为 改到 改了 更改 换成 换了 换到 变成 变为 变了 更新 调整 推迟 延期 延后 延长
提前 缩短 增加 提高 增至 涨到 上调 减少 降低 降到 下调 不再 其实 搬到 搬去 升级 取消
`)

func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// Changes reports whether a text says, by a word of change, that something has become
// otherwise.
func Changes(text string) bool {
	text = canon.Simplify(strings.ToLower(text))
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if changeWords[w] {
			return true
		}
	}
	return slices.ContainsFunc(changePhrases, func(p string) bool {
		return strings.Contains(text, strings.ReplaceAll(p, "_", " "))
	})
}

package rank

import (
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/terms"
)

// faintWords are so common in what people say of themselves, and ask, that sharing one of
// them is no reason to hand something out: what is liked is asked for by the asking-words of
// its key. They still count in the order.
const faintWords = `
like likes liked liking love loves loved loving enjoy enjoys enjoyed enjoying prefer prefers preferred
hate hates hated dislike dislikes disliked
want wants wanted wanting need needs needed know knows knew knowing think thinks thought thinking
go goes went going come comes came coming make makes made making take takes took taking
look looks looked looking see sees saw seen find finds found finding use uses used using
try tries tried trying help helps helped helping work works worked working feel feels felt
show shows mean means meant start starts started keep keeps kept put call
live lives lived living good great nice thing things way ways lot new people day today time
`

// faintHan are the same in Chinese. Those of two characters make a pair with what follows.
const faintHan = `喜欢 喜爱 热爱 讨厌 爱吃 爱喝 爱看 爱听 爱玩 爱 希望 打算 今天 时间 东西 问题 工作 看 吃 买 用 做 写 找 说 住 人 好`

// faint are the terms of the words.
var faint = faintTerms()

func faintTerms() []uint32 {
	var texts []string
	texts = append(texts, faintWords)
	for _, w := range strings.Fields(faintHan) {
		texts = append(texts, w, "喜欢"+w)
	}
	return terms.Query(strings.Join(texts, "\n")).Indices
}

// firm are the terms of a sentence that are a reason to hand something out.
func firm(indices []uint32) []uint32 {
	var out []uint32
	for _, index := range indices {
		if _, ok := slices.BinarySearch(faint, index); !ok {
			out = append(out, index)
		}
	}
	return out
}

// Firm is a text without the words that are no reason to hand something out.
func Firm(text string) string {
	fields := strings.Fields(strings.NewReplacer("喜欢", " ", "喜歡", " ", "讨厌", " ", "討厭", " ").Replace(text))
	return strings.Join(slices.DeleteFunc(fields, func(w string) bool {
		indices := terms.Query(w).Indices
		return len(indices) > 0 && len(firm(indices)) == 0
	}), " ")
}

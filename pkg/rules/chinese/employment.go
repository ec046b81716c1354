package chinese

import (
	"regexp"
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Moves from one employer to the next.

// joinsVerb are the ways of going over to an employer.
const joinsVerb = `(?:去|跳槽到|跳槽去|跳到|跳去|加入|加盟|入职|进|换到|换去|转到|转投|转去|来到|到)`

// leftFor reads 辞了百度的工作去美团了 and 从华为跳到小米了, quoted from the new employer on.
func leftFor(m match) []found {
	s, _ := m.span("v")
	verb, _ := m.span("verb")
	s = employerName(m.folded, s)
	old, ok := m.span("old")
	if !ok {
		old, _ = m.span("gone")
	}
	old = trimValue(m.folded, old)
	if s.empty() || !isNextEmployer(m.fold(s)) {
		return nil
	}
	// Without a word of leaving or joining, both must be firms: 从公司去医院 is a way.
	if !resigns.MatchString(m.rest()) && (!isFirm(m.fold(old)) || !isFirm(m.fold(s))) {
		return nil
	}
	if !isWorkplace(m.fold(s)) && !isWorkplace(m.fold(old)) && !resigned.MatchString(m.rest()) {
		return nil
	}
	f := m.fact(employer, s)
	f.Relation, f.rule, f.from = memory.RelationUpdates, "left-for", verb.from
	return []found{f}
}

var (
	resigns  = regexp.MustCompile(`辞|离职|跳|入职|加入|加盟|转投`)
	resigned = regexp.MustCompile(`辞职|离职|裸辞|跳槽|入职`)
)

func isFirm(folded string) bool {
	return companies.MatchString(folded) || latinName.MatchString(folded)
}

// notNext is where people go, or what they do, after a job without its being another.
var notNext = regexp.MustCompile(`^(?:趟|一趟|次|过|医院|银行|超市|学校|公司|餐厅|单位|大学|工厂|新公司|新单位)$|^(?:趟|了)|旅|游|读|留学|创业$|考|备|休息|照顾|带娃|带孩子|学|陪|结婚|流浪|支教|看|玩|养|种|开|做|当|摆摊|乡下|农村|老家|国外|海外|海边|山里|大城市|小城市|体制内|女友|男友|[下里边上村县镇家岛寺庙山海江湖河]$`)

func isNextEmployer(folded string) bool {
	return isEmployer(folded) && !isKnownPlace(folded) && joinable(folded) && (isFirm(folded) || !notNext.MatchString(folded))
}

// nextEmployer is a clause that says only where the user went.
var nextEmployer = regexp.MustCompile(`^(?:就|又|马上|然后|转头|已经|之后|后来|直接)*` + joinsVerb + `(?:了)?(?P<v>[^，]+?)(?:上班|工作)?` + particles + `$`)

// employedNext reads 去了爱立信 after 从诺基亚离职.
func (r *reader) employedNext(m match) []found {
	at := slices.IndexFunc(r.found, func(f found) bool {
		return f.Relation == memory.RelationEnds && f.Target.Key == employer
	})
	if at < 0 || at != len(r.found)-1 || r.gap(r.found[at].to, m.from) {
		return nil
	}
	loc := nextEmployer.FindStringSubmatchIndex(m.rest())
	if loc == nil {
		return nil
	}
	s := employerName(m.folded, span{m.body + loc[2], m.body + loc[3]})
	if s.empty() || !isNextEmployer(m.fold(s)) || !isWorkplace(m.fold(s)) && r.found[at].Target.Value == "" {
		return nil
	}
	f := m.fact(employer, s)
	f.rule, f.Relation, f.ValidFrom = "employed-next", memory.RelationUpdates, r.found[at].ValidFrom
	return []found{f}
}

func newCompany(m match) []found {
	out := one(employer, isEmployer)(m)
	for i := range out {
		out[i].Relation = memory.RelationUpdates
	}
	return out
}

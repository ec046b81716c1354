package chinese

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Denials of what was told of the body: an allergy or an illness that is none.

// illnesses is the name of an illness.
const illnesses = `[\p{Han}a-z0-9型]{0,10}?(?:高血压|低血压|高血脂|高血糖|低血糖|糖尿病|哮喘|心脏病|胃病|胃炎|鼻炎|花粉症|痛风|贫血|癫痫|抑郁症?|焦虑症?|失眠症?|偏头痛|关节炎|颈椎病|腰椎间盘突出|甲亢|甲减|湿疹|荨麻疹|皮炎|肝炎|乙肝|肾病|肾结石|结石|近视|散光|色盲|色弱|白内障|青光眼|多囊|脂肪肝|高尿酸|乳糖不耐(?:受|症)?|麸质不耐受?|幽闭恐惧症?|恐高症?|洁癖|强迫症|adhd|多动症|自闭症|阅读障碍|癌症?|肿瘤|[\p{Han}]{1,5}(?:病|炎|症|癌|结节))`

// notIllness end like an illness and name none, or none in particular.
var notIllness = regexp.MustCompile(`^(?:生|看|毛|得|大|小|什么|任何|啥|重|疾|心|有|装|治|有什么|有啥|公主)病$|什么|任何|你|他|她|别的|其他`)

func isIllness(folded string) bool { return !notIllness.MatchString(folded) }

// endsKnown returns a build function for the end of what the group v names under key, of
// which nothing is told to who does not know of it: 我没有哮喘.
func endsKnown(key memory.Key, check func(folded string) bool) func(match) []found {
	return func(m match) []found {
		s, ok := m.span("v")
		if !ok {
			return nil
		}
		return m.endKnown(key, s, check)
	}
}

// endKnown ends each item of the enumeration at s.
func (m match) endKnown(key memory.Key, s span, check func(folded string) bool) []found {
	var out []found
	for _, item := range items(m.folded, s) {
		if !check(m.fold(item)) {
			return nil
		}
		out = append(out, dated(m, m.ending(memory.Target{Key: key, Value: m.say(item), Must: true})))
	}
	return out
}

// allergyEnded reads an allergy that is over, and one that never was: either way it leaves
// the profile.
func allergyEnded(m match) []found {
	for _, group := range []string{"v", "w", "u"} {
		if s, ok := m.span(group); ok {
			if unlessThen.MatchString(m.fold(s)) || notThat.MatchString(m.rest()) && butThis.MatchString(m.folded[m.to:]) {
				return nil
			}
			return m.endKnown(allergies, s, isAllergen)
		}
	}
	return nil
}

// unlessThen are words that make a condition or an exception of what stands before 不过敏:
// 除了花生都不过敏.
var unlessThen = regexp.MustCompile(`除|只|才|吃|喝|碰|就$|是$|一样$|^(?:从|从来|都|也|一般|平时|绝对|应该|可能|完全|一点|并|再|有)$`)

// notThat denies what butThis puts right; the two are one correction.
var (
	notThat = regexp.MustCompile(`不是对`)
	butThis = regexp.MustCompile(`^[，,\s]*(?:我)?(?:而|应该|其实|只)*(?:是|对)`)
)

// tongueLost ends a language that the user has forgotten or never spoke.
func tongueLost(m match) []found {
	for _, group := range []string{"v", "w"} {
		if s, ok := m.span(group); ok {
			return m.endKnown(languages, s, isTongue)
		}
	}
	return nil
}

// notAllergicBare is 其实不过敏, which says to what only by what was told before.
var notAllergicBare = regexp.MustCompile(`^(?:并|已经|早就)*不(?:再)?过敏(?:的)?` + particles + `$`)

// notAllergic ends the one allergy that the message before told of.
func (r *reader) notAllergic(m match) []found {
	if len(r.past) > 0 || len(r.found) > 0 || !m.changed || !notAllergicBare.MatchString(m.rest()) {
		return nil
	}
	if len(r.earlier) != 1 || r.earlier[0].Key != allergies {
		return nil
	}
	return []found{m.ending(memory.Target{Key: allergies, Value: r.earlier[0].Value, Must: true})}
}

package chinese

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Ends of what people pursue: pastimes, studies and preparations.

// pursued is a verb of pursuit before what is pursued, which alone tells it in whatever
// words it was said; what is a single character is told by both (考研).
var pursued = regexp.MustCompile(`^(?:学习?|备考|准备|考)(\p{Han}{2,}|[a-z].*)$`)

// pursuitEnded ends a pastime, or a free memory of something learnt or prepared for.
func pursuitEnded(m match) []found {
	s, ok := m.span("v")
	if !ok {
		return nil
	}
	s = trimValue(m.folded, s)
	if runes(m.fold(s)) < 2 || nothingPursued.MatchString(m.fold(s)) {
		return nil
	}
	if loc := pursued.FindStringSubmatchIndex(m.fold(s)); loc != nil {
		s.from += loc[2]
	} else if !studied.MatchString(m.fold(s)) {
		return []found{dated(m, m.ending(memory.Target{Key: hobbies, Value: m.say(m.practised(s))}))}
	}
	return []found{dated(m, m.ending(memory.Target{Value: m.say(s)}))}
}

// nothingPursued is what is said of any pursuit at all: 不学习了.
var nothingPursued = regexp.MustCompile(`^(?:学习|学校|考试|考虑|准备|学着|学会|练习)`)

var studied = regexp.MustCompile(`^(?:学|考|备考|准备)`)

// practice is a verb of a pastime before what is practised, which alone tells the pastime
// in whatever words it was said (网球 is 打网球 as well).
var practice = regexp.MustCompile(`^(?:打|踢|玩|弹|拉|吹|练|写|画|跳|做|跑|下)(\p{Han}{2,}|[a-z].*)$`)

// practised is the pastime at s without its verb.
func (m match) practised(s span) span {
	if loc := practice.FindStringSubmatchIndex(m.fold(s)); loc != nil {
		s.from += loc[2]
	}
	return s
}

// pastimeOnly is a whole pastime, verb and object.
var pastimeOnly = regexp.MustCompile(`^(?:` + pastimes + `)$`)

// frontedEnded reads 网球我不打了, where what is over comes first. Said of no one, 吉他不弹
// 了 counts only for who is known to play it.
func frontedEnded(m match) []found {
	s, _ := m.span("v")
	verb, _ := m.span("verb")
	if m.dated || passingPursuit.MatchString(m.fold(s)) {
		return nil
	}
	target := memory.Target{Key: hobbies, Value: m.say(s), Must: true}
	switch {
	case m.fold(verb) == "学" && (m.self || m.has("me")):
		target = memory.Target{Value: m.say(verb) + m.say(s)}
	case m.fold(verb) == "养" && animalOnly.MatchString(m.fold(s)):
		target.Key, target.Must = pets, !m.self && !m.has("me")
	case pastimeOnly.MatchString(m.fold(verb) + m.fold(s)):
		target.Must = !m.self && !m.has("me")
	case !m.self && !m.has("me"):
		return nil
	}
	return []found{dated(m, m.ending(target))}
}

// passingPursuit is what one is at for the moment.
var passingPursuit = regexp.MustCompile(`^[这那]|^(?:今天|今晚|明天|现在|就|也|都|再|饭|作业|题|表|车|歌|字|电话|针|牌|局|我|你|他|她)$|局$|把$|题$|作业$|会$|梦$`)

package wording

import (
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

var chinese = &language{
	keys: map[memory.Key]phrase{
		"user.name":       {first: "你说你叫%s", again: "又说叫%s", ask: "该怎么称呼你？"},
		"user.city":       {first: "你说住在%s", again: "又说住在%s", ask: "你现在住在哪里？"},
		"user.hometown":   {first: "你说老家在%s", again: "又说在%s", ask: "你的老家是哪里？"},
		"user.occupation": {first: "你说你的工作是%s", again: "又说是%s", ask: "你现在做什么工作？", quoted: true},
		"user.employer":   {first: "你说在%s工作", again: "又说在%s", ask: "你现在在哪里工作？"},
		"user.commute":    {first: "你说上班的方式是%s", again: "又说是%s", ask: "你现在怎么上班？", quoted: true},
		"user.school":     {first: "你说在%s上学", again: "又说在%s", ask: "你现在在哪里上学？"},
		"user.partner":    {first: "你提到的伴侣是%s", again: "又提到%s", ask: "现在是哪一位？", quoted: true},
		"user.birthday":   {first: "你说生日是%s", again: "又说是%s", ask: "哪个是对的？"},
		"user.diet":       {first: "你说你的饮食习惯是%s", again: "又说是%s", ask: "你现在是哪一种？", quoted: true},
	},
	anyKey: func(topic string) phrase {
		return phrase{first: "你说" + literal(topic) + "是%s", again: "又说是%s", ask: "哪个是对的？", quoted: true}
	},
	topic:   chineseTopic,
	opposed: chineseOpposed,
	said:    func(s memory.Side) string { return s.Value },
	day:     chineseDay,
	comma:   "，",
	stop:    "。",
	when:    "什么时候是%s",
	followUp: func(when []string) string {
		count := "两"
		if len(when) > 2 {
			count = "几"
		}
		return "那" + count + "种说法都对：" + strings.Join(when, "，") + "？"
	},
}

// chineseTopic is the first Chinese word with which people ask for the key, since its path
// is in no language of theirs.
func chineseTopic(k memory.Key, f profile.Field) string {
	for _, word := range f.Asks["zh"] {
		if !strings.HasPrefix(word, "!") {
			return Line(word)
		}
	}
	return " " + topic(k) + " "
}

// chineseVerbs are the opposite keys of the standard schema.
var chineseVerbs = map[memory.Key]string{"user.likes": "喜欢", "user.dislikes": "不喜欢"}

func chineseOpposed(sides []memory.Side) said {
	v := value(sides[0].Value, false)
	out := said{ask: "哪个是对的？"}
	for i, s := range sides {
		verb, ok := chineseVerbs[s.Key]
		group := "“" + topic(s.Key) + "”"
		switch {
		case ok && i == 0:
			out.sides = append(out.sides, "你说"+verb+v)
			out.when = append(out.when, "什么时候"+verb+v)
			out.ask = "你现在喜欢还是不喜欢" + v + "？"
		case ok:
			out.sides = append(out.sides, "又说"+verb)
			out.when = append(out.when, "什么时候"+verb)
		case i == 0:
			out.sides = append(out.sides, "你把"+v+"归在"+group+"里")
			out.when = append(out.when, v+"什么时候属于"+group)
		default:
			out.sides = append(out.sides, "又归在"+group+"里")
			out.when = append(out.when, "什么时候属于"+group)
		}
	}
	return out
}

func chineseDay(d day, first bool) string {
	form := "1月2日"
	if d.year {
		form = "2006年1月2日"
	}
	switch {
	case d.at.IsZero() && first:
		return "之前"
	case d.at.IsZero():
		return "后来"
	case d.same:
		return "同一天"
	default:
		return d.at.Format(form)
	}
}

package chinese

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// animals are the animals that people keep, breeds included.
const animals = `(?:(?:小|大|老|黑|白|橘|花|胖|肥|黄|灰|流浪|奶|母|公|三花|狸花|暹罗|布偶|美短|英短|缅因|波斯|加菲|无毛|金渐层|银渐层|蓝|土|柴|田园|中华田园|金毛|拉布拉多|牧羊|导盲|贵宾|斗牛|茶杯|梨花)+的?)?(?:` +
	`毛孩子|cat|dog|kitty|puppy|猫咪|猫猫|喵星人|猫|狗狗|狗子|狗|犬|汪星人|金毛|哈士奇|二哈|柯基|泰迪|边牧|拉布拉多|萨摩耶|比熊|博美|法斗|雪纳瑞|德牧|吉娃娃|阿拉斯加|布偶|美短|英短|缅因|暹罗|金渐层|银渐层|三花|狸花|橘座|奶牛猫|玳瑁|孟买猫|德文|` +
	`仓鼠|兔子|兔兔|垂耳兔|侏儒兔|鹦鹉|虎皮鹦鹉|乌龟|巴西龟|龟|金鱼|热带鱼|锦鲤|孔雀鱼|鱼|龙猫|豚鼠|荷兰猪|蜥蜴|守宫|蛇|玉米蛇|鸟|八哥|文鸟|鸽子|刺猬|蜜袋鼯|羊驼|马|香猪|松鼠|蜘蛛|鸡|鸭子|芦丁鸡)`

const (
	petCount = `(?:(?P<n>[一二两三四五六七八九十几]|[0-9]+)?(?:只|条|匹|缸|对|头|窝|个)?)`
	petName  = `(?:[\s，,]*(?:它|她|他)?的?(?:名字|小名|大名)?(?:就)?(?:叫做?|名叫|取名叫?|起名叫?|是叫|名为)(?P<name>[“"「『]?[\p{Han}a-z0-9]{1,8}[”"」』]?))`
)

var petRules = []rule{
	{
		name: "pet-kept", scope: own,
		pattern: body(`(?:是)?(?:们)?(?:家里?)?(?:现在)?(?:还|也|又|新|刚|都|改)*(?:养着?|添|养有|有养|有|领养|收养|买|捡|抱养|接)(?:了|到|回来?|回家)*(?P<v>` + petCount + `(?:可爱的|很?[\p{Han}]{1,2}的)?(?:` + animals + `)(?:(?:、|和|跟|，|还有)?` + `(?:[一二两三四五六七八九十]|[0-9]+)?(?:只|条|匹|缸|对|头|窝|个)?(?:` + animals + `))*)(?:回家|回来)?(?:了)?` + petName + `?(?:陪我|作伴|做伴|陪着我|会[^，]{1,6}|(?:特别|很|超级?|好)[^，]{1,5})?`),
		build:   petsKept,
	},
	{
		name: "pet-called", scope: own,
		pattern: body(`(?:家里?)?(?:还|也)?(?:养着?|有|领养|收养|买)(?:了)?[一1]?(?:只|条|匹)?(?:名叫|名字叫|叫做?)(?P<name>[\p{Han}a-z0-9]{1,8})的(?P<v>` + animals + `)`),
		build:   petsKept,
	},
	{
		name: "pets-at-home", scope: anyone,
		pattern: within(`^(?:[^，]{0,4}?)(?:我(?:们)?)?家(?:里|中)?(?:还)?(?:一共)?(?P<v>(?:[一二两三四五六七八九十几]|[0-9]+)(?:只|条|匹|缸|窝)(?:` + animals + `))` + petName + `?` + particles + `$`),
		build:   petsKept,
	},
	{
		name: "pet-named", scope: anyone,
		pattern: within(`^(?:[^，]{0,8}?)我(?:们)?(?:家|的|家的|养的|家那只|那只|家有只)(?P<v>` + animals + `)` + petName),
		build:   petNamed,
	},
	{
		name: "pet-mine", scope: anyone,
		pattern: within(`^(?:[^，我]{0,6}?)我(?:们)?(?:家|的|家的|养的|家那只|那只)(?:[一二两三]只)?(?P<v>` + animals + `)(?:今年|已经|现在|很|特别|超|喜欢|爱|不|最|总|老|有点|[0-9一二三四五六七八九十]+岁|是|对|怕|又|最近|也|才|刚)`),
		build:   petMine,
	},
}

// notKept are clauses about animals that are nobody's pets.
var notKept = regexp.MustCompile(`没养|不养|想养|想要|要是|喂流浪|邻居|朋友家?的|同事|别人|养殖|吃|过敏|玩具|视频|照片|头像|表情|去世|走了|没了|死|送人|丢了|跑丢|不在了|过世|离世|喵星|汪星`)

func petsKept(m match) []found {
	s, _ := m.span("v")
	if notKept.MatchString(m.whole()) {
		return nil
	}
	var out []found
	for _, item := range counted(m.folded, items(m.folded, s)) {
		f := m.fact(pets, bareAnimal(m.folded, item))
		f.from = min(f.from, m.start)
		out = append(out, f)
	}
	if n, ok := m.span("name"); ok && len(out) == 1 {
		n = trimValue(m.folded, n)
		if !notName.MatchString(m.fold(n)) {
			out[0].Value += "，叫" + m.say(n)
			out[0].named = true
		}
	}
	return out
}

// petNamed gives a name to the animal that is spoken of as known: 我的猫叫咪咪 says more of
// the same cat.
func petNamed(m match) []found {
	out := petsKept(m)
	if s, ok := m.span("v"); ok && len(out) == 1 && out[0].named {
		out[0].Relation = memory.RelationUpdates
		out[0].Target = &memory.Target{Key: pets, Value: m.say(s)}
	}
	return out
}

func petMine(m match) []found {
	s, _ := m.span("v")
	if notKept.MatchString(m.whole()) {
		return nil
	}
	f := m.fact(pets, s)
	f.Confidence, f.Relation = indirect, memory.RelationNew
	return []found{f}
}

var anotherPet = regexp.MustCompile(`(?:[一二两三四五六七八九十几]|[0-9]+)(?:只|条|匹|缸|头|窝)`)

// counted cuts 两只狗一只猫 where the next count begins.
func counted(folded string, parts []span) []span {
	var out []span
	for _, s := range parts {
		at := s.from
		for _, loc := range anotherPet.FindAllStringIndex(folded[s.from:s.to], -1) {
			if from := s.from + loc[0]; from > at {
				out = append(out, trimValue(folded, span{at, from}))
				at = from
			}
		}
		out = append(out, trimValue(folded, span{at, s.to}))
	}
	return out
}

var petMeasure = regexp.MustCompile(`^(?:[一1]?(?:只|条|匹|缸|对|头|窝|个))`)

// bareAnimal takes the measure word of a single animal away; a number of two or more is
// part of what was said.
func bareAnimal(folded string, s span) span {
	if loc := petMeasure.FindStringIndex(folded[s.from:s.to]); loc != nil && loc[1] < s.to-s.from {
		s.from += loc[1]
	}
	return s
}

// petCalled is a clause that gives the name of the animal or the person just spoken of.
var petCalled = regexp.MustCompile(`^(?:它|她|他|小家伙)?(?:的)?(?:名字|小名|大名)?(?:就)?(?:叫做?|名叫|取名叫?|起名叫?|是|名为)[“"「『]?(?P<name>[\p{Han}a-z0-9]{1,6})[”"」』]?` + particles + `$`)

// bareRelative is a value that says who somebody is to the user, and not their name.
var bareRelative = regexp.MustCompile(`^(?:` + familyWords + `|` + partnerWords + `)$`)

// nameCompanion joins a name said in this clause to the pet or the person of the clause
// before it, and reports whether it did.
func (r *reader) nameCompanion(c *clause) bool {
	last := r.companion()
	if last == nil || last.named || c.self || r.gap(last.to, c.from) {
		return false
	}
	if last.Key == pets && r.nameEach(last, c) {
		return true
	}
	if last.Key != pets && !bareRelative.MatchString(fold(last.Value)) {
		return false
	}
	loc := petCalled.FindStringSubmatchIndex(c.folded[c.start:c.to])
	if loc == nil || notName.MatchString(c.folded[c.start+loc[2]:c.start+loc[3]]) {
		return false
	}
	called := c.content[c.start+loc[2] : c.start+loc[3]]
	if last.Key != pets && !strings.Contains(c.folded[c.start:c.start+loc[2]], "叫") {
		return false // 我有个妹妹，是护士 says what she is
	}
	if last.Key == pets {
		called = "，叫" + called
	}
	last.Value += called
	last.to, last.named = c.to, true
	return true
}

// companion is the last pet or person that the last clause with a fact has found, or nil.
func (r *reader) companion() *found {
	for i := len(r.found) - 1; i >= 0 && r.found[i].to == r.found[len(r.found)-1].to; i-- {
		if slices.Contains(companions, r.found[i].Key) {
			return &r.found[i]
		}
	}
	return nil
}

var (
	severalPets = regexp.MustCompile(`^([2-9二两三四五六七八九])(?:只|条|匹|头|个)(.+)$`)
	allCalled   = regexp.MustCompile(`^(?:它们?|他们?|她们?)?(?:的)?(?:名字|小名)?(?:就|分别)*(叫做?|名叫|取名叫?|是|名为)?(.+?)` + particles + `$`)
	petNameOnly = regexp.MustCompile(`^[\p{Han}a-z0-9]{1,6}$`)
	// described is what an animal is like, where no word says that it is a name.
	described = regexp.MustCompile(`色$|岁|公|母|只|条|很|都|花$|短$|` + animals)
)

// counts are the numerals of severalPets.
var counts = map[string]int{
	"二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
	"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
}

// nameEach makes one pet of each name where there are as many names as animals: what becomes
// of one of 两只猫，麻薯和泡芙 says nothing of the other.
func (r *reader) nameEach(last *found, c *clause) bool {
	several := severalPets.FindStringSubmatch(last.Value)
	loc := allCalled.FindStringSubmatchIndex(c.folded[c.start:c.to])
	if several == nil || loc == nil {
		return false
	}
	names := items(c.folded, span{c.start + loc[4], c.start + loc[5]})
	if len(names) != counts[several[1]] {
		return false
	}
	for _, n := range names {
		name := c.folded[n.from:n.to]
		if !petNameOnly.MatchString(name) || notName.MatchString(name) || loc[2] < 0 && described.MatchString(name) {
			return false
		}
	}
	all := *last
	all.to, all.named = c.to, true
	for i, n := range names {
		all.Value = several[2] + "，叫" + c.content[n.from:n.to]
		if i == 0 {
			*last = all
		} else {
			r.found = append(r.found, all)
		}
	}
	return true
}

package reconcile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// known is a memory with a short name, for tests of what a topic means.
type known struct {
	name  string
	key   memory.Key
	value string
	text  string
}

// memory is the memory; its id is its name.
func (k known) memory() memory.Memory {
	m := memory.Memory{ID: memory.ID(k.name), Scope: scope, Key: k.key, Value: k.value, Text: k.text, Status: memory.StatusCurrent}
	if key, ok := strings.CutPrefix(string(k.key), "about "); ok {
		m.Key, m.About = "", memory.Key(key)
	}
	if k.key == "plan" {
		m.Key, m.Plan = "", true
	}
	return m
}

// robin is what is known of somebody who speaks English.
var robin = []known{
	{"name", "user.name", "Robin", "My name is Robin"},
	{"city", "user.city", "Boston", "I live in Boston with my friend Tom"},
	{"hometown", "user.hometown", "Dublin", "I grew up in Dublin"},
	{"employer", "user.employer", "bakery", "I work at a bakery"},
	{"occupation", "user.occupation", "baker", "I'm a baker"},
	{"commute", "user.commute", "subway", "I take the subway to work"},
	{"school", "user.school", "Suffolk University", "I go to Suffolk University in the evenings"},
	{"partner", "user.partner", "girlfriend Anna", "My girlfriend is called Anna"},
	{"birthday", "user.birthday", "May 4", "My birthday is May 4"},
	{"diet", "user.diet", "vegetarian", "I'm vegetarian"},
	{"peanuts", "user.allergies", "peanuts", "I'm allergic to peanuts"},
	{"penicillin", "user.allergies", "penicillin", "I'm allergic to penicillin"},
	{"cat", "user.pets", "cat named Mimi", "I have a cat named Mimi and a dog named Rex"},
	{"dog", "user.pets", "dog named Rex", "I have a cat named Mimi and a dog named Rex"},
	{"french", "user.languages", "French", "I speak French"},
	{"chess", "user.hobbies", "chess", "I play chess on Sundays"},
	{"mahjong", "user.likes", "playing mahjong", "I like playing mahjong"},
	{"cats", "user.likes", "cats", "I like cats"},
	{"tea", "user.likes", "tea", "I love tea"},
	{"cilantro", "user.dislikes", "cilantro", "I can't stand cilantro"},
	{"mother", "user.family", "mother Carla", "My mother Carla lives in Leeds"},
	{"sister", "user.family", "sister Ines", "My sister Ines is a nurse"},
	{"asthma", "user.health", "asthma", "I have asthma"},
	{"green", "about user.likes", "", "My favourite colour is green"},
	{"ielts", "", "", "I'm preparing for IELTS"},
	{"shenzhen", "plan", "", "I'm flying to Shenzhen next Friday"},
	{"dentist", "plan", "", "I have a dentist appointment on Monday"},
	{"ex", "", "", "My ex moved to Spain"},
	{"divorce", "about user.partner", "", "I got divorced in 2019"},
	{"late", "", "", "I work late on Fridays"},
	{"neighbour", "", "", "My neighbour's cat keeps me awake"},
	{"mum", "", "", "My mum's birthday is in June"},
	{"stress", "", "", "My job is stressful"},
	{"policy", "", "", "I read policy papers"},
}

// lan is what is known of somebody who speaks Chinese.
var lan = []known{
	{"name", "user.name", "林岚", "我叫林岚"},
	{"city", "user.city", "常州", "我和小刘一起住在常州"},
	{"hometown", "user.hometown", "成都", "我老家在成都"},
	{"employer", "user.employer", "面包店", "我在面包店上班"},
	{"occupation", "user.occupation", "面点师", "我是面点师"},
	{"commute", "user.commute", "地铁", "我坐地铁上班"},
	{"school", "user.school", "夜校", "我晚上上夜校"},
	{"partner", "user.partner", "女朋友小美", "我女朋友叫小美"},
	{"birthday", "user.birthday", "5月4日", "我的生日是5月4日"},
	{"diet", "user.diet", "吃素", "我吃素"},
	{"peanuts", "user.allergies", "花生", "我对花生过敏"},
	{"pollen", "user.allergies", "花粉", "我对花粉过敏"},
	{"cat", "user.pets", "猫，叫咪咪", "我养了一只猫叫咪咪"},
	{"dog", "user.pets", "狗", "还有一只狗"},
	{"french", "user.languages", "法语", "我会说法语"},
	{"chess", "user.hobbies", "下棋", "我周末下棋"},
	{"mahjong", "user.likes", "打麻将", "我喜欢打麻将"},
	{"cats", "user.likes", "猫", "我喜欢猫"},
	{"tea", "user.likes", "茶", "我爱喝茶"},
	{"cilantro", "user.dislikes", "香菜", "我讨厌香菜"},
	{"mother", "user.family", "妈妈王芳", "我妈妈叫王芳"},
	{"sister", "user.family", "妹妹小雨", "我妹妹叫小雨"},
	{"asthma", "user.health", "哮喘", "我有哮喘"},
	{"green", "about user.likes", "", "我最喜欢的颜色是绿色"},
	{"ielts", "", "备考雅思", "我在备考雅思"},
	{"shenzhen", "plan", "", "我下周五去深圳出差"},
	{"dentist", "plan", "", "我周一约了牙医"},
	{"ex", "", "", "我前女友在北京"},
	{"divorce", "about user.partner", "", "我2019年离婚了"},
	{"late", "", "", "我周五加班到很晚"},
	{"neighbour", "", "", "邻居家的猫吵得我睡不着"},
	{"mum", "", "", "我妈妈的生日在六月"},
	{"stress", "", "", "我的工作压力很大"},
}

func matching(world []known, match func(*memory.Memory) bool) string {
	var out []string
	for _, k := range world {
		if m := k.memory(); match(&m) {
			out = append(out, k.name)
		}
	}
	return strings.Join(out, " ")
}

func names(world []known) string { return matching(world, func(*memory.Memory) bool { return true }) }

type meant struct{ words, names string }

// What a request to forget means, and nothing else: each word of it counts.
func TestTopics(t *testing.T) {
	for _, tt := range []struct {
		world []known
		cases []meant
	}{{robin, []meant{
		{"where I work", "employer"},
		{"who I work for", "employer"},
		{"my employer", "employer"},
		{"my job", "employer occupation stress"},
		{"everything about my job", "employer occupation stress"},
		{"what you know about my work", "employer occupation"},
		{"what I do for a living", "occupation"},
		{"that I work at a bakery", "employer"},
		{"I work at a bakery", "employer"},
		{"the fact that I work at the bakery", "employer"},
		{"I work at a hospital", ""},
		{"that I'm a baker", "occupation"},
		{"how I get to work", "commute"},
		{"my commute", "commute"},
		{"my address", "city"},
		{"my home address", "city"},
		{"where I live", "city"},
		{"that I live in Boston", "city"},
		{"that I live in Denver", ""},
		{"Boston", "city"},
		{"where I grew up", "hometown"},
		{"where I'm from", "hometown"},
		{"my hometown", "hometown"},
		{"my name", "name"},
		{"my birthday", "birthday"},
		{"when I was born", "birthday"},
		{"how old I am", "birthday"},
		{"my name and my birthday", "name birthday"},
		{"my name, address and birthday", "name city birthday"},
		{"my last name", "name"},
		{"my cat and my dog", "cat dog"},
		{"my cat and dog", "cat dog"},
		{"everything about my cat and my dog", "cat dog"},
		{"where I live and where I work", "city employer"},
		{"the cat", "cat"},
		{"my work schedule", ""},
		{"my old job", ""},
		{"my mum's birthday", "mum"},
		{"my girlfriend's birthday", ""},
		{"my girlfriend", "partner divorce"},
		{"my cat", "cat"},
		{"my dog", "dog"},
		{"my pets", "cat dog"},
		{"Mimi", "cat"},
		{"my cat Mimi", "cat"},
		{"my cat's name", "cat"},
		{"that I have a cat named Mimi", "cat"},
		{"I have a dog called Rex", "dog"},
		{"that I have a cat named Tiger", ""},
		{"my hamster", ""},
		{"that I like cats", "cats"},
		{"my mother", "mother mum"},
		{"my sister", "sister"},
		{"my brother", ""},
		{"my family", "mother sister"},
		{"my sister's job", ""},
		{"my ex", "ex"},
		{"my divorce", "divorce"},
		{"my allergies", "peanuts penicillin"},
		{"my peanut allergy", "peanuts"},
		{"that I'm allergic to peanuts", "peanuts"},
		{"that I speak French", "french"},
		{"my hobbies", "chess"},
		{"that I play chess", "chess"},
		{"what I like", "mahjong cats tea green"},
		{"that I like playing mahjong", "mahjong"},
		{"that I like mahjong", "mahjong"},
		{"that I like green tea", ""},
		{"my favourite colour", "green"},
		{"what I hate", "cilantro"},
		{"my health", "asthma"},
		{"my asthma", "asthma"},
		{"my diet", "diet"},
		{"IELTS", "ielts"},
		{"my IELTS exam", "ielts"},
		{"my plans", "shenzhen dentist"},
		{"my trip to Shenzhen", "shenzhen"},
		{"my trip to Tokyo", ""},
		{"my trip", "shenzhen"},
		{"the trip", "shenzhen"},
		{"my flight", "shenzhen"},
		{"my travel plans", "shenzhen"},
		{"my appointment", "dentist"},
		{"my meeting", ""},
		{"my schedule", "shenzhen dentist"},
		{"our plan", ""},
		{"my plan for dinner", ""},
		{"my dentist appointment", "dentist"},
		{"Tom", ""},
		{"the police", ""},
		{"the weather", ""},
		{"dinner", ""},
		{"my vet", ""},
		{"gift ideas", ""},
		{"my email address", ""},
		{"", ""},
		{"this", ""},
		{"me", names(robin)},
		{"everything", names(robin)},
		{"everything about me", names(robin)},
		{"everything you know about me", names(robin)},
		{"all you remember about me", names(robin)},
		{"all my data", names(robin)},
		{"my personal information", names(robin)},
		{"my memories", names(robin)},
		{"all memories", names(robin)},
		{"all of the memories", names(robin)},
		{"your memories", names(robin)},
	}}, {lan, []meant{
		{"我在哪里上班", "employer"},
		{"我在哪工作", "employer"},
		{"我的公司", "employer"},
		{"我的工作", "employer occupation stress"},
		{"关于我工作的一切", "employer occupation stress"},
		{"我是做什么的", "occupation"},
		{"我的职业", "occupation"},
		{"我在面包店上班这件事", "employer"},
		{"我在面包店上班", "employer"},
		{"我在医院上班", ""},
		{"我是面点师", "occupation"},
		{"我怎么去上班", "commute"},
		{"我的通勤方式", "commute"},
		{"我的住址", "city"},
		{"我的地址", "city"},
		{"我住哪儿", "city"},
		{"我住在哪里", "city"},
		{"我住在常州", "city"},
		{"我住在无锡", ""},
		{"常州", "city"},
		{"我老家", "hometown"},
		{"我是哪里人", "hometown"},
		{"我的名字", "name"},
		{"我叫什么", "name"},
		{"我的生日", "birthday"},
		{"我多大了", "birthday"},
		{"我的名字和生日", "name birthday"},
		{"我的猫和狗", "cat dog"},
		{"我住哪，我在哪上班", "city employer"},
		{"我妈妈的名字", "mother mum"},
		{"我所有的计划", "shenzhen dentist"},
		{"我以前的工作", ""},
		{"我妈妈的生日", "mum"},
		{"我女朋友的生日", ""},
		{"我女朋友", "partner divorce"},
		{"我的猫", "cat"},
		{"我家的猫", "cat"},
		{"我的狗", "dog"},
		{"我的宠物", "cat dog"},
		{"咪咪", "cat"},
		{"我养了一只叫咪咪的猫", "cat"},
		{"我养了一只叫小黑的猫", ""},
		{"我的仓鼠", ""},
		{"我喜欢猫", "cats"},
		{"我妈妈", "mother mum"},
		{"我妹妹", "sister"},
		{"我弟弟", ""},
		{"我的家人", "mother sister"},
		{"我前女友", "ex"},
		{"我离婚的事", "divorce"},
		{"我的过敏史", "peanuts pollen"},
		{"我对什么过敏", "peanuts pollen"},
		{"我对花生过敏", "peanuts"},
		{"我会说法语", "french"},
		{"我的爱好", "chess"},
		{"我周末下棋", "chess"},
		{"我喜欢什么", "mahjong cats tea green"},
		{"我喜欢打麻将这件事", "mahjong"},
		{"我喜欢打麻将", "mahjong"},
		{"我喜欢麻将", "mahjong"},
		{"我喜欢绿茶", ""},
		{"我最喜欢的颜色", "green"},
		{"我讨厌什么", "cilantro"},
		{"我的健康状况", "asthma"},
		{"我的哮喘", "asthma"},
		{"雅思", "ielts"},
		{"雅思的事", "ielts"},
		{"備考雅思", "ielts"},
		{"我的行程", "shenzhen dentist"},
		{"我去深圳出差的事", "shenzhen"},
		{"我去东京出差的事", ""},
		{"我的出差", "shenzhen"},
		{"我的旅行计划", "shenzhen"},
		{"我的预约", "dentist"},
		{"我的会议", ""},
		{"小刘", ""},
		{"天气", ""},
		{"晚饭", ""},
		{"我的邮箱地址", ""},
		{"这件事", ""},
		{"我", names(lan)},
		{"一切", names(lan)},
		{"关于我的一切", names(lan)},
		{"我的一切", names(lan)},
		{"所有关于我的信息", names(lan)},
		{"你记得的关于我的所有事情", names(lan)},
		{"我的个人信息", names(lan)},
		{"你知道的我的事", names(lan)},
		{"你记得的我的事情", names(lan)},
		{"你知道的我的一切", names(lan)},
		{"所有记忆", names(lan)},
	}}} {
		for _, c := range tt.cases {
			if got := matching(tt.world, reconcile.About(registry, memory.Topic{Words: c.words}).Match); got != c.names {
				t.Errorf("%q means %q, want %q", c.words, got, c.names)
			}
		}
	}
}

// A request not to mention something also concerns what only mentions it.
func TestTopicsThatAreMentioned(t *testing.T) {
	for _, tt := range []struct {
		world []known
		cases []meant
	}{{robin, []meant{
		{"IELTS exam", "ielts"},
		{"Tom", "city"},
		{"cat", "cat dog cats neighbour"},
		{"job", "employer occupation stress"},
		{"ex", "ex"},
		{"dinner", ""},
		{"the weather", ""},
		{"birthday", "birthday mum"},
	}}, {lan, []meant{
		{"雅思", "ielts"},
		{"我的雅思考试", "ielts"},
		{"小刘", "city"},
		{"猫", "cat cats neighbour"},
		{"我前女友", "ex"},
		{"工作", "employer occupation stress"},
		{"晚饭", ""},
		{"离婚", "divorce"},
	}}} {
		for _, c := range tt.cases {
			if got := matching(tt.world, reconcile.About(registry, memory.Topic{Words: c.words}).Mentions); got != c.names {
				t.Errorf("%q is mentioned by %q, want %q", c.words, got, c.names)
			}
		}
	}
}

// An English topic finds what is said in Chinese, and the other way round, as far as there
// is one name for both.
func TestTopicsAcrossLanguages(t *testing.T) {
	for words, want := range map[string]string{"my peanut allergy": "peanuts", "my birthday": "birthday", "my cat": "cat", "my mother": "mother mum"} {
		if got := matching(lan, reconcile.About(registry, memory.Topic{Words: words}).Match); got != want {
			t.Errorf("%q means %q, want %q", words, got, want)
		}
	}
	for words, want := range map[string]string{"我对花生过敏": "peanuts", "我的生日": "birthday", "我的猫": "cat"} {
		if got := matching(robin, reconcile.About(registry, memory.Topic{Words: words}).Match); got != want {
			t.Errorf("%q means %q, want %q", words, got, want)
		}
	}
}

// Keys and ids mean exactly those, and what was kept of them.
func TestTopicsThatAreGiven(t *testing.T) {
	for _, tt := range []struct {
		topic memory.Topic
		want  string
	}{
		{memory.Topic{Keys: []memory.Key{"user.likes"}}, "mahjong cats tea green"},
		{memory.Topic{IDs: []memory.ID{"cat", "late"}}, "cat late"},
		{memory.Topic{IDs: []memory.ID{"cat"}, Keys: []memory.Key{"user.name"}, Words: "Rex"}, "name cat dog"},
		{memory.Topic{}, ""},
	} {
		if got := matching(robin, reconcile.About(registry, tt.topic).Match); got != tt.want {
			t.Errorf("%+v means %q, want %q", tt.topic, got, tt.want)
		}
	}
	past := memory.Memory{ID: "x", Origin: "cat", Status: memory.StatusSuperseded}
	if !reconcile.About(registry, memory.Topic{IDs: []memory.ID{"cat"}}).Match(&past) {
		t.Error("a past value of a memory is not meant with it")
	}
	for _, status := range []memory.Status{memory.StatusDeleted, memory.StatusStanding, memory.StatusLifted} {
		m := memory.Memory{ID: "x", Text: "do not mention IELTS", Status: status}
		if reconcile.About(registry, memory.Topic{Words: "IELTS"}).Match(&m) {
			t.Errorf("a topic means a memory that is %s", status)
		}
	}
}

// The keys of another schema are named by its asking-words.
func TestTopicsOfAnotherSchema(t *testing.T) {
	r, err := profile.Parse([]byte(`{"type": "object", "properties": {"user": {"type": "object", "properties": {
		"boat": {"type": "string", "x-mnemond-asks": {"en": ["boat", "!boat trip"], "zh": ["船"]}},
		"berth": {"type": "string", "x-mnemond-asks": {"en": ["berth"]}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	world := []known{{"boat", "user.boat", "sloop", "I have a sloop"}, {"berth", "user.berth", "A7", "I lie at A7"}}
	for words, want := range map[string]string{"my boat": "boat", "我的船": "boat", "my boat trip": "", "my berth": "berth", "my job": ""} {
		if got := matching(world, reconcile.About(r, memory.Topic{Words: words}).Match); got != want {
			t.Errorf("%q means %q, want %q", words, got, want)
		}
	}
}

// Every key of the default schema can be named, and every name is of one of its keys.
func TestEveryKeyHasNames(t *testing.T) {
	named := reconcile.NamedKeys()
	if got := registry.Keys(); !slices.Equal(got, named) {
		t.Errorf("names are of %q, want those of %q", named, got)
	}
}

// What a topic may be is not bounded by who asks.
func TestTopicsAreBounded(t *testing.T) {
	long := strings.Repeat("我的猫 my cat ", 20_000)
	m := known{"cat", "user.pets", "cat named Mimi", "I have a cat"}.memory()
	if reconcile.About(registry, memory.Topic{Words: long}).Match(&m) {
		t.Error("a topic of 300 KB means something")
	}
}

func FuzzTopics(f *testing.F) {
	for _, world := range [][]known{robin, lan} {
		for _, k := range world {
			f.Add(k.text)
		}
	}
	f.Add("everything about ")
	f.Add("的的的")
	f.Fuzz(func(t *testing.T, words string) {
		x := reconcile.About(registry, memory.Topic{Words: words})
		for _, k := range slices.Concat(robin, lan) {
			m := k.memory()
			if x.Match(&m) && !x.Mentions(&m) {
				t.Fatalf("%q means %s, but is not mentioned by it", words, k.name)
			}
		}
	})
}

package find_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// pair is a query and the one memory that there is.
type pair struct {
	query string
	key   memory.Key
	text  string
}

// related share a word, an asking-word or spelling.
var related = []pair{
	{"What should I buy for my pet?", "user.pets", "I have a cat called Miso"},
	{"给我的宠物买点什么？", "user.pets", "我养了一只猫"},
	{"Where do I live?", "user.city", "I moved to Oslo"},
	{"我住在哪个城市？", "user.city", "我搬到了杭州"},
	{"Any good restaurants nearby?", "user.city", "I live in Boston"},
	{"附近有什么好吃的？", "user.city", "我住在成都"},
	{"What do I like?", "user.likes", "I love hiking"},
	{"我喜欢什么？", "user.likes", "我爱爬山"},
	{"Recommend me a film", "user.likes", "I enjoy science fiction films"},
	{"推荐一部电影", "user.likes", "我喜欢科幻片"},
	{"What can I cook tonight?", "user.allergies", "I'm allergic to peanuts"},
	{"今晚吃什么？", "user.allergies", "我对花生过敏"},
	{"Book a table for dinner", "user.diet", "I'm a vegetarian"},
	{"帮我点外卖", "user.diet", "我吃素"},
	{"When is my birthday?", "user.birthday", "I was born on 3 May"},
	{"我生日是哪天？", "user.birthday", "我是5月3日出生的"},
	{"Who am I?", "user.name", "Call me Robin"},
	{"我叫什么名字？", "user.name", "叫我小林"},
	{"What do I do for work?", "user.occupation", "I'm a nurse"},
	{"我是做什么的？", "user.occupation", "我是护士"},
	{"How do I get to work?", "user.commute", "I take the tram"},
	{"我怎么通勤？", "user.commute", "我坐地铁"},
	{"A present for my daughter", "user.family", "My daughter Ann is six"},
	{"给女儿买礼物", "user.family", "女儿今年六岁"},
	{"What is the deadline of the draft?", "", "The draft is due on Friday"},
	{"初稿什么时候交？", "", "初稿周五交"},
	{"Which database do we run?", "", "We use Qdrant as our vector database"},
	{"我们用什么数据库？", "", "数据库用的是MySQL"},
	{"vegeterian", "", "I'm a vegetarian"},
	{"How was the marathon?", "", "I ran a marathon in April"},
	{"马拉松怎么样？", "", "我四月跑了马拉松"},
	{"status of PDX-42", "", "PDX-42 is about the login page"},
	{"PDX-42 怎么样了？", "", "PDX-42是登录页面的问题"},
	{"What does my cat eat?", "", "The cat eats only dry food"},
	{"我的猫吃什么？", "", "橘猫只吃干粮"},
	{"v1.18.3 的问题", "", "我们在用 qdrant v1.18.3"},
	{"my sister's wedding", "", "My sister Ella gets married in June"},
	{"我妹妹的婚礼", "", "妹妹六月结婚"},
	{"When is Will's flight?", "", "Will lands at six"},
	{"Do I speak French?", "user.languages", "I speak French and Dutch"},
	{"What's on my schedule?", "", "The dentist appointment is on Friday, on my schedule"},
	{"我對什麼過敏？", "user.allergies", "我对海鲜过敏"},
}

// unrelated have nothing in common but words that say nothing.
var unrelated = []pair{
	{"What would you like to do?", "user.likes", "I like green tea"},
	{"I'd like to know how planes fly", "user.likes", "I like green tea"},
	{"What does a quokka look like?", "user.likes", "I like jazz"},
	{"你喜欢什么？", "", "我喜欢喝绿茶"},
	{"我喜欢这首诗吗？翻译一下", "", "我不喜欢香菜"},
	{"I love this! Translate it, please", "", "I love my grandmother"},
	{"我爱你怎么用法语写", "", "我爱吃辣"},
	{"What is the capital of France?", "user.city", "I live in Oslo"},
	{"法国的首都在哪里？", "user.pets", "我养了一只猫"},
	{"How do I reverse a list in Go?", "user.pets", "I have a cat called Miso"},
	{"怎么学德语？", "user.name", "我叫小林"},
	{"Explain quantum entanglement", "user.allergies", "I'm allergic to peanuts"},
	{"解释一下量子纠缠", "user.allergies", "我对花生过敏"},
	{"What should I buy for my pet?", "user.likes", "I like spicy noodles"},
	{"给我的宠物买点什么？", "user.likes", "我喜欢吃辣"},
	{"What should I buy for my pet?", "user.diet", "I'm a vegetarian"},
	{"给我的宠物买点什么？", "user.dislikes", "我讨厌香菜"},
	{"Will it rain?", "", "Will lands at six"},
	{"May I ask you something?", "", "The fair is in May"},
	{"Can you tell me a joke?", "user.occupation", "I'm a nurse"},
	{"讲个笑话", "user.occupation", "我是护士"},
	{"Write a poem about the sea", "user.commute", "I take the tram"},
	{"写一首关于大海的诗", "user.commute", "我坐地铁"},
	{"Convert 5 miles to kilometres", "user.birthday", "I was born on 3 May"},
	{"5英里是多少公里？", "user.birthday", "我是3月8日出生的"},
	{"Who won the match?", "user.family", "My daughter Ann is six"},
	{"比赛谁赢了？", "user.family", "女儿今年六岁"},
	{"Summarise this article", "", "The rent is 900 euros a month"},
	{"总结这篇文章", "", "房租每月九百"},
	{"What is a monad?", "", "I ran a marathon in April"},
	{"什么是单子？", "", "我四月跑了马拉松"},
	{"Fix the indentation, please", "", "My flat has two rooms"},
	{"帮我改一下缩进", "", "我家有两个房间"},
	{"Which is bigger, 9.11 or 9.9?", "", "We use Qdrant as our vector database"},
	{"9.11和9.9哪个大？", "", "数据库用的是MySQL"},
	{"Thanks, that was really helpful!", "", "I play the piano"},
	{"谢谢，很有帮助！", "", "我弹钢琴"},
	{"What is the weather on Mars?", "user.likes", "I like black coffee"},
	{"Book a flight in March", "", "I started yoga in 2019"},
	{"2026年有多少天？", "", "我2019年开始练瑜伽"},
	{"How many people live in Japan?", "user.skills", "I'm good at chess"},
	{"日本有多少人口？", "user.skills", "我擅长下棋"},
	{"hello", "", "I'm left-handed"},
	{"你好", "", "我是左撇子"},
}

// However few memories there are, one that has nothing to do with the query stays away; and
// one that has is found, however few words it shares.
func TestTheFloor(t *testing.T) {
	for want, pairs := range map[bool][]pair{true: related, false: unrelated} {
		if len(pairs) < 40 {
			t.Errorf("%d pairs", len(pairs))
		}
		for _, p := range pairs {
			m := recalled(1, p.key, p.text)
			if got := foundIn(t, p.query, m); (len(got) == 1) != want {
				t.Errorf("%q: %q found is %v, want %v: %+v", p.query, p.text, !want, want, got)
			}
		}
	}
}

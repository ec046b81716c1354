package chinese

import "testing"

// Plain sentences of every topic whose grammar no rule had.
func TestPlainSpeech(t *testing.T) {
	check(t, []story{
		// opinions with a degree before the denial
		{"我一点也不喜欢恐怖片", []string{"user.dislikes=恐怖片"}},
		{"我一点都不喜欢爵士乐", []string{"user.dislikes=爵士乐"}},
		{"我完全不喜欢团建", []string{"user.dislikes=团建"}},
		{"我丝毫不喜欢榴莲", []string{"user.dislikes=榴莲"}},
		// 从小 and 从小学
		{"我从小学就开始拉大提琴", []string{"user.hobbies=拉大提琴 updates"}},
		{"我从小学就住在青岛", []string{"user.city=青岛"}},
		// who was born, and their name
		{"我们上个月刚生了个女儿，叫小鱼儿", []string{"fact from 2026-02-01 <我们上个月刚生了个女儿>", "user.family=女儿小鱼儿"}},
		{"我有个妹妹，叫佳宁", []string{"user.family=妹妹佳宁"}},
		{"我儿子叫乐乐今年三岁", []string{"user.family=儿子乐乐"}},
		{"我女儿叫朵朵五岁了", []string{"user.family=女儿朵朵"}},
		{"我弟弟叫大壮在读高中", []string{"user.family=弟弟大壮"}},
		// several animals by name
		{"我有两只猫，麻薯和泡芙", []string{"user.pets=猫，叫麻薯", "user.pets=猫，叫泡芙"}},
		{"家里养了三条狗，分别叫大黄、二黑和小白", []string{"user.pets=狗，叫大黄", "user.pets=狗，叫二黑", "user.pets=狗，叫小白"}},
		{"我有两只猫，一公一母", []string{"user.pets=两只猫 <我有两只猫>"}},
		{"我有两只猫，都很黏人", []string{"user.pets=两只猫 <我有两只猫>"}},
		// ends with what is over in front
		{"韩语我不学了", []string{"fact ends ( 学韩语)"}},
		{"我把德勤的工作辞了", []string{"fact about user.employer ends (user.employer 德勤)"}},
		{"昨天把工作辞了", []string{"fact about user.employer ends (user.employer ) from 2026-03-03"}},
		{"我们分了", []string{"fact about user.partner ends (user.partner )"}},
		{"阿黄昨天飞走了", []string{"fact about user.pets ends (user.pets 阿黄 must) from 2026-03-03"}},
		{"我家鹦鹉飞走了", []string{"fact about user.pets ends (user.pets 鹦鹉)"}},
		// employers with a name of their own
		{"我已经不在谷歌工作了，去了一家叫Lumo的创业公司", []string{"user.employer=Lumo updates <去了一家叫Lumo的创业公司>"}},
		{"我在一家名叫青芽的公司上班", []string{"user.employer=青芽"}},
		// partners
		{"上周末我跟小雨订婚啦！！", []string{"user.partner=小雨 updates from 2026-02-28 <上周末我跟小雨订婚啦>"}},
		{"我和林婉结婚了", []string{"fact", "user.partner=林婉 updates"}},
		// one place to come from, and another to grow up in
		{"我老家在湖南，在深圳长大", []string{"user.hometown=湖南 <我老家在湖南>", "profile about user.hometown <在深圳长大>"}},
		{"我在深圳长大", []string{"user.hometown=深圳"}},
		// an answer that goes on
		{"A:你住哪里？ || 南京，不过下个月搬去苏州", []string{"user.city=南京 asked <我住在南京>", "plan from 2026-04-01 to 2026-05-01 <下个月搬去苏州>"}},
	})
}

// TestExaggeration: what is 死了 is no animal.
func TestExaggeration(t *testing.T) {
	for _, said := range []string{
		"今天累死了", "无聊死了", "饿死了", "快热死了", "真烦死了", "笑死了", "困死了", "昨天忙死了", "吵死了", "手机没了", "尴尬死了", "紧张死了", "开心死了",
	} {
		check(t, []story{{said, nil}})
	}
	check(t, []story{
		{"甜甜死了", []string{"fact about user.pets ends (user.pets 甜甜 must)"}},
		{"豆包昨天死了", []string{"fact about user.pets ends (user.pets 豆包 must) from 2026-03-03"}},
	})
}

// TestTopicsOfOneRequest: each topic of an enumeration is a request of its own.
func TestTopicsOfOneRequest(t *testing.T) {
	check(t, []story{
		{"以后别再提我的工作和过敏了", []string{"suppress! 工作 @1", "suppress! 过敏 @1"}},
		{"不要再提雅思、托福和GRE了", []string{"suppress! 雅思 @1", "suppress! 托福 @1", "suppress! GRE @1"}},
		{"可以再提我的工作和过敏了", []string{"lift! 工作 @1", "lift! 过敏 @1"}},
		{"别再提我和前任的事了", []string{"suppress! 我和前任 @1"}},
		{"别再提爸妈和邻居吵架了", []string{"suppress! 爸妈和邻居吵架 @1"}},
		{"别再提和平饭店了", []string{"suppress! 和平饭店 @1"}},
	})
}

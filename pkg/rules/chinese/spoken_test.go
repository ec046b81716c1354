package chinese

import "testing"

// Facts as they are typed in a chat: clauses divided by spaces, English words, dialect,
// and what is said in passing.
func TestTyped(t *testing.T) {
	check(t, []story{
		// spaces in place of punctuation
		{"我在 Google 做 backend 平时住 Mountain View", []string{"user.employer=Google <我在 Google 做 backend>", "user.occupation=backend <我在 Google 做 backend>", "user.city=Mountain View <平时住 Mountain View>"}},
		{"我是Vivian 在Amazon做PM base西雅图", []string{"user.name=Vivian <我是Vivian>", "user.employer=Amazon <在Amazon做PM>", "user.occupation=PM <在Amazon做PM>", "user.city=西雅图 <base西雅图>"}},
		{"对了 我换工作了 现在在小红书做增长", []string{"user.employer=小红书 updates <现在在小红书做增长>", "user.occupation=增长 updates <现在在小红书做增长>"}},
		{"怀孕了 咖啡能喝吗", []string{"user.health=怀孕 <怀孕了>"}},
		{"忘了说 我是做电商的 在义乌", []string{"user.occupation=电商 <我是做电商的>", "user.city=义乌 <在义乌>"}},
		{"Hi 我係阿明，住喺香港", []string{"user.name=阿明 <我係阿明>", "user.city=香港 <住喺香港>"}},
		{"刚 move 到东京", []string{"user.city=东京 updates"}},
		// home, work and the way between them
		{"自从搬到苏州以后，我就迷上了评弹", []string{"user.city=苏州 updates <自从搬到苏州以后>", "user.likes=评弹 <我就迷上了评弹>"}},
		{"啊不对我打错了，我住的是南昌不是南京", []string{"user.city=南昌 updates <我住的是南昌不是南京>"}},
		{"我是土生土长的重庆崽儿", []string{"user.hometown=重庆"}},
		{"更正一下，我不是在字节，我是在快手", []string{"user.employer=快手 updates <我是在快手>"}},
		{"早就不在美团了", []string{"fact about user.employer ends (user.employer 美团)"}},
		{"我一直做外贸的，最近转行卖保险", []string{"user.occupation=外贸 <我一直做外贸的>", "user.occupation=卖保险 updates <最近转行卖保险>"}},
		{"我现在在家带娃，全职妈妈", []string{"user.occupation=全职妈妈 <全职妈妈>"}},
		{"我退休啦", []string{"user.occupation=退休 updates"}},
		{"在佛山开了家奶茶店", []string{"user.occupation=开了家奶茶店"}},
		{"每天早上先坐公交再转地铁去单位", []string{"user.commute=坐公交再转地铁"}},
		{"从家走路十分钟就到公司", []string{"user.commute=走路"}},
		// animals that are gone
		{"我们家豆豆上周走了", []string{"fact about user.pets ends (user.pets 豆豆 must) from 2026-02-23"}},
		{"我家小黑没了", []string{"fact about user.pets ends (user.pets 小黑 must)"}},
		{"狗狗得细小没救回来", []string{"fact about user.pets ends (user.pets 狗狗 must)"}},
		{"猫昨晚在医院走的", []string{"fact about user.pets ends (user.pets 猫 must) from 2026-03-03T18"}},
		{"老家那条狗被车撞死了", []string{"fact about user.pets ends (user.pets 狗 must)"}},
		{"养了十年的狗走了", []string{"fact about user.pets ends (user.pets 狗 must)"}},
		// body and tastes
		{"我过敏原查出来是尘螨和猫毛", []string{"user.allergies=尘螨", "user.allergies=猫毛"}},
		{"别给我推荐带坚果的，会过敏", []string{"user.allergies=坚果"}},
		{"青霉素过敏这个你记一下", []string{"user.allergies=青霉素"}},
		{"作为一个乳糖不耐的人，我只能喝燕麦奶", []string{"user.health=乳糖不耐 <作为一个乳糖不耐的人>"}},
		{"作为一个花生过敏的人，我很羡慕你们", []string{"user.allergies=花生 <作为一个花生过敏的人>"}},
		{"跟女朋友异地三年了", []string{"user.partner=女朋友"}},
		{"我不太喝得惯豆汁儿", []string{"user.dislikes=豆汁儿"}},
		{"最近疯狂迷恋手冲咖啡", []string{"user.likes=手冲咖啡"}},
		{"比起猫我现在更喜欢狗了", []string{"user.likes=狗 updates"}},
		{"我爱上海", []string{"user.likes=上海"}},
		{"戒烟第30天", []string{"fact about user.likes ends (user.likes 烟)"}},
		// requests to the memory
		{"减肥这个话题到此为止吧", []string{"suppress! 减肥 @1"}},
		{"刚才那段别记", []string{"do_not_save!  @1"}},
	})
}

// What is said of things, of others, for others and in play has the words of facts.
func TestTypedNothing(t *testing.T) {
	nothing(t, []string{
		"我家wifi没了", "我家电费没了", "我们家牛奶没了", "我家快递丢了", "我家钥匙丢了", "我们家客人走了", "我家老头走了", "我家小弟走了", "住的地方停水了", "别推荐太贵的，会过敏",
		"猫和老鼠在医院走的那集笑死我了", "狗被车撞死的新闻看得我难受", "蚊子被我打死了", "电脑昨天死机了",
		"不在服务区了", "老板已经不在阿里了", "他转行卖保险了", "转账给我妈", "转正答辩怎么准备",
		"自从搬到新公司以后天天加班", "他自从搬到北京以后就变了",
		"帮客户写个自我介绍：我叫张伟，在平安做保险", "给我表弟改一下简历：我叫王磊，住在南京",
		"给全职妈妈推荐一份副业", "全职妈妈真不容易", "今天的话题到此为止",
		"作为一个花生过敏的人，应该注意什么", "小明跟女朋友异地三年了", "跟女朋友吵架了怎么办", "给青霉素过敏的人开什么药", "我怕老婆", "我怕我妈", "爱豆塌房了", "我爱吃不胖", "我不太看得惯他这样", "疯狂星期四V我50",
		"今天累死了", "饿死了 想吃火锅", "热成狗了", "累成狗", "单身狗一只，求介绍对象", "我人没了", "吓死宝宝了",
		"主角住在伦敦，养了一条龙，对银器过敏", "新闻上说有个人养了三百只猫", "我同桌养了两只仓鼠，叫大福小福",
		"咱们来玩角色扮演，我是住在森林里的精灵", "我住在你心里", "我养你啊", "小红有5个苹果，我有3个，一共几个",
		"我曾经跨过山和大海，也穿过人山人海", "假设我月薪两万住在上海怎么存钱", "我差点就嫁到美国去了",
	})
}

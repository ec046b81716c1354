package chinese

import "testing"

// Sentences as people write them, of every topic, which no rule was written for.
func TestUnseen(t *testing.T) {
	check(t, []story{
		// home
		{"我们一家三口住在苏州工业园区", []string{"user.city=苏州工业园区"}},
		{"我刚刚搬进了浦东的新房子", []string{"user.city=浦东 updates"}},
		// work
		{"我在招商银行上班，做柜员", []string{"user.employer=招商银行 <我在招商银行上班>", "user.occupation=柜员 <做柜员>"}},
		{"平时就是个跑外卖的", []string{"user.occupation=跑外卖"}},
		{"我是送快递的", []string{"user.occupation=送快递"}},
		{"在下是一名人民教师", []string{"user.occupation=人民教师"}},
		{"我之前说我在阿里，其实我已经去京东了", []string{"user.employer=京东 updates <其实我已经去京东了>"}},
		// people
		{"大家好，我是小鹿", []string{"user.name=小鹿 <我是小鹿>"}},
		{"你好，我是Kevin", []string{"user.name=Kevin <我是Kevin>"}},
		{"大家好，我是欧阳晓岚", []string{"user.name=欧阳晓岚 <我是欧阳晓岚>"}},
		{"打错字了，我女朋友叫小娅", []string{"user.partner=女朋友小娅 updates <我女朋友叫小娅>"}},
		{"我爷爷去年过世了", []string{"fact about user.family ends (user.family 爷爷) from 2025-01-01"}},
		{"我姐姐刚生了个女儿", []string{"user.family=姐姐"}},
		{"我老婆生日是3月8号", []string{"fact", "user.partner=老婆"}},
		{"记住我老婆的生日是6月1号", []string{"fact pinned <我老婆的生日是6月1号>", "user.partner=老婆 pinned <我老婆的生日是6月1号>", "remember!  @1"}},
		// pets
		{"刚接了只柯基回家，起名叫土豆", []string{"user.pets=柯基，叫土豆 updates"}},
		{"资深猫奴，家里两只布偶", []string{"user.pets=两只布偶 <家里两只布偶>"}},
		{"雪球前天走了，我好难过", []string{"fact about user.pets ends (user.pets 雪球 must) from 2026-03-02 <雪球前天走了>"}},
		{"哈士奇太闹腾，送给我表哥养了", []string{"fact about user.pets ends (user.pets 哈士奇 must)"}},
		{"兔子上个月死了", []string{"fact about user.pets ends (user.pets 兔子 must) from 2026-02-01"}},
		{"我家毛孩子叫旺财", []string{"user.pets=毛孩子，叫旺财"}},
		// body
		{"我花粉过敏很严重", []string{"user.allergies=花粉"}},
		{"我一喝牛奶就拉肚子", []string{"constraint about user.allergies"}},
		// tastes
		{"比起咖啡我更喜欢喝茶", []string{"user.likes=茶"}},
		{"跟啤酒比，我更喜欢红酒", []string{"user.likes=红酒 <我更喜欢红酒>"}},
		{"我更喜欢狗而不是猫", []string{"user.likes=狗"}},
		{"我喜欢猫胜过狗", []string{"user.likes=猫"}},
		{"其实我现在挺喜欢下雨天的", []string{"user.likes=下雨天 updates"}},
		{"周末没事的时候我爱去钓鱼", []string{"user.likes=钓鱼"}},
		{"我 prefer 深色模式", []string{"user.likes=深色模式"}},
		{"我喜欢上班摸鱼", []string{"user.likes=上班摸鱼"}},
		// doings and plans
		{"我昨天提了辆新车", []string{"fact from 2026-03-03"}},
		{"去年夏天我去西藏骑行了", []string{"fact from 2025-06-01"}},
		{"我刚从日本旅游回来", []string{"fact"}},
		{"前天摔断了腿", []string{"fact from 2026-03-02"}},
		{"在读MBA，明年毕业", []string{"fact <在读MBA>", "plan from 2027-01-01 to 2028-01-01 <明年毕业>"}},
		{"港大研二在读", []string{"fact"}},
		{"后天要交季度报告", []string{"plan from 2026-03-06 to 2026-03-07"}},
		{"我周日跟朋友聚餐", []string{"plan from 2026-03-08 to 2026-03-09"}},
		{"我女儿下周三开家长会", []string{"plan from 2026-03-11 to 2026-03-12", "user.family=女儿"}},
		{"下周一之前要把论文改完", []string{"plan from 2026-03-09 to 2026-03-10"}},
		{"我买了后天去广州的高铁票", []string{"plan from 2026-03-06 to 2026-03-07"}},
		{"我下周三去深圳的行程推迟一周", []string{"plan updates ( 深圳 plan) from 2026-03-18 to 2026-03-19"}},
		// answers
		{"A:你是不是养了一只猫？ || 是的，叫汤圆", []string{"user.pets=猫，叫汤圆 asked <我是养了一只猫，叫汤圆>"}},
		{"A:你是不是住在福州？ || 没有，早搬到泉州了", []string{"user.city=泉州 updates <早搬到泉州了>"}},
		{"A:您贵姓？ || 免贵姓王", []string{"profile about user.name <免贵姓王>"}},
		// corrections across messages
		{"我叫李明 || A:好的，李明 || 不是李明，是黎明", []string{"user.name=李明 <我叫李明>", "user.name=黎明 updates <是黎明>"}},
		{"我住在上海 || A:好的 || 说错了，是苏州", []string{"user.city=上海 <我住在上海>", "user.city=苏州 updates <是苏州>"}},
		// directives
		{"我在偷偷找工作，不要告诉别人也别保存", []string{"do_not_save!  @1"}},
		{"我住在火星街 || 忘了我刚才说的吧", []string{"do_not_save!  @1"}},
	})
}

func TestUnseenNothing(t *testing.T) {
	nothing(t, []string{
		"猫粮没了", "狗粮没了", "猫砂没了", "鸡蛋没了", "我家狗粮没了", "马路没了", "叫汤圆", "要我说，住北京最好", "我觉得住北京最好",
		"收到一封邮件：\n尊敬的客户：\n我叫王芳，在平安保险工作，我住在深圳。\n祝好\n帮我总结一下",
		"小红发来的消息：我住在北京，我对花生过敏",
		"我叫小红，住在上海。把上面这句翻译成英文",
		"写一个短篇故事，主角叫小红，喜欢唱歌跳舞",
		"大家好，我是小白",
		"我今天面试了三家公司",
	})
}

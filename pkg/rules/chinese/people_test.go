package chinese

import "testing"

func TestPeople(t *testing.T) {
	check(t, []story{
		{"我叫小林", []string{"user.name=小林"}},
		{"我的名字是王小明。", []string{"user.name=王小明"}},
		{"我英文名叫Kevin", []string{"user.name=Kevin"}},
		{"你好，我是林小雨，在上海做设计", []string{"user.name=林小雨 <我是林小雨>", "user.occupation=设计 <在上海做设计>"}},
		{"以后叫我阿强就行", []string{"user.name=阿强 updates"}},
		{"你可以叫我Robin", []string{"user.name=Robin"}},
		{"大家都叫我老王", []string{"user.name=老王"}},
		{"我改名叫李雷了", []string{"user.name=李雷 updates"}},
		{"我姓王", []string{"profile about user.name"}},
		{"我的生日是5月4号", []string{"user.birthday=5月4号"}},
		{"其实我的生日还是5月4日", []string{"user.birthday=5月4日 updates"}},
		{"我生日就是5月4号", []string{"user.birthday=5月4号"}},
		{"我5月4号生日", []string{"user.birthday=5月4号"}},
		{"我是1990年5月4日出生的", []string{"user.birthday=1990年5月4日"}},
		{"我生日是农历八月初三", []string{"user.birthday=农历八月初三"}},
		{"我女朋友喜欢喝咖啡。", []string{"user.partner=女朋友"}},
		{"我男朋友也喜欢喝咖啡。", []string{"user.partner=男朋友"}},
		{"我老婆叫小美", []string{"user.partner=老婆小美"}},
		{"我老婆小美是护士，我是老师", []string{"user.partner=老婆小美 <我老婆小美是护士>", "user.occupation=老师 <我是老师>"}},
		{"我女朋友在上海，做设计师", []string{"user.partner=女朋友 <我女朋友在上海>"}},
		{"女朋友生日快到了，送什么好？", []string{"user.partner=女朋友 <女朋友生日快到了>"}},
		{"我交了个新女朋友", []string{"user.partner=女朋友 updates"}},
		{"对了，我老婆对海鲜过敏", []string{"user.partner=老婆 <我老婆对海鲜过敏>"}},
		{"我和女朋友分手了", []string{"fact about user.partner ends (user.partner )"}},
		{"我离婚了", []string{"fact about user.partner ends (user.partner )"}},
		{"我跟我男朋友分了", []string{"fact about user.partner ends (user.partner )"}},
		{"我有一个弟弟，在罗马上班", []string{"user.family=弟弟 <我有一个弟弟>"}},
		{"我弟弟住在罗马", []string{"user.family=弟弟"}},
		{"我妈喜欢喝茶", []string{"user.family=妈"}},
		{"我有两个孩子", []string{"user.family=孩子"}},
		{"我有个女儿叫朵朵", []string{"user.family=女儿朵朵"}},
		{"我女儿五岁了", []string{"user.family=女儿"}},
		{"我儿子对牛奶过敏", []string{"user.family=儿子"}},
	})
}

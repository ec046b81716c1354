package chinese

import "testing"

func TestEvents(t *testing.T) {
	check(t, []story{
		{"我下周三去深圳开会。", []string{"plan from 2026-03-11 to 2026-03-12"}},
		{"我下周三去深圳开会，周五去广州见客户", []string{"plan from 2026-03-11 to 2026-03-12 <我下周三去深圳开会>", "plan from 2026-03-13 to 2026-03-14 <周五去广州见客户>"}},
		{"下周三，我要去深圳出差", []string{"plan from 2026-03-11 to 2026-03-12"}},
		{"明天下午三点我要看牙医", []string{"plan from 2026-03-05T15 to 2026-03-05T16"}},
		{"我这周六要搬家", []string{"plan from 2026-03-07 to 2026-03-08"}},
		{"后天出差去北京", []string{"plan from 2026-03-06 to 2026-03-07"}},
		{"我打算明年结婚", []string{"plan from 2027-01-01 to 2028-01-01"}},
		{"我们国庆打算去云南玩", []string{"plan from 2026-10-01 to 2026-10-02"}},
		{"我周五有个面试", []string{"plan from 2026-03-06 to 2026-03-07"}},
		{"我下个月要去美国读研", []string{"plan from 2026-04-01 to 2026-05-01"}},
		{"我的签证6月30日到期", []string{"plan from 2026-06-30 to 2026-07-01"}},
		{"明天是我妈生日", []string{"plan from 2026-03-05 to 2026-03-06", "user.family=妈"}},
		{"我和男朋友下个月去冰岛", []string{"plan from 2026-04-01 to 2026-05-01", "user.partner=男朋友"}},
		{"我从腾讯离职了，下周入职字节", []string{"fact about user.employer ends (user.employer 腾讯) <我从腾讯离职了>", "plan from 2026-03-09 to 2026-03-16 <下周入职字节>"}},
		{"深圳的会取消了", []string{"fact ends ( 深圳 plan)"}},
		{"深圳不去了", []string{"fact ends ( 深圳 plan)"}},
		{"下周的面试取消了", []string{"fact ends ( 面试 plan)"}},
		{"下周去不了北京了", []string{"fact ends ( 北京 plan)"}},
		{"深圳的会改到下周五了", []string{"plan updates ( 深圳 plan) from 2026-03-13 to 2026-03-14"}},
		{"出差推迟到月底", []string{"plan updates ( 出差 plan) from 2026-03-25 to 2026-04-01"}},
		{"我们的婚礼推迟到十月了", []string{"plan updates ( 婚礼 plan) from 2026-10-01 to 2026-11-01"}},
		{"我上个月去了趟成都", []string{"fact from 2026-02-01"}},
		{"我去年考过了CPA", []string{"fact from 2025-01-01"}},
		{"我2019年跑完了第一个马拉松", []string{"fact from 2019-01-01"}},
		{"我上周做了阑尾炎手术", []string{"fact from 2026-02-23"}},
		{"我十年前做过心脏手术", []string{"fact from 2016-01-01"}},
		{"我去年买了房", []string{"fact from 2025-01-01"}},
		{"我2018年毕业于浙江大学", []string{"fact from 2018-01-01"}},
		{"我去过冰岛两次", []string{"fact"}},
	})
}

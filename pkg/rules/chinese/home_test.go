package chinese

import "testing"

func TestHome(t *testing.T) {
	check(t, []story{
		{"我住在北京。", []string{"user.city=北京"}},
		{"我家住在成都市武侯区", []string{"user.city=成都市武侯区"}},
		{"我家在厦门", []string{"user.city=厦门"}},
		{"我住杭州滨江", []string{"user.city=杭州滨江"}},
		{"坐标深圳，程序员一枚", []string{"user.city=深圳 <坐标深圳>", "user.occupation=程序员 <程序员一枚>"}},
		{"我现在定居温哥华", []string{"user.city=温哥华 updates"}},
		{"我在北京住了五年了", []string{"user.city=北京"}},
		{"我和老婆住在苏州", []string{"user.city=苏州", "user.partner=老婆"}},
		{"妳知道嗎，我住在臺北", []string{"user.city=臺北 <我住在臺北>"}},
		{"我現在住在新竹，在台積電當工程師", []string{"user.city=新竹 updates <我現在住在新竹>", "user.employer=台積電 <在台積電當工程師>", "user.occupation=工程師 <在台積電當工程師>"}},
		{"哈哈其实吧我住在成都😂", []string{"user.city=成都 updates <我住在成都>"}},
		{"俺家在山东", []string{"user.city=山东"}},
		{"本人在深圳，做跨境电商", []string{"user.city=深圳 <本人在深圳>", "user.occupation=跨境电商 <做跨境电商>"}},
		{"我base杭州", []string{"user.city=杭州"}},
		{"我从北京搬到上海了", []string{"user.city=上海 updates <搬到上海了>"}},
		{"我上个月刚搬来广州", []string{"user.city=广州 updates from 2026-02-01"}},
		{"我搬家了，现在住在南京", []string{"user.city=南京 updates <现在住在南京>"}},
		{"我去年从北京搬到了成都", []string{"user.city=成都 updates from 2025-01-01 <搬到了成都>"}},
		{"我不住北京了，现在住上海", []string{"user.city=上海 updates <现在住上海>"}},
		{"我已经不住在杭州了", []string{"fact about user.city ends (user.city 杭州 must)"}},
		{"我是四川人", []string{"user.hometown=四川"}},
		{"我是土生土长的重庆人", []string{"user.hometown=重庆"}},
		{"我老家是河南的", []string{"user.hometown=河南"}},
		{"我来自内蒙古", []string{"user.hometown=内蒙古"}},
		{"我是从湖南来的", []string{"user.hometown=湖南"}},
		{"我是在哈尔滨长大的", []string{"user.hometown=哈尔滨"}},
		{"我住在杭州，平时通勤用地铁。", []string{"user.city=杭州 <我住在杭州>", "user.commute=地铁 <平时通勤用地铁>"}},
		{"平时通勤靠地铁，大概四十分钟。", []string{"user.commute=地铁 <平时通勤靠地铁>"}},
		{"我每天骑车上班", []string{"user.commute=骑车"}},
		{"我都是坐公交上下班", []string{"user.commute=公交"}},
		{"我上班一般开车", []string{"user.commute=开车"}},
		{"我上班坐捷運", []string{"user.commute=捷運"}},
		{"我都騎機車上班", []string{"user.commute=騎機車"}},
		{"我现在改骑电动车上班了", []string{"user.commute=骑电动车 updates"}},
		{"公司离家很近，我走路上班", []string{"user.commute=走路 <我走路上班>"}},
		{"我通勤要一个半小时", []string{"fact about user.commute"}},
	})
}

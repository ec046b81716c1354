package chinese

import "testing"

// Moves from one employer to the next: the old one is in no new text.
func TestNextEmployer(t *testing.T) {
	check(t, []story{
		{"上个月从诺基亚离职，去了爱立信", []string{"user.employer=爱立信 updates from 2026-02-01 <去了爱立信>"}},
		{"从华为跳到小米了", []string{"user.employer=小米 updates <跳到小米了>"}},
		{"离开腾讯，加入了字节", []string{"user.employer=字节 updates <加入了字节>"}},
		{"辞了百度的工作去美团了", []string{"user.employer=美团 updates <去美团了>"}},
		{"辞掉了百度的工作去美团了", []string{"user.employer=美团 updates <去美团了>"}},
		{"我从小米离职去了一家创业公司", []string{"user.employer=创业公司 updates <去了一家创业公司>"}},
		{"我从阿里跳去了字节", []string{"user.employer=字节 updates <跳去了字节>"}},
		{"我跳槽了，新公司是网易", []string{"fact <我跳槽了>", "user.employer=网易 updates <新公司是网易>"}},
		{"我从百度离职，去了前女友家", []string{"fact about user.employer ends (user.employer 百度) <我从百度离职>"}},
		{"辞职了，去了大理", []string{"fact about user.employer ends (user.employer ) <辞职了>"}},
		{"辞了工作去旅行了", []string{"fact about user.employer ends (user.employer )"}},
		{"我从腾讯离职，去了趟西藏", []string{"fact about user.employer ends (user.employer 腾讯) <我从腾讯离职>"}},
		{"我从法学院退学了", []string{"fact"}},
		{"我休学了", []string{"fact"}},
		{"我去年毕业了", []string{"fact from 2025-01-01"}},
	})
	nothing(t, []string{"从公司去医院了", "我从家里去公司", "我想退学", "我要休学了吗", "以为我考过了CPA"})
}

func TestCommuteChanged(t *testing.T) {
	check(t, []story{
		{"我坐公交上班 || 公交太挤，改骑车了", []string{"user.commute=公交 <我坐公交上班>", "user.commute=骑车 updates <改骑车了>"}},
		{"公交太挤，改骑车了", []string{"user.commute=骑车 updates <改骑车了>"}},
		{"我开车上班 || 油价太贵，换成地铁了", []string{"user.commute=开车 <我开车上班>", "user.commute=地铁 updates <换成地铁了>"}},
	})
	check(t, []story{
		{"我现在不坐地铁了，改走路", []string{"user.commute=走路 updates <改走路>"}},
		{"不开车了，油太贵，现在坐班车", []string{"user.commute=班车 updates <现在坐班车>"}},
		{"通勤从公交变成地铁了", []string{"user.commute=地铁 updates <变成地铁了>"}},
		{"买了车以后我就开车上班了", []string{"user.commute=开车"}},
		{"换了电动车上下班", []string{"user.commute=电动车 updates"}},
	})
	nothing(t, []string{"我现在在地铁上", "今天公交太挤，改骑车了", "这个方案改骑车了", "改开车吧"})
}

func TestPartnerIsNamed(t *testing.T) {
	check(t, []story{
		{"我女朋友是小雨", []string{"user.partner=女朋友小雨"}},
		{"我老公是王磊", []string{"user.partner=老公王磊"}},
		{"我男朋友是Kevin", []string{"user.partner=男朋友Kevin"}},
		{"我女朋友是护士", []string{"user.partner=女朋友"}},
		{"我女朋友是四川人", []string{"user.partner=女朋友"}},
		{"我女朋友是程序媛", []string{"user.partner=女朋友"}},
		{"我老公是高管", []string{"user.partner=老公"}},
		{"我老公是黄皮肤", []string{"user.partner=老公"}},
		{"我女朋友是白富美", []string{"user.partner=女朋友"}},
		{"我爱吃 bratwurst", []string{"user.likes=bratwurst"}},
		{"我是小王, I work at Tencent", []string{"user.name=小王 <我是小王>"}},
		{"我是小王，在腾讯工作", []string{"user.name=小王 <我是小王>", "user.employer=腾讯 <在腾讯工作>"}},
	})
}

// Changes of every kind in the words in which people tell them.
func TestChanges(t *testing.T) {
	check(t, []story{
		{"我恢复单身了", []string{"fact about user.partner ends (user.partner )"}},
		{"我离婚半年了", []string{"fact about user.partner ends (user.partner )"}},
		{"我脱单了，女朋友叫阿May", []string{"fact about user.partner <我脱单了>", "user.partner=女朋友阿May updates <女朋友叫阿May>"}},
		{"我家又添了一只布偶，叫雪糕", []string{"user.pets=布偶，叫雪糕"}},
		{"我不养狗了，改养猫", []string{"fact about user.pets ends (user.pets 狗) <我不养狗了>", "user.pets=猫 <改养猫>"}},
		{"小白被我送去乡下了", []string{"fact about user.pets ends (user.pets 小白 must)"}},
		{"我日语忘光了", []string{"fact about user.languages ends (user.languages 日语 must)"}},
		{"我不会说法语", []string{"fact about user.languages ends (user.languages 法语 must)"}},
		{"我开始吃肉了", []string{"fact about user.diet ends (user.diet )"}},
		{"我的花粉过敏治好了", []string{"fact about user.allergies ends (user.allergies 花粉 must)"}},
		{"我对坚果过敏是误诊", []string{"fact about user.allergies ends (user.allergies 坚果 must)"}},
		{"我被字节裁了", []string{"fact about user.employer ends (user.employer 字节)"}},
		{"我落户杭州了", []string{"user.city=杭州 updates"}},
		{"我把家安在苏州了", []string{"user.city=苏州 updates"}},
	})
	nothing(t, []string{"我中午吃肉了", "我换男朋友了，现在的叫大刘", "我被蚊子咬了", "他被公司裁了", "我把空调安在客厅了", "我不会说话"})
}

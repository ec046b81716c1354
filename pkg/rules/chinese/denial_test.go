package chinese

import "testing"

// What is denied of the body leaves the profile, and is never a fact itself.
func TestDenial(t *testing.T) {
	check(t, []story{
		{"其实我对青霉素不过敏，皮试是阴性", []string{"fact about user.allergies ends (user.allergies 青霉素 must) <我对青霉素不过敏>"}},
		{"我不对芒果过敏", []string{"fact about user.allergies ends (user.allergies 芒果 must)"}},
		{"检查说我对青霉素不过敏", []string{"fact about user.allergies ends (user.allergies 青霉素 must) <我对青霉素不过敏>"}},
		{"皮试结果显示我对头孢不过敏", []string{"fact about user.allergies ends (user.allergies 头孢 must) <我对头孢不过敏>"}},
		{"我对狗毛不过敏", []string{"fact about user.allergies ends (user.allergies 狗毛 must)"}},
		{"我对花生并不过敏", []string{"fact about user.allergies ends (user.allergies 花生 must)"}},
		{"青霉素我不过敏", []string{"fact about user.allergies ends (user.allergies 青霉素 must)"}},
		{"我没有青霉素过敏史", []string{"fact about user.allergies ends (user.allergies 青霉素 must)"}},
		{"我对花生和海鲜都不过敏", []string{"fact about user.allergies ends (user.allergies 花生 must)", "fact about user.allergies ends (user.allergies 海鲜 must)"}},
		{"我对花生不过敏，对虾过敏", []string{"fact about user.allergies ends (user.allergies 花生 must) <我对花生不过敏>", "user.allergies=虾 <对虾过敏>"}},
		{"我对青霉素不过敏对头孢过敏", []string{"fact about user.allergies ends (user.allergies 青霉素 must) <我对青霉素不过敏>", "user.allergies=头孢 <对头孢过敏>"}},
		{"我花生过敏已经脱敏成功了", []string{"fact about user.allergies ends (user.allergies 花生 must)"}},
		{"我其实不对海鲜过敏，那次是食物中毒", []string{"fact about user.allergies ends (user.allergies 海鲜 must) <我其实不对海鲜过敏>"}},
		{"说错了，我不是对青霉素过敏", []string{"fact about user.allergies ends (user.allergies 青霉素 must) <我不是对青霉素过敏>"}},
		{"我不是对虾过敏，是对蟹过敏", []string{"user.allergies=蟹 updates (user.allergies 虾) <是对蟹过敏>"}},
		{"我对花生过敏 || 其实不过敏", []string{"user.allergies=花生 <我对花生过敏>", "fact about user.allergies ends (user.allergies 花生 must) <其实不过敏>"}},
		{"我一直以为我对青霉素过敏，其实不过敏", []string{"fact about user.allergies ends (user.allergies 青霉素)"}},
		{"后来检查说我没有哮喘", []string{"fact about user.health ends (user.health 哮喘 must) <我没有哮喘>"}},
		{"我没有糖尿病", []string{"fact about user.health ends (user.health 糖尿病 must)"}},
		{"我没有高血压和糖尿病", []string{"fact about user.health ends (user.health 高血压 must)", "fact about user.health ends (user.health 糖尿病 must)"}},
		{"我的胃病好了", []string{"fact about user.health ends (user.health 胃病 must)"}},
	})
	nothing(t, []string{
		"我除了花生都不过敏", "我不吃花生就不过敏", "我从不过敏", "我没有对任何东西过敏", "我没病", "我没有毛病",
		"我对青霉素不过敏吗？", "如果我对花生不过敏就好了", "我没说我对花生不过敏", "我朋友对花生不过敏",
	})
}

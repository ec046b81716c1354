package chinese

import "testing"

func TestBody(t *testing.T) {
	check(t, []story{
		{"我对花生过敏。", []string{"user.allergies=花生"}},
		{"别放花生，我过敏的。", []string{"user.allergies=花生"}},
		{"提醒一下，我吃花生会过敏。", []string{"user.allergies=花生 <我吃花生会过敏>"}},
		{"我一吃虾就过敏", []string{"user.allergies=虾"}},
		{"我对海鲜、芒果和青霉素过敏", []string{"user.allergies=海鲜", "user.allergies=芒果", "user.allergies=青霉素"}},
		{"我对芒果过敏，对乳胶也过敏", []string{"user.allergies=芒果 <我对芒果过敏>", "user.allergies=乳胶 <对乳胶也过敏>"}},
		{"我花生过敏", []string{"user.allergies=花生"}},
		{"我有花粉过敏", []string{"user.allergies=花粉"}},
		{"我对猫毛过敏", []string{"user.allergies=猫毛"}},
		{"医生说我对青霉素过敏", []string{"user.allergies=青霉素 <我对青霉素过敏>"}},
		{"我已经不对花生过敏了", []string{"fact about user.allergies ends (user.allergies 花生 must)"}},
		{"我对花生不过敏了", []string{"fact about user.allergies ends (user.allergies 花生 must)"}},
		{"我有高血压和糖尿病", []string{"user.health=高血压", "user.health=糖尿病"}},
		{"我乳糖不耐受", []string{"user.health=乳糖不耐受"}},
		{"我有哮喘", []string{"user.health=哮喘"}},
		{"我恐高", []string{"user.health=恐高"}},
		{"我怀孕了", []string{"user.health=怀孕"}},
		{"我哮喘好了", []string{"fact about user.health ends (user.health 哮喘 must)"}},
		{"我吃素", []string{"user.diet=吃素"}},
		{"我覺得這家餐廳不錯，不過我吃素", []string{"user.diet=吃素 <我吃素>"}},
		{"我是素食主义者", []string{"user.diet=素食主义者"}},
		{"我不吃肉", []string{"user.diet=不吃肉"}},
		{"我不能吃辣", []string{"constraint about user.diet"}},
		{"我不抽烟不喝酒", []string{"constraint about user.health"}},
		{"我不再吃素了", []string{"fact about user.diet ends (user.diet )"}},
	})
}

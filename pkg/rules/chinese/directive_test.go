package chinese

import "testing"

func TestDirectives(t *testing.T) {
	check(t, []story{
		{"记住，我对花生过敏", []string{"user.allergies=花生 pinned <我对花生过敏>", "remember!  @1"}},
		{"请记住我的车牌是浙A12345", []string{"fact pinned <我的车牌是浙A12345>", "remember!  @1"}},
		{"帮我记一下：周五前要交报告", []string{"plan from 2026-03-06 to 2026-03-07 pinned <周五前要交报告>", "remember!  @1"}},
		{"别忘了我不吃香菜", []string{"user.dislikes=香菜 pinned <我不吃香菜>", "remember!  @1"}},
		{"我对花生过敏，请记住", []string{"user.allergies=花生 pinned <我对花生过敏>", "remember!  @1"}},
		{"记住：我的目标是年底前跑完全马", []string{"fact pinned <我的目标是年底前跑完全马>", "remember!  @1"}},
		{"我在看心理医生，这个别记", []string{"do_not_save!  @1"}},
		{"我住在北京。 || 刚才那个不要保存", []string{"do_not_save!  @1"}},
		{"别记这个", []string{"do_not_save!  @1"}},
		{"忘掉我的地址", []string{"forget! 我的地址 @1"}},
		{"请忘记我在哪里上班", []string{"forget! 我在哪里上班 @1"}},
		{"把我的生日忘了吧", []string{"forget! 我的生日 @1"}},
		{"不要再提雅思这个话题了。", []string{"suppress! 雅思 @1"}},
		{"别再提我前女友了", []string{"suppress! 我前女友 @1"}},
		{"雅思别再提了", []string{"suppress! 雅思 @1"}},
		{"以后不要再跟我提减肥的事了", []string{"suppress! 减肥 @1"}},
	})
}

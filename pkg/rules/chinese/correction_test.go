package chinese

import "testing"

func TestCorrections(t *testing.T) {
	check(t, []story{
		{"我之前说我在北京，其实我现在搬到上海了。", []string{"user.city=上海 updates <其实我现在搬到上海了>"}},
		{"我之前说我住北京，说错了，应该是上海", []string{"user.city=上海 updates <应该是上海>"}},
		{"我以前住在北京，现在在上海", []string{"user.city=上海 updates <现在在上海>"}},
		{"我不是在北京，是在上海", []string{"user.city=上海 updates <是在上海>"}},
		{"我不叫小林，叫小琳", []string{"user.name=小琳 updates <叫小琳>"}},
		{"你记错了，我住在上海", []string{"user.city=上海 updates <我住在上海>"}},
		{"更正一下：我对核桃过敏，不是花生", []string{"user.allergies=核桃 updates (user.allergies 花生) <我对核桃过敏>"}},
		{"我的生日是5月4号。不对，是5月14号。", []string{"user.birthday=5月14号 updates <是5月14号>"}},
		{"我生日不是5月4号，是5月14号", []string{"user.birthday=5月14号 updates <是5月14号>"}},
		{"我之前跟你说过我对花生过敏", []string{"user.allergies=花生 <我对花生过敏>"}},
		{"其实我不喜欢咖啡", []string{"user.dislikes=咖啡 updates <我不喜欢咖啡>"}},
	})
}

package chinese

import "testing"

func TestAnswers(t *testing.T) {
	check(t, []story{
		{"A:你住在杭州吗？ || 对", []string{"user.city=杭州 asked <我住在杭州>"}},
		{"A:妳住在台北嗎？ || 對啊", []string{"user.city=台北 asked <我住在台北>"}},
		{"A:你住在杭州吗？ || 是的，住了三年了", []string{"user.city=杭州 asked <我住在杭州>"}},
		{"A:你住在杭州吗？ || 对，我住在西湖区", []string{"user.city=西湖区 <我住在西湖区>"}},
		{"A:你住在杭州吗？ || 不是，我在上海", []string{"user.city=上海 updates asked <我在上海>"}},
		{"A:你住在杭州吗？ || 不，在宁波", []string{"user.city=宁波 updates asked <在宁波>"}},
		{"A:你叫什么名字？ || 小林", []string{"user.name=小林 asked <我叫小林>"}},
		{"A:你住在哪个城市？ || Oslo", []string{"user.city=Oslo asked <我住在Oslo>"}},
		{"A:你老家是哪里的？ || 湖南长沙", []string{"user.hometown=湖南长沙 asked <我老家在湖南长沙>"}},
		{"A:你对什么过敏吗？ || 花生和乳胶", []string{"user.allergies=花生 asked <我对花生过敏>", "user.allergies=乳胶 asked <我对乳胶过敏>"}},
		{"A:你是做什么工作的？ || 产品经理", []string{"user.occupation=产品经理 asked <我的工作是产品经理>"}},
		{"A:你在哪家公司上班？ || 腾讯", []string{"user.employer=腾讯 asked <我在腾讯工作>"}},
		{"A:您平时怎么上班？ || 坐地铁", []string{"user.commute=地铁 asked <我通勤靠地铁>"}},
		{"A:你喜欢吃什么？ || 火锅、烤肉", []string{"user.likes=火锅 asked <我喜欢火锅>", "user.likes=烤肉 asked <我喜欢烤肉>"}},
		{"A:你有什么忌口吗？ || 不吃香菜和葱", []string{"user.dislikes=香菜 <不吃香菜和葱>", "user.dislikes=葱 <不吃香菜和葱>"}},
		{"A:你会说哪些语言？ || 中文、英文和一点日文", []string{"user.languages=中文 asked <我会说中文>", "user.languages=英文 asked <我会说英文>", "user.languages=日文 asked <我会说日文>"}},
		{"A:你的生日是几月几号？ || 5月4号", []string{"user.birthday=5月4号 asked <我的生日是5月4号>"}},
		{"A:你的猫叫什么名字？ || 咪咪", []string{"user.pets=猫，叫咪咪 asked <我的猫叫咪咪>"}},
		{"A:你周末一般做什么？ || 爬山", []string{"user.hobbies=爬山 asked <我平时爬山>"}},
		{"A:你是不是对花生过敏？ || 是的", []string{"user.allergies=花生 asked <我是对花生过敏>"}},
		{"A:你喜不喜欢咖啡？ || 嗯嗯", []string{"user.likes=咖啡 asked <我喜欢咖啡>"}},
		{"A:你是医生吗？ || 不是，护士", []string{"user.occupation=护士 updates asked <护士>"}},
		{"A:你下周三去深圳开会吗？ || 对的", []string{"plan from 2026-03-11 to 2026-03-12 asked <我下周三去深圳开会>"}},
		{"A:您之前说生日是5月4日，是想说5月14日吗？ || 是的，我记错了", nil},
		{"A:您之前说住在杭州，现在住在上海了吗？ || 对", []string{"user.city=上海 updates asked <现在住在上海了>"}},
		{"A:您之前说您住在杭州，对吗？ || 对", []string{"user.city=杭州 asked <我之前说我住在杭州>"}},
		{"A:请问怎么称呼您？ || 叫我阿强就行", []string{"user.name=阿强 <叫我阿强就行>"}},
	})
}

package chinese

import "testing"

func TestPets(t *testing.T) {
	check(t, []story{
		{"我养了一只猫，叫咪咪。", []string{"user.pets=猫，叫咪咪"}},
		{"我养了一只狗。", []string{"user.pets=狗"}},
		{"我养了一只狗。它叫旺财。", []string{"user.pets=狗，叫旺财"}},
		{"我家有只猫叫咪咪", []string{"user.pets=猫，叫咪咪"}},
		{"我家的狗叫旺财，特别喜欢吃鸡肉", []string{"user.pets=狗，叫旺财 updates (user.pets 狗) <我家的狗叫旺财>"}},
		{"我養了一隻柴犬，名字叫小黑", []string{"user.pets=柴犬，叫小黑"}},
		{"我家里有两只猫和一条狗", []string{"user.pets=两只猫", "user.pets=狗"}},
		{"我领养了一只橘猫", []string{"user.pets=橘猫"}},
		{"我有一条金毛", []string{"user.pets=金毛"}},
		{"我一个人住在武汉，养了只橘猫陪我", []string{"user.city=武汉 <我一个人住在武汉>", "user.pets=橘猫 <养了只橘猫陪我>"}},
		{"我家猫去世了。", []string{"fact about user.pets ends (user.pets 猫)"}},
		{"我家的金毛上周走了", []string{"fact about user.pets ends (user.pets 金毛) from 2026-02-23"}},
		{"咪咪昨天去世了", []string{"fact about user.pets ends (user.pets 咪咪 must) from 2026-03-03"}},
		{"豆豆去汪星了", []string{"fact about user.pets ends (user.pets 豆豆 must)"}},
		{"我把狗送人了", []string{"fact about user.pets ends (user.pets 狗)"}},
		{"我不养猫了", []string{"fact about user.pets ends (user.pets 猫)"}},
	})
}

package chinese

import "testing"

func TestTaste(t *testing.T) {
	check(t, []story{
		{"我喜欢靠窗的座位。", []string{"user.likes=靠窗的座位"}},
		{"我喜欢吃米粉。", []string{"user.likes=米粉"}},
		{"我喜欢爬山、游泳和摄影", []string{"user.likes=爬山", "user.likes=游泳", "user.likes=摄影"}},
		{"我喜欢吃甜的", []string{"user.likes=甜的"}},
		{"我爱看悬疑小说", []string{"user.likes=悬疑小说"}},
		{"最近迷上了悬疑片。", []string{"user.likes=悬疑片"}},
		{"我是周杰伦的粉丝", []string{"user.likes=周杰伦"}},
		{"我是篮球迷", []string{"user.likes=篮球"}},
		{"我对天文学很感兴趣", []string{"user.likes=天文学"}},
		{"我更喜欢安静一点的地方", []string{"user.likes=安静一点的地方"}},
		{"我无辣不欢", []string{"user.likes=辣"}},
		{"我最喜欢的颜色是绿色", []string{"preference about user.likes"}},
		{"我最爱吃的是妈妈做的红烧肉", []string{"preference about user.likes"}},
		{"我不太喜欢科幻片。", []string{"user.dislikes=科幻片"}},
		{"我不是很喜欢吃甜的", []string{"user.dislikes=甜的"}},
		{"我讨厌下雨天", []string{"user.dislikes=下雨天"}},
		{"我不吃香菜", []string{"user.dislikes=香菜"}},
		{"香菜我不吃", []string{"user.dislikes=香菜"}},
		{"我受不了香菜", []string{"user.dislikes=香菜"}},
		{"我喜欢咖啡但是不喜欢茶", []string{"user.likes=咖啡 <我喜欢咖啡>", "user.dislikes=茶 <不喜欢茶>"}},
		{"我现在不爱吃辣了", []string{"user.dislikes=辣 updates"}},
		{"我不再喜欢咖啡了", []string{"user.dislikes=咖啡 updates"}},
		{"我以前喜欢咖啡，现在不喜欢了", []string{"user.dislikes=咖啡 updates"}},
		{"我不喝咖啡了", []string{"fact about user.likes ends (user.likes 咖啡)"}},
		{"我戒咖啡了", []string{"fact about user.likes ends (user.likes 咖啡)"}},
	})
}

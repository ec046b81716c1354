package canon

import "testing"

func TestRefines(t *testing.T) {
	for _, tc := range []struct {
		class      Class
		less, more string
	}{
		{ClassPlace, "Hangzhou", "Hangzhou Xihu district"},
		{ClassPlace, "Hangzhou", "Xihu District, Hangzhou"},
		{ClassPlace, "杭州", "杭州西湖区"},
		{ClassPlace, "杭州", "浙江省杭州市西湖区"},
		{ClassPlace, "Hangzhou", "杭州西湖区"},
		{ClassPlace, "杭州西湖区", "杭州西湖区文三路"},
		{ClassPlace, "浙江", "杭州"},
		{ClassPlace, "中国", "上海"},
		{ClassPlace, "France", "Paris"},
		{ClassPlace, "Denver", "Denver, Colorado"},
		{ClassPlace, "Colorado", "Denver"},
		{ClassPlace, "Springfield", "Springfield, Illinois"},
		{ClassPlace, "New York", "Brooklyn, NYC"},
		{ClassPlace, "吉林", "吉林市"},
		{ClassDate, "May 4", "May 4, 1990"},
		{ClassDate, "5月4日", "1990年5月4日"},
		{ClassDate, "May 4th", "1990-05-04"},
		{ClassDate, "May", "4 May"},
		{ClassDate, "1990", "May 1990"},
		{ClassName, "Alice", "Alice Smith"},
		{ClassName, "晓岚", "欧阳晓岚"},
		{ClassText, "nurse", "ICU nurse"},
		{ClassText, "护士", "ICU护士"},
		{ClassText, "nurse", "ICU护士"},
		{ClassText, "nurse", "nurse at the children's hospital"},
		{ClassText, "nurse", "ICU nurse at Mercy, part-time"},
		{ClassText, "工程师", "继电保护工程师"},
		{ClassText, "工程师", "在国家电网做继电保护工程师"},
		{ClassText, "subway", "地铁，大概四十分钟"},
		{ClassText, "地铁", "地铁大概四十分钟"},
		{ClassText, "subway", "subway, about 40 minutes"},
		{ClassText, "subway", "by subway about 40 minutes"},
		{ClassText, "cat", "a cat named Mimi"},
		{ClassText, "猫", "一只猫，叫咪咪"},
		{ClassText, "猫", "两只猫"},
		{ClassText, "dog", "two dogs"},
		{ClassText, "女朋友", "女朋友叫小美"},
		{ClassText, "girlfriend", "girlfriend Nina"},
		{ClassText, "Wife", "wife Anna Maria"},
		{ClassText, "younger sister", "younger sister Élise"},
		{ClassText, "女朋友", "女朋友小美"},
		{ClassText, "儿子", "儿子豆豆"},
		{ClassText, "太太", "老婆小美"},
		{ClassText, "wife", "老婆小美"},
		{ClassText, "mother-in-law", "mother-in-law Ann"},
		{ClassText, "partner", "wife"},
		{ClassText, "partner", "boyfriend"},
		{ClassText, "spouse", "husband"},
		{ClassText, "爱人", "老婆"},
		{ClassText, "对象", "男朋友"},
		{ClassText, "另一半", "太太"},
		{ClassText, "partner", "wife Anna"},
		{ClassText, "爱人", "老婆小美"},
		{ClassText, "other half", "girlfriend"},
		{ClassText, "train", "7:45 train"},
		{ClassText, "hospital", "children's hospital"},
		{ClassText, "腾讯", "腾讯深圳总部"},
		{ClassText, "字节", "字节北京分公司"},
		{ClassText, "腾讯", "腾讯的深圳总部"},
		{ClassText, "Google", "Google in Zurich"},
		{ClassText, "wife", "partner Anna"},
		{ClassText, "partner Anna", "wife Anna"},
		{ClassText, "mother", "mum Élise"},
		{ClassText, "Chinese food", "spicy Chinese food"},
		{ClassLanguage, "French", "fluent French"},
	} {
		for _, order := range [][2]string{{tc.less, tc.more}, {tc.more, tc.less}} {
			if got, ok := Refines(order[0], order[1], tc.class); !ok || got != tc.more {
				t.Errorf("%s: Refines(%q, %q) = %q, %v, want %q", tc.class, order[0], order[1], got, ok, tc.more)
			}
		}
	}
}

func TestRefinesNot(t *testing.T) {
	for _, tc := range []struct {
		class Class
		a, b  string
	}{
		{ClassDate, "May 4", "May 14"},
		{ClassDate, "5月4日", "5月14日"},
		{ClassDate, "May 4, 1990", "May 4, 1991"},
		{ClassText, "May 4", "May 14"},
		{ClassPlace, "York", "New York"},
		{ClassPlace, "Paris", "Paris, Texas"},
		{ClassPlace, "Shanghai", "上海"},
		{ClassPlace, "南京", "南京东路"},
		{ClassPlace, "北京", "上海"},
		{ClassPlace, "Boston", "Denver"},
		{ClassPlace, "苏州", "宿州"},
		{ClassPlace, "Kansas", "Kansas City"},
		{ClassText, "nurse", "nurse's husband"},
		{ClassText, "wife", "friend's wife"},
		{ClassText, "护士", "护士的丈夫"},
		{ClassText, "护士", "护士长"},
		{ClassText, "妻子", "朋友的妻子"},
		{ClassText, "nurse", "paramedic"},
		{ClassText, "nurse", "former nurse"},
		{ClassText, "nurse", "nurse, not any more"},
		{ClassText, "经理", "副经理"},
		{ClassText, "女友", "前女友"},
		{ClassText, "女朋友", "男朋友"},
		{ClassText, "dogs", "cats and dogs"},
		{ClassText, "狗", "热狗"},
		{ClassText, "地铁", "先坐公交再坐地铁"},
		{ClassText, "coffee", "tea"},
		{ClassText, "nurse", "nurse"},
		{ClassName, "Alice", "Robin"},
		{ClassName, "Alice", "Alicia"},
		{ClassName, "Alice", "Alice and Bob"},
		{ClassLanguage, "Chinese", "Mandarin"},
		{ClassText, "girlfriend", "girlfriend's mother"},
		{ClassText, "sister Ann", "sister Beth"},
		{ClassText, "nurse", "nurse Betty"},
		{ClassText, "老婆", "老婆的妈妈"},
		{ClassText, "太太", "女朋友小美"},
		{ClassText, "wife", "girlfriend"},
		{ClassText, "partner", "sister"},
		{ClassText, "spouse", "girlfriend"},
		{ClassText, "partner Anna", "wife Maria"},
		{ClassText, "腾讯", "腾讯音乐"},
		{ClassText, "腾讯", "腾讯音乐总部"},
		{ClassText, "hospital", "friend's hospital"},
		{ClassText, "女儿", "女儿和儿子"},
	} {
		for _, order := range [][2]string{{tc.a, tc.b}, {tc.b, tc.a}} {
			if got, ok := Refines(order[0], order[1], tc.class); ok || got != "" {
				t.Errorf("%s: Refines(%q, %q) = %q, %v, want none", tc.class, order[0], order[1], got, ok)
			}
		}
	}
}

package canon

import "testing"

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		class Class
		// Values in one group are the same; no two groups are.
		same [][]string
	}{
		{ClassText, [][]string{
			{"花生", "peanuts", "Peanut", "the peanuts", "「花生」", "peanut allergy", "花生过敏", "ｐｅａｎｕｔｓ", "落花生。"},
			{"贝类", "shellfish", "貝類"},
			{"猫", "a cat", "cats", "my cat", "一只猫", "一隻貓", "我的猫", "一只 猫"},
			{"狗", "dog", "Dogs!", "一条狗"},
			{"老婆小美", "太太小美", "妻子小美", "老婆 小美"},
			{"吃素", "素食者", "不吃肉", "vegetarian"},
			{"咖啡", "coffee", "drinking coffee", "喝咖啡", "“Coffee”"},
			{"茶", "tea", "喝茶"},
			{"地铁", "subway", "the metro", "坐地铁", "by subway", "靠地铁", "taking the subway"},
			{"glasses", "Glasses"},
			{"glass"},
			{"news"}, {"new"},
			{"两只猫"},
			{"berries", "berry"}, {"movies", "movie"}, {"tomatoes", "西红柿"}, {"C++"}, {"C#"}, {"C"}, {".NET"}, {"net"},
			{"三体", "《三体》"},
			{"女朋友", "girlfriend", "my girlfriend"}, {"男朋友", "boyfriend"},
			{"大提琴", "the cello", "play the cello"},
			{"Chinese food", "the Chinese food"},
			{"吃鸡", "PUBG"}, {"chicken", "鸡肉", "吃鸡肉"},
			{"ICU nurse", "icu nurses"},
			{"?"}, {"!"},
		}},
		{ClassPlace, [][]string{
			{"上海", "Shanghai", "上海市", "Shanghai, China", "shanghai china", "中国上海", "Shanghai City", "中國上海市"},
			{"北京", "Beijing", "Peking", "北京市"},
			{"东京", "Tokyo", "東京", "东京都", "Tokyo, Japan"},
			{"巴黎", "Paris", "Paris, France", "法国巴黎"},
			{"Berlin", "Berlin (Germany)", "柏林"}, {"Washington, DC", "Washington DC, USA", "华盛顿"}, {"我家乡", "我 家乡"},
			{"Auckland", "Auckland, New Zealand"}, {"Oakland"}, {"Santiago, Chile", "Santiago"}, {"San Diego", "圣地亚哥"},
			{"纽约", "New York", "NYC", "New York, NY, USA", "New York City", "纽约市", "New York, NY"},
			{"York", "York, UK"}, {"旧金山", "三藩市", "San Francisco", "SF"},
			{"香港", "Hong Kong", "HongKong", "Hong Kong, China", "中国香港"},
			{"西安", "Xi'an", "Xi’an", "Xian", "西安市"},
			{"台北", "Taipei", "臺北", "台北市", "Taipei, Taiwan"},
			{"哈尔滨", "Harbin", "哈爾濱"},
			{"苏州", "Suzhou", "蘇州", "江苏苏州", "Suzhou, Jiangsu", "Suzhou, Jiangsu, China"},
			{"宿州", "Suzhou, Anhui", "安徽省宿州市"},
			{"福州", "Fuzhou"}, {"抚州"}, {"台州", "Taizhou"}, {"泰州", "Taizhou, Jiangsu"},
			{"杭州", "Hangzhou", "浙江省杭州市", "浙江杭州", "Hangzhou, Zhejiang, China"},
			{"杭州西湖区", "杭州市西湖区", "浙江省杭州市西湖区", "杭州，西湖区"},
			{"São Paulo", "sao paulo", "圣保罗"}, {"吉林", "Jilin", "吉林省"}, {"吉林市", "Jilin City"},
			{"南京"}, {"南京东路"}, {"Paris, Texas"}, {"Denver, Colorado", "Denver, CO", "denver, co, usa"}, {"Denver", "丹佛"},
			{"义乌", "Yiwu", "义乌市"}, {"Oslo", "奥斯陆", "Oslo, Norway"}, {"New Orleans", "new orleans"},
			{"Los Angeles", "LA"}, {"Mexico City"}, {"Mexico"}, {"North Korea"}, {"Korea"},
		}},
		{ClassLanguage, [][]string{
			{"英语", "English", "英文", "the English language"},
			{"中文", "Chinese", "汉语"}, {"普通话", "Mandarin", "国语", "國語"},
			{"法语", "French", "Français"}, {"Klingon"},
		}},
		{ClassDate, [][]string{
			{"May 4", "4 May", "5月4日", "May 4th", "五月四号", "the 4th of May", "on May 4th.", "05月04日", "5月4日生"},
			{"May 14", "五月十四日"}, {"5月24日", "五月二十四日"},
			{"May 4, 1990", "1990年5月4日", "1990-05-04", "4 May 1990", "born on May 4th, 1990", "一九九〇年五月四日", "1990/5/4"},
			{"农历五月初四"}, {"5/4"}, {"May", "五月", "5月"}, {"1990", "1990年"}, {"February 30"}, {"May 1990"},
		}},
		{ClassName, [][]string{
			{"James", "james", "Ｊａｍｅｓ"}, {"Jame"}, {"José"}, {"Jose"}, {"张伟", "張偉"}, {"约翰·史密斯", "约翰•史密斯"}, {"Alice", "“Alice”."},
		}},
	} {
		seen := map[string]string{}
		for _, group := range tc.same {
			id := Identity(group[0], tc.class)
			for _, s := range group {
				if got := Identity(s, tc.class); got != id {
					t.Errorf("%s: Identity(%q) = %q, want that of %q, %q", tc.class, s, got, group[0], id)
				}
			}
			if other, ok := seen[id]; ok {
				t.Errorf("%s: %q and %q are both %q", tc.class, group[0], other, id)
			}
			seen[id] = group[0]
		}
	}
}

package temporal

import "slices"

// The parts of the day, by the numbers of classes ZPART and ZDAYPART.
var chineseParts = []part{
	{0, 6, forenoon},    // 凌晨
	{6, 9, forenoon},    // 早上
	{6, 12, forenoon},   // 上午
	{12, 13, midday},    // 中午
	{12, 18, afternoon}, // 下午
	{17, 19, afternoon}, // 傍晚
	{18, 24, night},     // 晚上
	{22, 24, night},     // 深夜
}

var chinese = language{
	vocabulary: map[class]words{
		"ZDAY": {
			"今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3,
			"昨天": -1, "昨日": -1, "前天": -2, "大前天": -3,
		},
		// A day near today (tens, from the day before yesterday) and a part of it (ones).
		"ZDAYPART": {
			"前晚": 6, "昨早": 11, "昨晚": 16, "昨夜": 16, "今早": 21, "今晨": 21, "今晚": 26, "今夜": 26,
			"明早": 31, "明晨": 31, "明晚": 36, "后晚": 46,
		},
		"ZPART": {
			"凌晨": 0, "早上": 1, "早晨": 1, "清晨": 1, "清早": 1, "大清早": 1, "一早": 1, "上午": 2, "中午": 3, "正午": 3,
			"下午": 4, "午后": 4, "傍晚": 5, "晚上": 6, "晚间": 6, "夜晚": 6, "深夜": 7, "夜里": 7,
		},
		"ZYEAR": {
			"今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2, "大后年": 3, "去年": -1, "前年": -2, "大前年": -3,
		},
		"ZWEEKDAY": chineseWeekdays(),
		"ZREL":     {"这": 0, "本": 0, "下": 1, "下下": 2, "上": -1, "上上": -2, "这一": 0, "下一": 1, "上一": -1},
		"ZUNIT":    {"分钟": 0, "小时": 1, "钟头": 1, "天": 2, "周": 3, "星期": 3, "礼拜": 3, "年": 6},
		"ZMONTH":   {"月": 4},
		"ZQUARTER": {"季度": 5},
		"ZMEDGE": {
			"月初": int(beginning), "月中": int(middle), "月底": int(ending), "月末": int(ending),
		},
		"ZTHIRD": {"上旬": int(early), "中旬": int(middle), "下旬": int(late)},
		"ZYEDGE": {
			"年初": int(beginning), "年中": int(midYear), "年底": int(ending), "年末": int(ending),
		},
		"ZEDGE":   {"初": int(beginning), "底": int(ending), "末": int(ending)},
		"ZSEASON": {"春天": 0, "春季": 0, "夏天": 1, "夏季": 1, "秋天": 2, "秋季": 2, "冬天": 3, "冬季": 3},
		"ZHALF":   {"上半年": 1, "下半年": 2},
		// Words that hold a word of the patterns and mean something else.
		"ZOTHER": {
			"超过": 0, "经过": 0, "通过": 0, "难过": 0, "不过": 0, "度过": 0, "后来": 0, "以上": 0, "以下": 0, "马上": 0,
			"晚年": 0, "年代": 0, "一天天": 0, "一点也": 0, "一点都": 0, "一点不": 0, "一点没": 0,
			"三点要求": 0, "几点要求": 0, "两点要求": 0, "一点要求": 0,
		},
	},
	notBefore: chineseNotBefore(),
	prepositions: map[string]support{
		"在": none, "于": none, "从": none, "自": none, "自从": none, "到": none, "直到": none, "截至": none, "截止": none, "至": none,
	},
	anyWeak:       "在 于 从 自 自从 到 直到 截至 截止 至",
	postpositions: "之前 以前 之后 以后 以来 前 后 起",
	backwards:     "自 自从 以来",
	glue:          "的",
	to:            "到 至",
	from:          "从 自",
	amounts:       chineseAmounts,
	atoms: slices.Concat(chineseDays, chineseDates, chineseClock, chinesePeriods, chineseLengths,
		holidayRules(chineseHolidays)),
}

// chineseNotBefore are the characters that make an entry a part of another word.
func chineseNotBefore() map[string]string {
	not := map[string]string{
		"号": "线楼店院门口馆机车位选码床桌厅球房", "日": "本元语常", "月": "亮饼球经", "年": "级轻龄货味糕薪费",
		"天": "气空才", "周": "围边岁刊", "点": "建意理原启注评赞击菜心头滴儿", "前": "面提端途台", "后": "面果续悔",
		"起": "床飞", "月中": "旬秋", "年中": "秋国", "前天": "气", "后天": "气津", "后年": "薪", "星期天": "气", "礼拜天": "气", "分钟": "寺",
		"这": "么些样", "本": "来", "上": "班海学面", "下": "班面雨",
	}
	for w := range chineseWeekdays() {
		if _, ok := not[w]; !ok {
			not[w] = "次趟"
		}
	}
	return not
}

// chineseWeekdays are the days of the week in each of its three names.
func chineseWeekdays() words {
	days := words{}
	for _, week := range []string{"周", "星期", "礼拜"} {
		for i, d := range []string{"一", "二", "三", "四", "五", "六", "日"} {
			days[week+d] = i
		}
		days[week+"天"] = 6
	}
	return days
}

var chineseHolidays = []struct {
	pattern string
	holiday holiday
}{
	{"元旦", newYearsDay}, {"情人节", valentines}, {"妇女节", womensDay}, {"三八妇女节", womensDay}, {"三八节", womensDay},
	{"五一", labourDay}, {"五一劳动节", labourDay}, {"劳动节", labourDay},
	{"六一", childrensDay}, {"六一儿童节", childrensDay}, {"儿童节", childrensDay}, {"母亲节", mothersDay},
	{"父亲节", fathersDay}, {"教师节", teachersDay}, {"国庆", nationalDay}, {"国庆节", nationalDay},
	{"国庆假期|国庆长假|国庆期间|十一假期|十一长假|十一期间", nationalDayWeek}, {"万圣节", halloween},
	{"双十一", singlesDay}, {"感恩节", thanksgiving}, {"平安夜", christmasEve}, {"圣诞", christmas},
	{"圣诞节", christmas}, {"跨年夜", newYearsEve}, {"除夕|除夕夜|大年三十|年三十", springFestivalEve},
	{"春节|大年初一|过年", springFestival}, {"春节假期|春节期间|过年期间", springFestivalWeek}, {"元宵节", lanternFestival},
	{"清明|清明节", tombSweeping}, {"端午|端午节", dragonBoat}, {"中秋|中秋节", midAutumn},
}

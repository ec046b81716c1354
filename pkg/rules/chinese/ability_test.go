package chinese

import "testing"

func TestAbility(t *testing.T) {
	check(t, []story{
		{"我会说英语、日语和一点法语", []string{"user.languages=英语", "user.languages=日语", "user.languages=法语"}},
		{"我母语是粤语", []string{"user.languages=粤语"}},
		{"我英语不错", []string{"user.languages=英语"}},
		{"我会一点日语", []string{"user.languages=日语"}},
		{"我学过五年法语", []string{"user.languages=法语"}},
		{"我会弹吉他", []string{"user.skills=弹吉他"}},
		{"我会写Python和Go", []string{"user.skills=Python", "user.skills=Go"}},
		{"我擅长数据分析", []string{"user.skills=数据分析"}},
		{"我精通Java和Spring", []string{"user.skills=Java", "user.skills=Spring"}},
		{"我考了驾照", []string{"user.skills=驾照"}},
		{"我的爱好是钓鱼和下棋", []string{"user.hobbies=钓鱼", "user.hobbies=下棋"}},
		{"我平时打篮球", []string{"user.hobbies=打篮球"}},
		{"我周末经常去爬山", []string{"user.hobbies=爬山"}},
		{"我每周三练瑜伽", []string{"user.hobbies=练瑜伽"}},
		{"我每天早上跑步五公里", []string{"user.hobbies=跑步"}},
		{"我拉大提琴", []string{"user.hobbies=拉大提琴"}},
		{"我弹了十年钢琴", []string{"user.hobbies=钢琴"}},
		{"我不打网球了", []string{"fact about user.hobbies ends (user.hobbies 网球)"}},
		{"我在备考雅思。", []string{"fact"}},
		{"我还在备考雅思。", []string{"fact"}},
		{"我在研究特高压换流阀的阻尼电容。", []string{"fact"}},
		{"我最近在准备六级考试", []string{"fact"}},
		{"我在学吉他", []string{"fact"}},
		{"我正在减肥", []string{"fact"}},
		{"我在复旦大学读计算机", []string{"fact"}},
		{"我是学金融的", []string{"fact"}},
		{"我的专业是临床医学", []string{"fact"}},
		{"我今年28岁", []string{"fact"}},
		{"我是INFP", []string{"fact"}},
		{"我习惯晚上十一点睡觉", []string{"fact"}},
		{"我有一辆特斯拉", []string{"fact"}},
	})
}

package answer

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// How people answer when the assistant offers one value, corrects itself or leaves out what
// the user has just spoken of.
func TestOffers(t *testing.T) {
	run(t, map[string]setting{
		"the assistant asks about the rival": {
			about:  only(birthday),
			before: []string{"A: Is your birthday May 14?"},
			cases: [][2]string{
				{"Yes.", "replace May 14"},
				{"No.", "keep"},
				{"no, it isn't", "keep"},
				{"It's not May 14", "keep"},
				{"No, June 1", "other June 1"},
				{"Okay", ""},
			},
		},
		"the assistant rules one out": {
			about:  only(birthday),
			before: []string{"A: So your birthday is May 14 and not May 4, right?"},
			cases: [][2]string{
				{"That's right.", "replace May 14"},
				{"Yes", "replace May 14"},
				{"No", "keep"},
			},
		},
		"the assistant offers to change it": {
			about:  only(birthday),
			before: []string{"A: Shall I change your birthday to May 14?"},
			cases: [][2]string{
				{"Please do.", "replace May 14"},
				{"Yes please", "replace May 14"},
				{"Go ahead", "replace May 14"},
				{"ok", "replace May 14"},
				{"Sure, thanks!", "replace May 14"},
				{"No", "keep"},
				{"no thanks", "keep"},
				{"Thanks", ""},
				{"Okay, but tell me a joke first", ""},
				{"ok what's for dinner", ""},
			},
		},
		"the assistant offers to keep it": {
			about:  only(birthday),
			before: []string{"A: Should I keep May 4 as your birthday?"},
			cases: [][2]string{
				{"Yes please.", "keep"},
				{"ok", "keep"},
				{"No", "replace May 14"},
			},
		},
		"the user has just named the subject": {
			about:  only(birthday),
			before: []string{"C: My birthday is May 14.", "A: Oh, is it still May 4?"},
			cases: [][2]string{
				{"Yep.", "keep"},
				{"No, May 14", "replace May 14"},
				{"No", "replace May 14"},
			},
		},
		"the user has just named something else": {
			about:  only(birthday),
			before: []string{"C: The concert is on May 14.", "A: Is it May 14?"},
			cases:  [][2]string{{"Yep.", ""}, {"No", ""}},
		},
		"the assistant asks what to call the user": {
			about:  only(name),
			before: []string{"A: Should I call you Rita or Vera?"},
			cases: [][2]string{
				{"Vera, that was a typo.", "replace Vera"},
				{"Rita, the other one was a typo", "keep"},
				{"Vera please", "replace Vera"},
			},
		},
		"助手问新的值": {
			about:  only(shengri),
			before: []string{"A: 您的生日是5月14日吗？"},
			cases: [][2]string{
				{"对。", "replace 5月14日"},
				{"不是。", "keep"},
				{"不是5月14日", "keep"},
				{"不是，是6月1日", "other 6月1日"},
				{"好的", ""},
			},
		},
		"助手排除一个": {
			about:  only(shengri),
			before: []string{"A: 所以您的生日是5月14日，不是5月4日，对吧？"},
			cases:  [][2]string{{"对的", "replace 5月14日"}, {"嗯", "replace 5月14日"}, {"不对", "keep"}},
		},
		"助手提出修改": {
			about:  only(shengri),
			before: []string{"A: 要把您的生日改成5月14日吗？"},
			cases: [][2]string{
				{"改吧", "replace 5月14日"}, {"好的", "replace 5月14日"}, {"可以，谢谢", "replace 5月14日"}, {"行", "replace 5月14日"},
				{"不用", "keep"}, {"不用了，谢谢", "keep"}, {"谢谢", ""}, {"好的，那我先去开会", ""},
			},
		},
		"助手提出保留": {
			about:  only(shengri),
			before: []string{"C: 我的生日是5月14日。", "A: 那我就保留5月4日？"},
			cases:  [][2]string{{"好的", "keep"}, {"嗯", "keep"}, {"对", "keep"}},
		},
		"助手提出保留，没说是谁的": {
			about: only(shengri), before: []string{"A: 那生日我就保留5月4日？"},
			cases: [][2]string{{"好的", "keep"}, {"改成14号", "replace 5月14日"}},
		},
		"助手说起别人的": {
			about: only(shengri), before: []string{"A: 那小王的生日我就记成5月4日？"},
			cases: [][2]string{{"好的", ""}, {"对", ""}},
		},
		"助手问是不是想说": {
			about: only(shengri), before: []string{"A: 您之前说生日是5月4日，是想说5月14日吗？"},
			cases: [][2]string{{"是的，我记错了", "replace 5月14日"}, {"不是", "keep"}},
		},
		"助手问了两件事": {
			about: []memory.Question{shengri, chengshi}, before: []string{"A: 想确认两件事：您的生日是5月4日还是5月14日？您住在杭州还是上海？"},
			cases: [][2]string{
				{"5月14日，上海。", "生日 replace 5月14日; 城市 replace 上海"}, {"5月4号，杭州", "生日 keep; 城市 keep"}, {"第二个", ""}, {"5月14日去上海", ""},
			},
		},
		"助手问伴侣": {
			about: only(duixiang), before: []string{"A: " + duixiang.Text},
			cases: [][2]string{{"我有男朋友", "replace 男朋友"}, {"后一位", "replace 男朋友"}, {"前一位", "keep"}, {"没有男朋友", ""}},
		},
		"助手问工作": {
			about: only(gongzuo), before: []string{"A: " + gongzuo.Text},
			cases: [][2]string{{"做消防员", "replace 消防员"}, {"当消防员了", "replace 消防员"}, {"做饭的牙医", ""}},
		},
		"助手反问": {
			about: only(shengri), before: []string{"C: 我的生日是5月14日。", "A: 咦，不是5月4日吗？"},
			cases: [][2]string{{"不是，是14号", "replace 5月14日"}, {"是14号", "replace 5月14日"}, {"哦对，是4号", "keep"}, {"是", ""}},
		},
		"the assistant asks what was meant": {
			about: only(birthday), before: []string{"A: You said your birthday is May 4, did you mean May 14?"},
			cases: [][2]string{{"Yeah, my bad.", "replace May 14"}, {"No", "keep"}},
		},
		"助手问怎么称呼": {
			about:  only(mingzi),
			before: []string{"A: 该称呼您刘洋还是赵强？"},
			cases:  [][2]string{{"赵强，之前打错字了。", "replace 赵强"}, {"刘洋，另一个写错了", "keep"}},
		},
	})
}

// What people add to an answer, and how they settle the matter unasked.
func TestSettled(t *testing.T) {
	asked := []string{"A: You told me your birthday was May 4; is it May 4 or May 14?"}
	wenguo := []string{"A: 您之前说生日是5月4日，后来又说是5月14日，哪个是对的？"}
	run(t, map[string]setting{
		"asked about the birthday": {
			about: only(birthday), before: asked,
			cases: [][2]string{
				{"Wrong both times, it's the 24th of May.", "other 24th of May"},
				{"I got it wrong both times, it's May 24", "other May 24"},
				{"May 4, the other one was a typo.", "keep"},
				{"May 14, the other date is wrong", "replace May 14"},
				{"Okay, I checked my passport: it's May 14.", "replace May 14"},
				{"I looked it up, May 14", "replace May 14"},
				{"I've just checked, it's the 14th", "replace May 14"},
				{"I checked out of the hotel on May 14", ""},
				{"May 4 is right, ignore the other.", "keep"},
			},
		},
		"asked about the city": {
			about: only(city), before: []string{"A: Do you live in Hangzhou or in Shanghai?"},
			cases: [][2]string{
				{"Shanghai, I moved there in May.", "replace Shanghai"},
				{"Shanghai, we moved last month", "replace Shanghai"},
				{"Hangzhou, I never moved", "keep"},
			},
		},
		"asked about the employer": {
			about: only(bank), before: []string{"A: Do you work at Tesco or at Lidl?"},
			cases: [][2]string{
				{"I quit Tesco, so Lidl.", "replace Lidl"},
				{"Tesco, I left Lidl last year", "keep"},
				{"Lidl is my new job.", "replace Lidl"},
				{"It's Lidl since March", "replace Lidl"},
				{"Lidl, since last week", "replace Lidl"},
				{"I left Tesco", "replace Lidl"},
				{"I quit smoking", ""},
				{"My brother left Tesco", ""},
				{"Lidl closed early today", ""},
				{"I left my keys at Tesco", ""},
			},
		},
		"问过公司": {
			about: only(yinhang), before: []string{"A: 您在工商银行上班还是在建设银行上班？"},
			cases: [][2]string{
				{"工商银行，建设银行去年就不干了。", "keep"},
				{"现在是建设银行，工商银行辞了。", "replace 建设银行"},
				{"我从工商银行离职了，现在在建设银行。", "replace 建设银行"},
				{"建设银行是新工作。", "replace 建设银行"},
				{"建设银行，从三月开始的", "replace 建设银行"},
				{"我朋友从工商银行离职了", ""},
				{"我的钱包丢在工商银行了", ""},
			},
		},
		"said in the thread, unasked": {
			about: only(birthday), before: []string{"C: My birthday is May 14."},
			cases: [][2]string{
				{"May 14 is right.", "replace May 14"},
				{"May 14 is the correct one", "replace May 14"},
				{"May 14, I mistyped it the first time.", "replace May 14"},
				{"Oh, my birthday is May 14, I got it wrong before.", "replace May 14"},
				{"No, May 4 is correct.", "keep"},
				{"It's May 4, the other one was a typo.", "keep"},
				{"Sorry, I meant May 4.", "keep"},
				{"My birthday is not May 4.", "replace May 14"},
				{"It isn't May 14", "keep"},
				{"May 4 is wrong", "replace May 14"},
				{"Not the first one", ""},
				{"It's the 14th.", ""},
				{"May 14.", ""},
				{"That's right.", ""},
				{"Yes.", ""},
			},
		},
		"of something else, unasked": {
			about: only(birthday), before: []string{"C: The concert is on May 14."},
			cases: [][2]string{{"May 14 is right.", ""}, {"Sorry, I meant May 4.", ""}},
		},
		"问过生日": {
			about: only(shengri), before: wenguo,
			cases: [][2]string{
				{"两次都写错了，应该是5月24号", "other 5月24号"},
				{"5月4日是对的，另一个不用管", "keep"},
				{"5月14日，前面那个打错了", "replace 5月14日"},
				{"我看了身份证，是5月14日。", "replace 5月14日"},
				{"我查了一下，是5月14号", "replace 5月14日"},
				{"我看了电影，5月14日上映", ""},
			},
		},
		"问过城市": {
			about: only(chengshi), before: []string{"A: 您住在杭州还是上海？"},
			cases: [][2]string{
				{"上海，五月搬过来的。", "replace 上海"},
				{"上海，去年搬的", "replace 上海"},
				{"上海，因为换工作了", "replace 上海"},
				{"杭州是我打错的", "replace 上海"},
				{"上海是我之前写错的", "keep"},
				{"上海是我老公乱说的", "keep"},
			},
		},
		"没人问，刚说过": {
			about: only(shengri), before: []string{"C: 我的生日是5月14日。"},
			cases: [][2]string{
				{"5月14号才对。", "replace 5月14日"},
				{"5月14日是对的", "replace 5月14日"},
				{"抱歉，我是说5月4日。", "keep"},
				{"是5月4日，后面那个打错了。", "keep"},
				{"是14号。", ""},
				{"对的", ""},
			},
		},
	})
}

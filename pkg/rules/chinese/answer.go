package chinese

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// inquiry is one question of an assistant that asks for a value.
type inquiry struct {
	key     memory.Key
	pattern *expr
	// says is how the answer is stated; %s is the value.
	says string
}

// inquiries are tried in order on the folded last sentence of the assistant.
var inquiries = []inquiry{
	{allergies, within(`(?:对(?:什么|哪些|啥|哪种).{0,6}过敏|(?:什么|哪些|有没有|有).{0,8}过敏|过敏(?:源|原).{0,4}什么)`), "我对%s过敏"},
	{pets, within(`(?:养|有).{0,4}(?:什么|哪些|啥)?宠物|养(?:了|的)?(?:是)?什么`), "我养了%s"},
	{family, within(`有(?:几个)?(?:孩子|小孩|兄弟姐妹|兄弟|姐妹|儿子|女儿)`), "我有%s"},
	{birthday, within(`生日.{0,6}(?:什么时候|哪天|哪一天|几月几号|几号)|(?:哪天|几月几号|什么时候)(?:过)?生日|生日(?:是|呢)?[？?]?$`), "我的生日是%s"},
	{hometown, within(`(?:老家|家乡|故乡).{0,4}哪|(?:是|来自)哪(?:里|儿|个(?:地方|城市|省))?(?:的)?人?$|哪里人`), "我老家在%s"},
	{commute, within(`(?:怎么|如何|用什么|坐什么|什么方式).{0,4}(?:上班|通勤|上下班|去公司)|通勤.{0,6}(?:什么|怎么|方式)|(?:上班|通勤).{0,4}(?:坐|用|靠)(?:什么|啥)`), "我通勤靠%s"},
	{hobbies, within(`(?:周末|平时|业余|空闲|闲暇).{0,8}(?:做|干)(?:些|点)?(?:什么|啥|嘛)`), "我平时%s"},
	{employer, within(`(?:在)?哪(?:里|儿|家|个)?(?:公司|单位)?(?:工作|上班|任职|就职|高就)|哪家公司|什么公司`), "我在%s工作"},
	{occupation, within(`(?:做|从事)(?:的)?(?:是)?(?:什么|哪行|哪方面|哪个行业|啥)|职业.{0,4}(?:什么|啥)|什么(?:工作|职业|职位)`), "我的工作是%s"},
	{city, within(`(?:住|定居|生活)(?:在)?(?:哪|什么地方)|(?:在|住)哪个?(?:城市|地方|座城市)|所在(?:地|城市).{0,4}(?:哪|什么)|坐标`), "我住在%s"},
	{languages, within(`(?:会|说|懂|讲)(?:说|讲)?(?:什么|哪些|几种|哪几种|啥)语言|母语`), "我会说%s"},
	{dislikes, within(`(?:不喜欢|讨厌|不吃|忌口).{0,8}(?:什么|哪|啥|吗)|有(?:什么|没有).{0,4}(?:忌口|不吃|不喜欢)`), "我不喜欢%s"},
	{hobbies, within(`(?:爱好|兴趣).{0,6}(?:什么|哪些|啥)|(?:什么|哪些|啥).{0,4}(?:爱好|兴趣)`), "我的爱好是%s"},
	{likes, within(`(?:喜欢|爱)(?:吃|喝|看|听|玩|读)?(?:什么|哪|啥)`), "我喜欢%s"},
	{partner, within(`(?:老婆|老公|女朋友|男朋友|伴侣|爱人).{0,6}(?:叫什么|名字)`), ""},
	{name, within(`^(?:请问)?(?:你|您)?(?:的)?(?:叫什么|名字|怎么称呼|姓名|称呼)|(?:怎么|如何)称呼(?:你|您)|(?:你|您)(?:的)?(?:叫什么|名字(?:是|叫)?什么|贵姓)|叫(?:你|您)什么`), "我叫%s"},
}

var (
	yes = regexp.MustCompile(`^(?:嗯嗯?|恩|对对?对?|是|是的|对的|没错|当然|yes|yep|yeah|嗯对|是啊|对啊|是呀|对呀|正是|确实|的确|没有错|有|有的|会|会的|可以|喜欢|住|是这样|对哦|嗯是的|你记得没错|记得没错|答对了)(?:的|啊|呀|哦|呢|了|哈|嗯)*$`)
	no  = regexp.MustCompile(`^(?:不|不是|不是的|没有|没|不对|错了|no|nope|否|不会|不是哦|并不是|不在)(?:的|啊|呀|哦|呢|了|哈)*$`)
)

// answer reads a bare answer to the assistant's question directly before.
func (r *reader) answer(before []memory.Message) {
	if len(before) == 0 || before[len(before)-1].Role != memory.RoleAssistant {
		return
	}
	asked := before[len(before)-1]
	question, ok := lastQuestion(asked.Content)
	if !ok {
		return
	}
	replies := sentence.Split(r.message.Content)
	if len(replies) == 0 || replies[0].Question {
		return
	}
	clauses := cut(replies[0], r.message.Content, r.folded)
	if len(clauses) == 0 {
		return
	}
	a := answering{reader: r, asked: asked, question: question, reply: replies[0], clauses: clauses}
	first := clauses[0].whole()
	switch {
	case yes.MatchString(first):
		a.affirm()
	case no.MatchString(first):
		a.deny()
	default:
		a.fill()
	}
}

// lastQuestion is the last sentence of the assistant, if it is a Chinese question.
func lastQuestion(content string) (string, bool) {
	all := sentence.Split(content)
	if len(all) == 0 {
		return "", false
	}
	last := all[len(all)-1]
	if last.Language != sentence.Chinese || !last.Question && !interrogative.MatchString(fold(last.Text)) {
		return "", false
	}
	return last.Text, true
}

// answering is a reply beside the question that it answers.
type answering struct {
	*reader
	asked    memory.Message
	question string
	reply    sentence.Sentence
	clauses  []clause
}

// affirm states what the question asked whether, as the user's own words.
func (a *answering) affirm() {
	if a.statesItself() {
		return
	}
	claimed := a.claimed()
	if len(a.clauses) > 1 && (len(claimed) == 0 || claimed[0].Key == family) && a.fillFrom(a.clauses[1]) {
		return
	}
	for _, f := range claimed {
		if len(claimed) == 1 && f.Key == pets && !f.named && len(a.clauses) > 1 {
			a.nameClaimed(&f)
		}
		a.keep(f)
	}
}

// nameClaimed adds the name that the reply goes on to give: 是的，叫汤圆.
func (a *answering) nameClaimed(f *found) {
	c := a.clauses[1]
	loc := petCalled.FindStringSubmatchIndex(c.whole())
	if loc == nil || notName.MatchString(c.whole()[loc[2]:loc[3]]) {
		return
	}
	called := "，叫" + a.message.Content[c.from+loc[2]:c.from+loc[3]]
	f.Value += called
	f.Text += called
}

// claimed is what the question says about the user if it is true.
func (a *answering) claimed() []found {
	claim := a.message
	claim.Content = ownWords(a.question)
	r := newReader(claim)
	r.read()
	for i := range r.found {
		r.found[i].Text = claim.Content[r.found[i].from:r.found[i].to]
	}
	return r.found
}

// statesItself reports whether the reply goes on to state the fact in full, which then
// needs no question.
func (a *answering) statesItself() bool {
	rest := a.message
	if len(a.clauses) < 2 {
		return false
	}
	rest.Content = a.message.Content[a.clauses[1].from:a.reply.To]
	r := newReader(rest)
	r.read()
	return len(r.found) > 0
}

// deny takes the right value from the rest of the reply: 不是，在上海.
func (a *answering) deny() {
	if len(a.clauses) < 2 || a.statesItself() {
		return
	}
	for _, f := range a.claimed() {
		if f.Key == "" {
			continue
		}
		c := a.clauses[1]
		for _, s := range fragment(f.Key, a.folded, span{c.from, c.to}) {
			g := f
			g.Value = a.message.Content[s.from:s.to]
			g.Text = a.message.Content[c.from:c.to]
			g.Relation = memory.RelationUpdates
			a.keep(g)
		}
		return
	}
}

// fill gives the value that the question asked for.
func (a *answering) fill() {
	if a.reply.Language == sentence.English && !latinAnswer.MatchString(a.clauses[0].whole()) {
		return
	}
	if a.namesPet() {
		return
	}
	q, ok := inquired(fold(a.question))
	if !ok || q.says == "" || notAnswer.MatchString(a.clauses[0].whole()) {
		return
	}
	own := newReader(a.message)
	own.read()
	if slices.ContainsFunc(own.found, func(f found) bool { return f.Key == q.key || f.from < a.clauses[0].to }) {
		return
	}
	a.state(q, a.clauses[0])
}

// fillFrom takes the value from the clause after 有 or 是的: 有，一只柴犬.
func (a *answering) fillFrom(c clause) bool {
	q, ok := inquired(fold(a.question))
	if !ok || q.says == "" || c.asked || notAnswer.MatchString(c.whole()) {
		return false
	}
	known := len(a.found)
	a.state(q, c)
	return len(a.found) > known
}

// state keeps the values that the clause gives to what was asked for.
func (a *answering) state(q inquiry, c clause) {
	for _, s := range fragment(q.key, a.folded, span{c.from, c.to}) {
		value := a.message.Content[s.from:s.to]
		text := strings.Replace(q.says, "%s", value, 1)
		a.keep(found{rule: "answer", Candidate: memory.Candidate{
			Kind: kinds[q.key], Key: q.key, Value: value, Text: text,
			Stability: memory.Stable, Relation: memory.RelationNew,
		}})
	}
}

// petAsked asks for the name of an animal.
var petAsked = compile(`(?:你|您)(?:们)?(?:家)?(?:的|养的)?(?:这只|那只)?(?P<pet>` + animals + `)(?:的名字)?(?:是)?(?:叫|名字).{0,2}(?:什么|啥)`)

// namesPet reads the name of the animal that the question was about.
func (a *answering) namesPet() bool {
	loc := petAsked.FindStringSubmatchIndex(fold(a.question))
	c := a.clauses[0]
	if loc == nil || notAnswer.MatchString(c.whole()) {
		return false
	}
	for _, s := range fragment(name, a.folded, span{c.from, c.to}) {
		i := petAsked.SubexpIndex("pet")
		pet, called := a.question[loc[2*i]:loc[2*i+1]], a.message.Content[s.from:s.to]
		a.keep(found{rule: "answer", Candidate: memory.Candidate{
			Kind: kinds[pets], Key: pets, Value: pet + "，叫" + called, Text: "我的" + pet + "叫" + called,
			Stability: memory.Stable, Relation: memory.RelationNew,
		}})
		return true
	}
	return false
}

var (
	latinAnswer = regexp.MustCompile(`^[a-z][a-z'’.-]*(?: [a-z][a-z'’.-]*){0,2}$`)
	notAnswer   = regexp.MustCompile(`^(?:不知道|不告诉|不想说|保密|秘密|你猜|随便|都行|都可以|无所谓|没有|没|不清楚|忘了|还没|算了|不用|为什么|干嘛|关你|ok|okay|no|yes|thanks|thank you|hi|hello|好的?|谢谢|好吧|哈哈+|嗯+|没啥|看情况|下次|再说|别问)|你|吗|什么`)
)

func inquired(question string) (inquiry, bool) {
	for _, q := range inquiries {
		if q.pattern.MatchString(question) {
			return q, true
		}
	}
	return inquiry{}, false
}

// keep adds what an answer states, with the question as part of its source.
func (a *answering) keep(f found) {
	f.Confidence = answered
	f.Source = memory.Source{
		Message: a.message.Number, Quote: a.reply.Text,
		AskedMessage: a.asked.Number, AskedQuote: a.question,
	}
	f.from, f.to = a.reply.From, a.reply.To
	a.add(f)
}

var (
	askingHead = regexp.MustCompile(`^(?:所以|那么?|请问|对了|顺便问一下|我记得|如果我没记错的话|我没记错的话|听起来|看来|看起来|原来|我猜|好的|明白了|也就是说|确认一下|想确认一下|另外|嗯|哦|，|,|、|\s)+`)
	askingTail = regexp.MustCompile(`(?:，|,)?\s*(?:对吗|对吧|是吗|是吧|对不对|是不是|没错吧|是这样吗|我没记错吧)?[？?！!。\s]*$`)
	// toldHead recalls what the user said before, and is not what is asked.
	toldHead   = regexp.MustCompile(`^(?:你|您)(?:之前|以前|上次|前面|刚才|曾经|好像|先前)*(?:跟我|和我)?(?:说|提|讲|告诉我)(?:到|起)?过?[^，,]+[，,]`)
	askingWord = regexp.MustCompile(`(?:吗|吧|么|呢|嘛)$`)
)

// addressed turns the one spoken to into the one who speaks.
var addressed = strings.NewReplacer("你们", "我们", "你", "我", "您", "我", "妳", "我", "是不是", "是", "是否", "", "有没有", "有")

// ownWords turns a question whether something is so into the user's statement that it is.
func ownWords(question string) string {
	text := question
	if loc := askingHead.FindStringIndex(fold(text)); loc != nil {
		text = text[loc[1]:]
	}
	if loc := askingTail.FindStringIndex(fold(text)); loc != nil {
		text = text[:loc[0]]
	}
	if loc := askingWord.FindStringIndex(fold(text)); loc != nil {
		text = text[:loc[0]]
	}
	if loc := toldHead.FindStringIndex(fold(text)); loc != nil {
		text = text[loc[1]:]
	}
	return unchoose(addressed.Replace(text))
}

// unchoose reads 喜不喜欢 and 住不住 as 喜欢 and 住.
func unchoose(text string) string {
	in := []rune(text)
	out := make([]rune, 0, len(in))
	for i := 0; i < len(in); i++ {
		if i+2 < len(in) && in[i] == in[i+2] && (in[i+1] == '不' || in[i+1] == '没' || in[i+1] == '沒') {
			i += 2
		}
		out = append(out, in[i])
	}
	return string(out)
}

// wrapping is what stands around a bare value in an answer or a correction.
type wrapping struct {
	before, after string
	check         func(folded string) bool
	list          bool
}

var wrappings = map[memory.Key]wrapping{
	name:       {`(?:(?:我|名字)?(?:的)?(?:名字)?(?:叫|是)?(?:我)?)`, `(?:就行|就好|吧)?`, isName, false},
	city:       {`(?:我)?(?:人)?(?:是)?(?:住在?|在|去了?|搬到了?|定居在?)?`, `(?:这边|那边|市区|住|漂着?|打拼|发展|奋斗|混)?`, isPlace, false},
	hometown:   {`(?:我)?(?:老家)?(?:是|在|来自)?`, `(?:人|的|那边)?`, isPlace, false},
	commute:    {`(?:我)?(?:一般|都|平时|通常|主要|是)*(?:坐|搭|乘|靠|用|挤)?`, `(?:上班|通勤|去|为主)*`, vehicles.MatchString, false},
	occupation: {`(?:我)?(?:是|做|当|目前是|现在是)?(?:一名|一个|一位)?`, `(?:的|工作)?`, isTrade, false},
	employer:   {`(?:我)?(?:是)?(?:在|去了?|就职于|任职于)?`, `(?:上班|工作|任职)?`, isEmployer, false},
	birthday:   {`(?:我)?(?:的)?(?:生日)?(?:是|在)?`, `(?:出生|生日)?`, regexp.MustCompile(`^` + birthdayDate + `$`).MatchString, false},
	allergies:  {`(?:我)?(?:主要)?(?:是)?(?:对)?`, `(?:过敏)?`, isAllergen, true},
	pets:       {`(?:我)?(?:养了?|有)?(?:是)?(?:[一1](?:只|条))?`, ``, regexp.MustCompile(`^(?:[一二两三四五六七八九十几0-9]+(?:只|条|缸|个|匹|窝))?` + animals + `$`).MatchString, true},
	family:     {`(?:我)?(?:有)?(?:[一1]个)?`, ``, regexp.MustCompile(`^(?:[一二两三四五0-9]+个?)?(?:` + familyWords + `)$`).MatchString, true},
	languages:  {`(?:我)?(?:会|能)?(?:说|讲)?(?:是)?`, ``, regexp.MustCompile(`^` + tongues + `$`).MatchString, true},
	hobbies:    {`(?:我)?(?:的)?(?:爱好)?(?:是|喜欢|平时)?`, ``, isObject, true},
	likes:      {`(?:我)?(?:比较|最|更)?(?:喜欢|爱)?(?:吃|喝|看|听)?(?:是)?`, ``, isObject, true},
	dislikes:   {`(?:我)?(?:比较|最)?(?:不喜欢|讨厌|不吃|不爱吃?)?(?:吃|喝|看|听)?(?:是)?`, ``, isObject, true},
	diet:       {`(?:我)?(?:是)?`, ``, regexp.MustCompile(`素|清真|生酮|低碳`).MatchString, false},
}

var wrapped = func() map[memory.Key]*regexp.Regexp {
	out := make(map[memory.Key]*regexp.Regexp, len(wrappings))
	for key, w := range wrappings {
		out[key] = regexp.MustCompile(`^\s*(?:其实|现在|应该|目前|实际上|准确来说|而|就|改|换|成|嗯|呃|哦|那|主要|我)*` + w.before + `(?P<v>[^，]+?)` + w.after + particles + `$`)
	}
	return out
}()

// fragment returns the values that a bare piece of text gives to the key, or nothing if
// it is no value of it.
func fragment(key memory.Key, folded string, s span) []span {
	w, ok := wrappings[key]
	if !ok || s.empty() || runes(folded[s.from:s.to]) > 24 {
		return nil
	}
	loc := wrapped[key].FindStringSubmatchIndex(folded[s.from:s.to])
	if loc == nil {
		return nil
	}
	i := wrapped[key].SubexpIndex("v")
	value := span{s.from + loc[2*i], s.from + loc[2*i+1]}
	parts := []span{trimValue(folded, value)}
	if w.list {
		parts = items(folded, value)
	}
	var out []span
	for _, p := range parts {
		if !p.empty() && w.check(folded[p.from:p.to]) {
			out = append(out, p)
		}
	}
	return out
}

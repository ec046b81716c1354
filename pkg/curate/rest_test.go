package curate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/verify"
)

func TestRestIsWhatNobodyHasRead(t *testing.T) {
	for _, c := range []struct {
		content, want string
		read          []string
	}{
		{"I live in Oslo and the parking code is blue gate.", "the parking code is blue gate", []string{"I live in Oslo"}},
		{"Alice's flight lands at 9 on Friday and she likes window seats, also the parking code is blue gate",
			"she likes window seats, also the parking code is blue gate", []string{"Alice's flight lands at 9 on Friday"}},
		{"Alice's flight lands at 9 on Friday and she likes window seats, also the parking code is blue gate",
			"Alice's flight lands at 9 on Friday; the parking code is blue gate", []string{"she likes window seats"}},
		{"I'm vegetarian, the landlord is Mr. Smith, and I work at Google.", "the landlord is Mr. Smith", []string{"I'm vegetarian", "I work at Google"}},
		{"Hi! I am allergic to peanuts. The spare key is under the third pot. Thanks!", "The spare key is under the third pot.", []string{"I am allergic to peanuts"}},
		{"The bins go out on Tuesday. I live in Oslo. The gate sticks.", "The bins go out on Tuesday. The gate sticks.", []string{"I live in Oslo"}},
		{"Please remember that I live in Oslo, and the wifi is called heron.", "the wifi is called heron", []string{"i live in oslo"}},
		{"Forget that I like tea. The garage opens at 7.", "The garage opens at 7.", []string{"Forget that I like tea"}},
		{"I like jazz and opera, also rock.", "I like jazz and opera, also rock.", []string{"I like jazz and opera"}},
		{"The keys are with Tom and Jerry. I like tea.", "The keys are with Tom and Jerry.", []string{"I like tea"}},
		{"I paid 1,200 kroner for the bike and I like tea.", "I paid 1,200 kroner for the bike", []string{"I like tea"}},
		{"I like tea. Can you remember that for me?", "", []string{"I like tea"}},
		{"I like tea. I like tea!", "", []string{"I like tea"}},
		{"Actually, as of last Monday, I live in Oslo now.", "", []string{"I live in Oslo now"}},
		{"I live in Oslo and I have a dog named Rex.", "", []string{"I live in Oslo", "a dog named Rex"}},
		{"Hello, remember this please: I like tea, thank you so much", "", []string{"I like tea"}},
		{"I live in Oslo because my wife works at the opera", "my wife works at the opera", []string{"I live in Oslo"}},
		{"我住在杭州，车位在地下二层B12。", "车位在地下二层B12", []string{"我住在杭州"}},
		{"我喜欢喝茶，另外物业电话在冰箱上。我养了一只猫叫咪咪", "物业电话在冰箱上", []string{"我喜欢喝茶", "我养了一只猫叫咪咪"}},
		{"请记住我住在杭州，车位密码是蓝色大门", "车位密码是蓝色大门", []string{"我住在杭州"}},
		{"你好，我对花生过敏。备用钥匙在第三个花盆下面。谢谢！", "备用钥匙在第三个花盆下面。", []string{"我对花生过敏"}},
		{"小雨周五下午三点开家长会，我对花生过敏，备用钥匙在花盆下面", "小雨周五下午三点开家长会；备用钥匙在花盆下面", []string{"我对花生过敏"}},
		{"忘掉我喜欢喝茶。车库七点开门。", "车库七点开门。", []string{"忘掉我喜欢喝茶。"}},
		{"我喜欢喝茶。我喜欢喝茶！", "", []string{"我喜欢喝茶"}},
		{"对了，帮我记一下，我现在住在杭州，谢谢你", "", []string{"我现在住在杭州"}},
		{"你能记住吗？我喜欢喝茶", "", []string{"我喜欢喝茶"}},
		{"hi", "", nil},
	} {
		text, quote := rest(c.content, c.read)
		if text != c.want {
			t.Errorf("%q without %q: %q, want %q", c.content, c.read, text, c.want)
		}
		if text != "" && !strings.Contains(c.content, quote) {
			t.Errorf("%q: quotes %q", c.content, quote)
		}
	}
}

// TestRestIsTheUsersOwnWords: whatever was read of a text, what is left over stands in it, and
// of a text that was read as a whole nothing is.
func TestRestIsTheUsersOwnWords(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"I live in Oslo", "我住在杭州", ", ", "，", " and ", "另外", ". ", "。", "the code is blue gate", "车位在地下二层", "hi", "谢谢", "?", "“", "”", "\n", "é", "1,000 ",
	})
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(piece, 1, 12).Draw(t, "content"), "")
		read := rapid.SliceOfN(piece, 0, 3).Draw(t, "read")
		text, quote := rest(content, read)
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";；.。?", r) }) {
			if f := verify.Fold(part); f != "" && !strings.Contains(verify.Fold(quote), f) {
				t.Fatalf("%q is not in the quote %q", part, quote)
			}
		}
		if !strings.Contains(content, quote) {
			t.Fatalf("%q does not stand in it", quote)
		}
		if text, _ := rest(content, append(read, content)); text != "" {
			t.Fatalf("%q is left over of what was read", text)
		}
	})
}

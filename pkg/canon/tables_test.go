package canon

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mozillazg/go-pinyin"
)

func TestSimplify(t *testing.T) {
	for in, want := range map[string]string{
		"":                "",
		"Latin, ASCII":    "Latin, ASCII",
		"我養了一隻貓":          "我养了一只猫",
		"臺灣":              "台湾",
		"已经是简体":           "已经是简体",
		"繁體 mixed with é": "繁体 mixed with é",
		"东京と東京":           "东京と东京",
	} {
		if got := Simplify(in); got != want {
			t.Errorf("Simplify(%q) = %q, want %q", in, got, want)
		}
	}
}

// Mapping once is enough, keeps the number of characters, and survives NFKC.
func TestSimplifyTable(t *testing.T) {
	table := simplified()
	if len(table) < 4000 {
		t.Fatalf("only %d characters", len(table))
	}
	for from, to := range table {
		if _, again := table[to]; again {
			t.Errorf("%c becomes %c, which becomes another", from, to)
		}
		if n := normal(string(to)); n != string(to) {
			t.Errorf("%c becomes %c, whose normal form is %s", from, to, n)
		}
	}
}

// Every canonical name in a table is its own canonical form.
func TestTablesAreStable(t *testing.T) {
	for class, table := range map[Class]names{ClassText: things(), ClassLanguage: languages()} {
		for name, canonical := range table {
			if got := Identity(canonical, class); got != canonical {
				t.Errorf("%s: %q folds to %q, and that to %q", class, name, canonical, got)
			}
		}
	}
	for key, p := range places().plain {
		if got := Place(p.name); got != p.name {
			t.Errorf("%q is %q, and that is %q", key, p.name, got)
		}
	}
}

// The line of a table is what its names fold to, so that no rule comes in between.
func TestEveryNameFoldsToItsLine(t *testing.T) {
	for class, data := range map[Class]string{ClassText: thingsData, ClassLanguage: languagesData, ClassPlace: placesData} {
		for line := range dataLines(data) {
			line = strings.TrimLeft(line, "@%")
			names := strings.Split(line, "=")
			for _, n := range names {
				if strings.ContainsAny(n[:1], "~,-") {
					continue
				}
				if !Same(n, names[0], class) {
					t.Errorf("%s: %q is %q, not %q", class, n, Identity(n, class), Identity(names[0], class))
				}
			}
		}
	}
}

func TestParseRefusesAmbiguity(t *testing.T) {
	if _, err := parseNames("猫=cat\n狗=dog=cats", plainValue); err == nil || !strings.Contains(err.Error(), "cats") {
		t.Errorf("two things of one name: %v", err)
	}
	if _, err := parsePlaces("@中国=china\n苏州=suzhou\n宿州=suzhou"); err == nil || !strings.Contains(err.Error(), "suzhou") {
		t.Errorf("two places of one name: %v", err)
	}
	if _, err := parsePlaces("@中国=china\n苏州=suzhou\n宿州=~suzhou"); err != nil {
		t.Errorf("a lesser place of one name: %v", err)
	}
}

// spelling holds the places in China whose usual English name is not their pinyin.
var spelling = words(`内蒙古 西藏 陕西 呼和浩特 鄂尔多斯 呼伦贝尔 巴彦淖尔 乌兰察布 兴安盟 锡林郭勒 阿拉善
	哈尔滨 齐齐哈尔 日喀则 昌都 林芝 那曲 阿里 果洛 格尔木 乌鲁木齐 克拉玛依 吐鲁番 博尔塔拉 巴音郭楞 阿克苏
	克孜勒苏 喀什 和田 伊犁 阿勒泰 拉萨 中国 吉林市`)

// The Latin name of every other Chinese place is a reading of its characters.
func TestChineseNamesAreTheirPinyin(t *testing.T) {
	checked := 0
	for _, p := range allPlaces() {
		if p != china() && !p.within(china()) || spelling[p.name] {
			continue
		}
		checked++
		if !slices.ContainsFunc(latinNames(p), func(s string) bool { return reads(p.name, s) }) {
			t.Errorf("%s has no name that is its pinyin: %q", p.name, latinNames(p))
		}
	}
	if checked < 300 {
		t.Errorf("only %d places checked", checked)
	}
}

func allPlaces() []*place {
	var all []*place
	for _, p := range places().plain {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

func latinNames(p *place) []string {
	var found []string
	for key, q := range places().plain {
		if q == p && isASCII(key) {
			found = append(found, key)
		}
	}
	for key, lesser := range places().lesser {
		if slices.Contains(lesser, p) {
			found = append(found, key)
		}
	}
	return found
}

// reads reports whether latin is a pinyin reading of han, by any reading of each character.
func reads(han, latin string) bool {
	if han == "" {
		return latin == ""
	}
	r, n := utf8.DecodeRuneInString(han)
	args := pinyin.NewArgs()
	args.Heteronym = true
	for _, reading := range slices.Concat(pinyin.SinglePinyin(r, args), oldReadings[r]) {
		if rest, ok := strings.CutPrefix(latin, reading); ok && reads(han[n:], rest) {
			return true
		}
	}
	return false
}

// oldReadings are kept in names of places only.
var oldReadings = map[rune][]string{'六': {"lu", "liu"}, '厦': {"xia"}, '蚌': {"beng"}, '吕': {"lv", "lu"}}

func BenchmarkIdentity(b *testing.B) {
	for _, bc := range []struct {
		class Class
		value string
	}{{ClassText, "peanuts"}, {ClassText, "靠窗的座位"}, {ClassPlace, "浙江省杭州市西湖区"}, {ClassPlace, "Denver, Colorado"}, {ClassDate, "May 4, 1990"}} {
		b.Run(string(bc.class)+"/"+bc.value, func(b *testing.B) {
			for b.Loop() {
				Identity(bc.value, bc.class)
			}
		})
	}
}

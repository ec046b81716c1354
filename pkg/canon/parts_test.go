package canon

import "testing"

func TestValue(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		" \u200b\t":                  "",
		"...":                        "...",
		"the":                        "the",
		"一只":                         "一只",
		"  Window   seats. ":         "靠窗的座位",
		"ＡＢＣ　ｄｅｆ":                    "abc def",
		"don’t panic":                "don't panic",
		"(vegan)":                    "纯素",
		"Henry  James":               "henry jame",
		"a a the an":                 "an",
		"spicy noodles":              "spicy noodle",
		"physics":                    "physics",
		"boxes":                      "box",
		"glasses":                    "glasses",
		"tennis":                     "网球",
		"headaches":                  "headache",
		"国家 电网":                      "国家电网",
		"iPhone 手机":                  "iphone 手机",
		"\xffbroken":                 "\ufffdbroken",
		"three-letter gas":           "three-letter gas",
		"an “e\u0301clair” (French)": "éclair\" (french)",
	} {
		if got := Value(in); got != want {
			t.Errorf("Value(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStatement(t *testing.T) {
	for _, group := range [][]string{
		{"I play the cello.", "I still play the cello", "I really play the cello!", "I also play the cello."},
		{"我在备考雅思。", "我还在备考雅思", "我一直在备考雅思", "我也在备考雅思。"},
		{"还款日是五号"}, {"款日是五号"},
		{"I play the guitar."},
		{"still"},
	} {
		for _, s := range group[1:] {
			if Statement(s) != Statement(group[0]) {
				t.Errorf("%q and %q are stated as %q and %q", group[0], s, Statement(group[0]), Statement(s))
			}
		}
	}
	if Statement("还款日是五号") == Statement("款日是五号") || Statement("still") == "" {
		t.Error("a word that is no filler was dropped")
	}
}

func TestParseDate(t *testing.T) {
	for in, want := range map[string]string{
		"May 4": "--05-04", "sept. 9th": "--09-09", "31 December 1999": "1999-12-31", "十二月三十一日": "--12-31",
		"二〇〇一年十月": "2001-10", "Feb 29": "--02-29", "2000": "2000", "the 3rd of march, 1985": "1985-03-03",
	} {
		d, ok := parseDate(in)
		if !ok || d.String() != want {
			t.Errorf("parseDate(%q) = %v, %v, want %s", in, d, ok, want)
		}
	}
	for _, in := range []string{"", "5/4", "05/04/1990", "April 31", "13月1日", "农历五月初四", "mayor 4", "0月0日", "next May", "1990-13-01"} {
		if d, ok := parseDate(in); ok {
			t.Errorf("parseDate(%q) = %v", in, d)
		}
	}
}

func TestPlace(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"Shanghai":               "上海",
		"the Hague":              "海牙",
		"London, Canada":         "加拿大/london",
		"London, Ontario":        "安大略/london",
		"Denver, Colorado":       "科罗拉多/丹佛",
		"Hangzhou Xihu district": "杭州/xihu district",
		"Ulm, Germany":           "德国/ulm",
		"北京朝阳区":                  "北京/朝阳区",
		"上海 Pudong":              "上海/pudong",
		"义乌市":                    "义乌",
		"北京大学":                   "北京大学",
		"Portland, OR":           "俄勒冈/波特兰",
		"New Zealand":            "新西兰",
		"north London, UK":       "英国/north london",
	} {
		if got := Place(in); got != want {
			t.Errorf("Place(%q) = %q, want %q", in, got, want)
		}
	}
}

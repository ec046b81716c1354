package profile

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"golang.org/x/text/unicode/norm"
)

// The JSON types that a value of a key can have.
const (
	typeString  = "string"
	typeInteger = "integer"
	typeNumber  = "number"
	typeBoolean = "boolean"
)

// formatDate is the format of strings that are a whole day: 1990-05-04.
const formatDate = "date"

// typed is a value in the JSON type that the schema wants for the key; why says why it
// cannot be. A value is kept as it was said: "34 years old" and 三十四岁 make the number 34,
// and where the format is a date, "May 4, 1990" and 1990年5月4日 make 1990-05-04. What is not
// a whole day stays as it is.
func (f *Field) typed(value string) (v any, why string) {
	switch f.Type {
	case typeInteger, typeNumber:
		n, ok := numberIn(value)
		if !ok {
			return nil, "there is no single number in it, and the schema wants one"
		}
		if f.Type == typeInteger && strings.Contains(string(n), ".") {
			return nil, "the schema wants a whole number"
		}
		return n, ""
	case typeBoolean:
		b, ok := truth[strings.ToLower(strings.Trim(value, " .!。！"))]
		if !ok {
			return nil, "it is neither yes nor no, and the schema wants one of them"
		}
		return b, ""
	}
	if f.Format == formatDate {
		if day := canon.Identity(value, canon.ClassDate); wholeDay.MatchString(day) {
			return day, ""
		}
	}
	return value, ""
}

var wholeDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// truth is what people say for yes and no.
var truth = map[string]bool{
	"true": true, "yes": true, "y": true, "是": true, "有": true, "对": true, "是的": true,
	"false": false, "no": false, "n": false, "none": false, "否": false, "没有": false, "不": false, "不是": false, "无": false,
}

var (
	arabicNumber = regexp.MustCompile(`[-+]?\d+(?:,\d{3})*(?:\.\d+)?`)
	hanNumber    = regexp.MustCompile(`[零〇一二两三四五六七八九十百千万]+`)
)

// maxNumberBytes bounds a number, so that no reader of JSON loses digits of it.
const maxNumberBytes = 15

// numberIn is the only number in a text.
func numberIn(text string) (json.Number, bool) {
	text = norm.NFKC.String(text)
	if all := arabicNumber.FindAllString(text, 2); len(all) > 0 {
		plain := strings.TrimPrefix(strings.ReplaceAll(all[0], ",", ""), "+")
		n, err := strconv.ParseFloat(plain, 64)
		if len(all) > 1 || err != nil || len(plain) > maxNumberBytes {
			return "", false
		}
		return json.Number(strconv.FormatFloat(n, 'f', -1, 64)), true
	}
	all := hanNumber.FindAllString(text, 2)
	if len(all) != 1 {
		return "", false
	}
	n, ok := han(all[0])
	return json.Number(fmt.Sprint(n)), ok
}

// The digits and the units of Chinese numerals.
var (
	hanDigits = map[rune]int{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	hanUnits  = map[rune]int{'十': 10, '百': 100, '千': 1000, '万': 10000}
)

// maxHan bounds the characters of a numeral.
const maxHan = 9

// han reads a Chinese numeral below a hundred million, or a row of digits.
func han(s string) (int, bool) {
	if len([]rune(s)) > maxHan {
		return 0, false
	}
	if !strings.ContainsAny(s, "十百千万") {
		n := 0
		for _, r := range s {
			n = n*10 + hanDigits[r]
		}
		return n, true
	}
	total, section, digit := 0, 0, 0
	for i, r := range s {
		unit, isUnit := hanUnits[r]
		switch {
		case !isUnit:
			digit = hanDigits[r]
		case r == '万':
			total, section, digit = total+(section+digit)*unit, 0, 0
		default:
			if digit == 0 && i == 0 {
				digit = 1 // 十二
			}
			section, digit = section+digit*unit, 0
		}
	}
	return total + section + digit, true
}

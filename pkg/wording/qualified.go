package wording

import "strings"

// marks are what a clause may end with.
const marks = " \t\r\n.,;:!?…。，、；：！？"

// Qualified is the text of a memory with the circumstances under which it holds, as the
// user gave them, in brackets behind it: "My birthday is May 14 (on my passport)",
// 我的生日是5月14号（护照上）. The brackets are those of language, that of text. Without a
// qualification, or if it stands in text already, text is as it was.
func Qualified(text, qualification, language string) string {
	q := unbracketed(strings.Trim(qualification, marks))
	if q == "" || strings.Contains(strings.ToLower(text), strings.ToLower(q)) {
		return text
	}
	text = strings.TrimRight(text, marks)
	if languageOf(language) == chinese {
		return text + "（" + q + "）"
	}
	return text + " (" + q + ")"
}

// unbracketed is q without brackets around the whole of it.
func unbracketed(q string) string {
	const brackets = "()（）"
	inner := strings.Trim(q, brackets)
	if strings.IndexAny(q, brackets) == 0 && !strings.ContainsAny(inner, brackets) {
		return strings.Trim(inner, marks)
	}
	return q
}

package guard

import (
	"regexp"
	"strings"
)

var fence = regexp.MustCompile("(?m)(`{3,})|^[ \t]*(?:[-*+>] ?|\\d+[.)] ?)*(~{3,})")

// fences finds code blocks: from a fence to its like, or to the end of the message. Three
// backticks open one within a line too.
func fences(s string) []piece {
	var found []piece
	var open string
	for _, m := range fence.FindAllStringSubmatchIndex(s, -1) {
		start, end := max(m[2], m[4]), m[1]
		mark := s[start:end]
		switch {
		case open == "":
			open = mark
			found = append(found, piece{start, len(s)})
		case strings.HasPrefix(mark, open):
			open = ""
			found[len(found)-1].end = end
		}
	}
	return found
}

// quotedLines finds lines that begin with ">".
func quotedLines(s string) []piece {
	var found []piece
	for _, l := range lines(s) {
		if text := strings.TrimLeft(l.text, " \t\u3000"); strings.HasPrefix(text, ">") || strings.HasPrefix(text, "＞") {
			found = append(found, l.piece)
		}
	}
	return found
}

var (
	mailBreak = regexp.MustCompile(`(?i)^[ \t]*(?:[-—_=*]{2,}[ \t]*(?:original (?:message|e-?mail|appointment)|forwarded (?:message|e-?mail)(?: by .{0,80})?|forwarded by .{0,80}|原始邮件|原邮件|转发的?邮件|转发邮件信息|原始信息|回复邮件)[ \t]*[-—_=*]*|begin forwarded message:|以下是?转发的?(?:邮件|消息)[:：]?|fwd?: .*)[ \t]*$`)
	wrote     = regexp.MustCompile(`(?i)^[ \t]*(?:on\b.{4,200}\bwrote[:：]?|(?:在|于).{4,120}写道[:：]?|.{0,120}\d{4}.{0,80}(?:写道|寫道)[:：]?)[ \t]*$`)
	// header lines come in blocks; one alone may be the user's own words.
	header   = regexp.MustCompile(`(?i)^[ \t*]*(?:from|to|cc|bcc|sent|date|subject|reply-to)\*{0,2}[ \t]*[:：]`)
	headerZH = regexp.MustCompile(`^[ \t*]*(?:发件人|寄件人|寄件者|收件人|抄送|发送时间|发送日期|主题|主旨|日期)\*{0,2}[ \t]*[:：]`)
	sender   = regexp.MustCompile(`(?i)^[ \t*]*(?:from|发件人|寄件人|寄件者)\*{0,2}[ \t]*[:：]`)
	senderZH = regexp.MustCompile(`^[ \t*]*(?:发件人|寄件人|寄件者)\*{0,2}[ \t]*[:：]`)
)

// mailWords are of which one stands in the first line of every mail.
var mailWords = []string{"original ", "forwarded", "fw:", "fwd:", "on ", "wrote", "写道", "寫道", "from", "邮件", "原始信息", "转发", "发件人", "寄件"}

// mails finds forwarded and answered mail: from its first line to the end of the message.
func mails(s string) []piece {
	if !containsAny(lowerASCII(s), mailWords) {
		return nil
	}
	all := lines(s)
	for i, l := range all {
		if !containsAny(lowerASCII(l.text), mailWords) {
			continue
		}
		joined := l.text
		if i+1 < len(all) {
			joined += " " + all[i+1].text
		}
		lower := strings.ToLower(l.text)
		reply := strings.HasPrefix(strings.TrimSpace(lower), "on ") && wrote.MatchString(joined)
		if mailBreak.MatchString(l.text) || wrote.MatchString(l.text) || reply || mailHeader(all, i) {
			return []piece{{l.start, len(s)}}
		}
	}
	return nil
}

// mailHeader reports whether a mail's header begins at line i: its sender, and another
// header line within the next four. A Chinese sender line needs no other.
func mailHeader(all []line, i int) bool {
	if !sender.MatchString(all[i].text) {
		return false
	}
	if senderZH.MatchString(all[i].text) {
		return true
	}
	for _, l := range all[i+1 : min(len(all), i+5)] {
		if header.MatchString(l.text) || headerZH.MatchString(l.text) {
			return true
		}
	}
	return false
}

var (
	logLine = regexp.MustCompile(`^[ \t]*(?:\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:?[\d.,:+Z]*\]?.{0,40}\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?[ \t:\[]|(?:time|ts|level)=\S+ .*\bmsg=|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \S+ \S+:)`)
	trace   = regexp.MustCompile(`^[ \t]*(?:Traceback \(most recent call last\):|goroutine \d+ \[|panic: |Exception in thread |Caused by: |at [\w$.<>/]+\(.*\)$|File ".*", line \d+|\.{3} \d+ more$)`)
)

// logWords are of which one stands in every log and stack trace.
var logWords = []string{"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "msg=", "Traceback", "goroutine", "panic:", "Exception",
	"Caused by", "at ", "File \"", " more", "]:"}

// logs finds two and more lines of a program's log or stack trace together, with the
// indented lines between them.
func logs(s string) []piece {
	if !containsAny(s, logWords) {
		return nil
	}
	var found []piece
	all := lines(s)
	for i := 0; i < len(all); i++ {
		if !logLine.MatchString(all[i].text) && !trace.MatchString(all[i].text) {
			continue
		}
		last, n := i, 1
		for j := i + 1; j < len(all) && !all[j].blank(); j++ {
			isLog := logLine.MatchString(all[j].text) || trace.MatchString(all[j].text)
			if !isLog && !strings.HasPrefix(all[j].text, " ") && !strings.HasPrefix(all[j].text, "\t") {
				break
			}
			if isLog {
				n++
			}
			last = j
		}
		if n > 1 {
			found = append(found, piece{all[i].start, all[last].end})
		}
		i = last
	}
	return found
}

// Package temporal finds the dates that a text names, in English and in Chinese (simplified
// and traditional), and says which interval each one means for the person who said it.
//
// It owns the reading of phrases such as "next Friday at 3pm", "the end of June", 下下周一
// and 明年春节. It never looks at a clock: the instant of saying and its zone are given. It
// does no I/O, and it never guesses from the rest of the sentence: whether a bare "Friday"
// lies ahead or behind is the caller's Direction.
//
// It is written by hand because the date libraries for Go misread or panic on Chinese.
//
// # How it works
//
// A lexer cuts the text into tokens by the vocabularies in english.go and chinese.go. Rules,
// also tables there, turn runs of tokens into values: a dated span ("tomorrow", 2019年), or a
// floating one that recurs in a cycle ("Friday" in the week, 12月 in the year, 下午 in the
// day). Neighbouring values are then fitted into one another, whichever order a language
// likes: 明年 + 三月 + 5号 + 下午 + 3点, or "3pm" + "Friday" + "next week". A new phrase is a new
// line in a table.
//
// # What phrases mean
//
//	weeks                  Monday to Monday (ISO), weekend = Saturday and Sunday
//	next Friday            the Friday of the next week, not the coming one
//	下周五, 上周五, 这周五 the Friday of that week, strictly
//	last Friday            the latest one before today
//	this Friday            this week's; if that is over and the direction is Future, the next
//	next summer, next June the one a year after "this summer", "this June"
//	last summer, last June the latest one that is over
//	in 3 days, 两个月后    that day; the day of the month is clamped (31 January + 1 month)
//	three years ago, 三年前 that calendar year
//	a few days, 几天       three to seven of the unit; 过几天 is the third to the seventh day
//	next N, past N, N 天内 from today to the last day reached, both included
//	in an hour             elapsed time, then one hour from there
//	beginning, end of month, 月初, 月底   first, last seven days
//	early, mid, late June, 上旬 中旬 下旬  1–10, 11–20, 21–
//	beginning, end of year, 年初, 年底    January, December; 年中: June and July
//	early, mid, late 2019  January–April, May–August, September–December
//	beginning, end of week Monday and Tuesday, Friday to Sunday
//	seasons                northern, whole months: spring is March to May; winter counts for
//	                       the year in which it begins
//	by, before, until, since X   the span of X itself
//
// Parts of the day:
//
//	凌晨 00–06   早上 早晨 清晨 06–09   morning 上午 06–12   noon 中午 12–13
//	afternoon 下午 12–18   傍晚 17–19   evening night tonight 晚上 18–24   深夜 夜里 22–24
//
// A clock time lasts one hour from its minute. Without am or pm, 1 to 5 is the afternoon and
// the rest is as written; a part of the day beside it decides instead (今晚八点). Midnight and
// 晚上12点 are the end of the named day. A clock time alone is today's.
//
// Since, 自 and 以来 look back, whatever the direction. A festival is its day, 国庆 and 春节 too;
// 国庆假期 and 春节期间 are the seven days from it. Chinese New Year, 端午 and 中秋 are known from
// 2020 to 2040.
//
// # What is left alone
//
// A bare part of the day (早上), hour (三点, as in 有三点理由; "at 3") or 夏天 names no day and is
// found only beside something that does. An English month or season alone needs a preposition,
// a direction, a day or a year ("may", "march", "fall" and "June" are other words as well); so
// do "Sat" and "Sun", and a year in digits without 年. Versions, prices, ratios, telephone
// numbers and 24/7 are no dates, nor are dates that do not exist, such as 2月30日.
package temporal

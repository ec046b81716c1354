package demo

import (
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// on is a time in the year of the bundled conversations.
func on(month time.Month, day, hour, minute int) time.Time {
	return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
}

// acts divide the bundled conversations into chapters, and are what happens beside them.
var acts = []Act{
	{At: on(2, 9, 0, 0), Chapter: &Chapter{"A contradiction is asked about, not guessed",
		"Two statements cannot both be true, and neither says that something has changed. The old value stays, and one " +
			"question waits until it fits: it is offered only with a recall that is about it. What the user says then decides."}},
	{At: on(3, 4, 0, 0), Chapter: &Chapter{"The next hundred days: an appointment is over",
		"What has a date is not recalled any more from the moment it is over. The reaper moves it to the archive within the hour."}},
	{At: on(3, 16, 0, 0), Chapter: &Chapter{"A topic is not to be mentioned",
		"It stays in memory, visible to its owner, and is kept from recall until the owner says otherwise."}},
	{At: on(3, 22, 6, 0), Chapter: &Chapter{"A fact is to be forgotten",
		"It is deleted, is not learnt again from what was said before, and a week later its text leaves the ledger as well."}},
	{At: on(3, 24, 20, 0), User: "sam", Again: "work"},
	{At: on(3, 24, 20, 0), User: "阿杰", Again: "工作"},
	{At: on(4, 3, 0, 0), Chapter: &Chapter{"What is not used steps back",
		"30 days after its last use a memory is warm and ranks lower, after 90 it is cold and moves to the archive. There it " +
			"can be asked for, which brings it back. What changes or ends meanwhile does so as ever."}},
	{At: on(4, 6, 9, 0), User: "alex", Look: memory.KindPreference},
	{At: on(4, 6, 9, 0), User: "小岚", Look: memory.KindPreference},
	{At: on(6, 12, 11, 0), Chapter: &Chapter{"What an agent gets to hear, a hundred days on",
		"The few memories that matter, each with its source; better none than a wrong one. Two people are never mixed up."}},
	{At: on(6, 12, 13, 0), Chapter: &Chapter{"A user is erased",
		"Everything of them goes, wherever it is. The receipt counts it place by place, and names nobody."}},
	{At: on(6, 13, 9, 0), User: "robin", Erase: true},
	{At: on(6, 13, 9, 0), User: "阿明", Erase: true},
}

// questions are what agents ask memory in between.
var questions = []Question{
	{At: on(2, 15, 18, 0), User: "alex", Query: "does my cat need a vaccination?"},
	{At: on(2, 16, 9, 0), User: "alex", Query: "how many days until my birthday?"},
	{At: on(2, 22, 20, 0), User: "小岚", Query: "我的猫要打疫苗吗？"},
	{At: on(2, 23, 9, 0), User: "小岚", Query: "我的生日是哪天？"},

	{At: on(3, 9, 2, 0), User: "alex", Query: "what trips are on my schedule?"},
	{At: on(3, 9, 2, 0), User: "小岚", Query: "我最近有什么出差安排？"},
	{At: on(3, 11, 16, 1), User: "小岚", Query: "我最近有什么出差安排？", Note: noReaper},
	{At: on(3, 14, 5, 1), User: "alex", Query: "what trips are on my schedule?", Note: noReaper},

	{At: on(3, 17, 20, 0), User: "alex", Query: "how should I plan my IELTS preparation?"},
	{At: on(3, 17, 20, 0), User: "小岚", Query: "雅思备考要怎么安排？"},
	{At: on(3, 19, 20, 0), User: "alex", Query: "how should I plan my IELTS preparation?", Note: suppressed},
	{At: on(3, 19, 20, 0), User: "小岚", Query: "雅思备考要怎么安排？", Note: suppressed},
	{At: on(3, 21, 20, 0), User: "alex", Query: "how should I plan my IELTS preparation?"},
	{At: on(3, 21, 20, 0), User: "小岚", Query: "雅思备考要怎么安排？"},

	{At: on(5, 4, 12, 0), User: "alex", Query: "which cuisine do I like?", Note: cold},
	{At: on(5, 4, 12, 1), User: "alex", Query: "which cuisine do I like?", Archive: true},
	{At: on(5, 4, 12, 2), User: "小岚", Query: "我偏爱哪个菜系？", Note: cold},
	{At: on(5, 4, 12, 3), User: "小岚", Query: "我偏爱哪个菜系？", Archive: true},

	{At: on(6, 12, 12, 0), User: "alex", Query: "where do I live, and what do I do for work?"},
	{At: on(6, 12, 12, 0), User: "alex", Query: "any food allergies before I order dinner?"},
	{At: on(6, 12, 12, 0), User: "alex", Query: "what does my pet need?"},
	{At: on(6, 12, 12, 0), User: "alex", Query: "what trips are on my schedule?"},
	{At: on(6, 12, 12, 0), User: "sam", Query: "where do I live, any allergies?"},
	{At: on(6, 12, 12, 0), User: "小岚", Query: "我住在哪个城市？"},
	{At: on(6, 12, 12, 0), User: "小岚", Query: "我的宠物需要什么？"},
	{At: on(6, 12, 12, 0), User: "小岚", Query: "点菜要注意什么，我有什么过敏？"},
	{At: on(6, 12, 12, 0), User: "阿杰", Query: "我住在哪里？"},

	{At: on(6, 12, 23, 0), User: "robin", Query: "where do I live?"},
	{At: on(6, 12, 23, 0), User: "阿明", Query: "我住在哪里？"},
}

// Notes beside questions.
const (
	noReaper   = "it has been over for a minute, and the reaper has not come yet"
	suppressed = "it is still remembered, but not to be mentioned"
	cold       = "it is in the archive, which is not asked"
)

package english

import (
	"regexp"
	"strings"
)

// home is where the user lives and comes from.
var home = topic{name: "home", rules: []rule{
	{name: "city.live", cues: []string{"live", "living", "reside", "residing", "based", "settled"}, key: keyCity, take: place,
		pattern: `^{i} (?:live|am living|are living|reside|am residing|am based|are based|am settled|have settled(?: down)?|settled(?: down)?|have been living|have been based|have lived) (?:here |out |over |up |down |alone |by myself |together |happily )*(?:(?:(?:about|around|roughly|some) )?(?:\d+|an|half an|twenty|thirty|ten) (?:minutes?|mins?|km|kilomet(?:er|re)s|miles|hours?) (?:drive )?(?:from|outside(?: of)?|north of|south of|east of|west of|away from)|(?:on|in) a (?:small |big |little )?(?:farm|ranch|houseboat|boat) (?:in|near|outside(?: of)?|on)|in|out of|near|just outside(?: of)?|outside(?: of)?) (?P<v>.+)$`},
	{name: "city.moved", cues: []string{"moved", "relocated", "move"}, key: keyCity, take: destination, changes: true,
		pattern: `^{i} (?:have |had |did )?(?:moved|relocated) (?:from .+ )?(?:back |out |over |up |down |away |house |home |cities |together |with my \w+ )*(?:from .+ )?(?:to|into) (?P<v>.+)$`},
	{name: "city.home-is", cues: []string{"home", "city", "town", "place", "flat", "apartment", "house", "address"}, key: keyCity, take: properPlace,
		pattern: `^my (?:current |new |home )?(?:home|city|town|place|flat|apartment|house|address)(?: of residence)? is (?:now )?(?:in )?(?P<v>.+)$`},
	{name: "city.home-bare", cues: []string{"home "}, key: keyCity, take: properPlace,
		pattern: `^home (?:for me |to me |for us )?is (?:now )?(?:in )?(?P<v>.+)$`},
	{name: "city.where-i-live", cues: []string{"where i "}, key: keyCity, take: place,
		pattern: `^(?P<v>[\w'-]+(?:,? [\w'-]+){0,2}) is where i (?:live|am living|am based)\b.*$`},
	{name: "city.am-in-now", cues: []string{"am in ", "are in "}, key: keyCity, take: announcedPlace, changes: true,
		pattern: `^{i} (?:am|are) in (?P<v>.+)$`},
	{name: "city.love-living", cues: []string{"living"}, key: keyCity, take: place, weak: true,
		pattern: `^{i} (?:love|like|enjoy|hate) living (?:here )?in (?P<v>.+)$`},
	{name: "city.someone-living", cues: []string{"living", "based", "lives"}, key: keyCity, take: place,
		pattern: `^{i} am (?:an? )?[^,]+? (?:living|based|residing|who lives) (?:here )?in (?P<v>.+)$`},
	{name: "city.am-where-i-live", cues: []string{"am in ", "are in "}, key: keyCity, take: whereLived,
		pattern: `^{i} (?:am|are) in (?P<v>.+)$`},
	{name: "city.as-someone", cues: []string{"as some", "as a person"}, key: keyCity, take: place, weak: true,
		pattern: `^as (?:someone|somebody|a person) (?:who (?:lives|is living|is based|resides)|living|based|residing) (?:here )?in (?P<v>.+)$`},
	{name: "city.job-in", cues: []string{" in "}, key: keyCity, take: jobTown, weak: true,
		pattern: `^{i} (?:am|work as) (?:an? )?(?P<job>[^,]+?) (?:based |living )?in (?P<v>.+)$`},
}}

// instead corrects a home in one breath.
var instead = topic{name: "home instead", rules: []rule{
	{name: "city.not-but", cues: []string{"but in", "but now in", "not in"}, key: keyCity, take: place, changes: true,
		pattern: `^{i} (?:live not|do not live|am not based|am not living) in .+?,? but (?:now |rather )?in (?P<v>.+)$`},
}}

var origin = topic{name: "origin", rules: []rule{
	{name: "hometown.from", cues: []string{"from"}, key: keyHometown, take: place,
		pattern: `^{i} (?:(?:am|come) (?:originally )?from|originally come from|originally am from) (?P<v>.+)$`},
	{name: "hometown.born", cues: []string{"born", "grew up", "raised", "brought up"}, key: keyHometown, take: place,
		pattern: `^{i} (?:was born(?: and (?:raised|bred|brought up))?|grew up|was (?:raised|brought up)) (?:on .+ |in \d{4},? )?in (?P<v>.+)$`},
	{name: "hometown.is", cues: []string{"hometown", "home town"}, key: keyHometown, take: place,
		pattern: `^my (?:hometown|home town) is (?P<v>.+)$`},
	{name: "hometown.named-from", cues: []string{" from "}, key: keyHometown, take: namedTown, weak: true,
		pattern: `^i am (?P<n>[^ ,.!]+) from (?P<v>.+)$`},
	{name: "hometown.job-from", cues: []string{" from "}, key: keyHometown, take: jobTown, weak: true,
		pattern: `^{i} am (?:an? )(?P<job>[^,]+?) (?:originally )?from (?P<v>.+)$`},
}}

// noPlace are what people live in, or move to, that is no place on a map.
var noPlace = regexp.MustCompile(`^(?:earth|mars|mother earth|space|heaven|cloud|internet|countryside|suburbs|mountains|woods|forest|desert|city|country|village|town|sticks|basement|attic|shadows?|middle|fear|peace|harmony|hope|hell|pain|denial|poverty|chaos|style|sin|luxury|dorms?|shame|silence|darkness|love|exile|bed|between|case|one|two|three|half|full|general|particular|tents?|vans?|cars?|houses?|flats?|apartments?|rooms?|studios?|moment|past|present|future|real world|world|dream|dreams|bubble|simulation|matrix|person|work|here|there|same|other|different|another|next|new|bigger|smaller|better|team|role|teams|roles|department|management|production|data|marketing|sales|accounting|finance|hr|it|engineering|research|academia|tech|education|healthcare|consulting|retail|construction|hospitality|law|medicine|oncology|pediatrics|paediatrics|cardiology|surgery|training|charge|school|college|university|hospital|office|bank|company|startup|field|industry|my|your|his|her|their|someone|anything|\d.*)$`)

// noDestination are things that one moves to without moving house.
var noDestination = regexp.MustCompile(`^(?:linux|windows|macos|mac|ubuntu|debian|fedora|arch|nixos|android|ios|iphone|vim|neovim|emacs|vscode|vs code|notion|obsidian|slack|teams|discord|zoom|jira|linear|github|gitlab|git|kubernetes|k8s|docker|aws|azure|gcp|google cloud|postgres|postgresql|mysql|mongodb|redis|kafka|nats|python|go|golang|rust|java|kotlin|typescript|javascript|react|vue|svelte|spotify|netflix|apple music|youtube|gmail|outlook|chrome|firefox|safari|brave|cloud|chapter|step|question|part|section|page|tears|plan b|a plan|keto|veganism|terraform|tailwind|next\.?js|decaf|oat milk|tea|coffee|oracle|google|microsoft|amazon|meta|facebook|ibm|sap|nvidia|openai|anthropic|stripe|shopify|uber|airbnb|tesla|intel|siemens|bosch|deloitte|accenture|salesforce|adobe|tencent|alibaba|huawei|samsung|sony|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|` + month + `)\b`)

// newTown are names that begin like "a new house" without its article.
var newTown = regexp.MustCompile(`^new (?:york|delhi|orleans|jersey|zealand|mexico|hampshire|castle|haven|port|plymouth|brunswick|england)\b`)

// screen are things on one.
var screen = regexp.MustCompile(`\b(?:mode|tab|page|file|folder|branch|version|slide|section|window|list|column|row|line|level|team|project|role|plan|phase|stage|desktop|downloads|trash|inbox)$`)

var townPhrase = regexp.MustCompile(`^(?:an? |the )?(?:\w+ )?(?:small |little |tiny |quiet |big )?(?:town|city|village|suburb|district|neighbou?rhood|part|area|flat|apartment|house|place|cottage|studio|room|outskirts|suburbs|center|centre|heart|middle|city of|state|country|island|valley|assisted living|care home|nursing home|dorm|student housing|condo|loft|bungalow) (?:(?:just )?(?:outside|near|close to|called|named|of|in|outside of|on the outskirts of)) `)

// place takes group "v" as the name of a place.
func place(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	if at := townPhrase.FindString(m.c.body.text[a:b]); at != "" {
		a += len(at)
	}
	if strings.HasPrefix(m.c.body.text[a:b], "a ") || strings.HasPrefix(m.c.body.text[a:b], "an ") ||
		strings.HasPrefix(m.c.body.text[a:b], "my ") || strings.HasPrefix(m.c.body.text[a:b], "your ") {
		return nil
	}
	if at := links.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	a, b = m.c.tidy(a, b)
	if a >= b {
		return nil
	}
	if at := strings.Index(m.c.body.text[a:b], ", "); at > 0 && m.c.capital(a) && !m.c.capital(a+at+2) && strings.Contains(m.c.body.text[a+at+2:b], " ") || at > 0 && asideWord.MatchString(m.c.body.text[a+at:b]) {
		b = a + at // a remark, not a region
	}
	name := m.c.body.text[a:b]
	words := strings.Fields(name)
	if len(words) > 6 || noPlace.MatchString(name) || vague.MatchString(words[0]) {
		return nil
	}
	if !m.c.capital(a) && landmark.MatchString(m.c.body.text[:a]) {
		return nil
	}
	if !m.c.capital(a) && len(words) > 1 && determining.MatchString(name) {
		return nil
	}
	if !m.c.capital(a) && (strings.HasSuffix(words[0], "ing") || noPlace.MatchString(words[0]) && !newTown.MatchString(name)) {
		return nil
	}
	return []string{m.c.words(a, b)}
}

// asideWord follows a place behind a comma and belongs to no name.
var asideWord = regexp.MustCompile(`^, (?:closer|nearer|originally|finally|luckily|sadly|unfortunately|temporarily|been|right|love|hate|great|nice|near|next|close|not far)\b`)

// landmark stands before what is near a home and no place to live in: "near the station".
var landmark = regexp.MustCompile(` (?:near|outside(?: of)?|out of|from) the $`)

// determining are words that no name of a place in lower case holds.
var determining = regexp.MustCompile(` (?:the|an?|it|this|that|my|your|our|them|him|her)(?: |$)`)

// properPlace is a place that must have a capital: home is also where the heart is.
func properPlace(m match) []string {
	a, b, ok := m.group("v")
	if !ok || !m.c.capital(a+len(townPhrase.FindString(m.c.body.text[a:b]))) {
		return nil
	}
	return place(m)
}

// announcedPlace is where one is after having left another home; it would else be a
// whereabouts.
func announcedPlace(m match) []string {
	if m.c.moved {
		return properPlace(m)
	}
	for _, near := range []*clause{m.c.before, m.c.after} {
		if near != nil && leftHome.MatchString(near.body.text) {
			return properPlace(m)
		}
	}
	return nil
}

// whereLived is where one is if the next clause says that one lives there.
func whereLived(m match) []string {
	if m.c.after == nil || !livedThere.MatchString(m.c.after.whole) {
		return nil
	}
	return properPlace(m)
}

var livedThere = regexp.MustCompile(`^where (?:i|we) (?:(?:currently|now|also|still) )?(?:live|have (?:always )?lived|have been living|am living|am based)\b`)

var leftHome = regexp.MustCompile(`^my address (?:has |is )?changed|^i (?:do not live|no longer live|am no longer (?:living|based)|used to live|have moved|moved|have left|left) (?:away |out )?(?:of |from |in )?`)

// destination is a place that one can move to.
func destination(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noDestination.MatchString(m.c.body.text[a:b]) || screen.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if (strings.HasPrefix(m.c.body.text[a:b], "the ")) && !m.c.capital(a+4) {
		return nil
	}
	return place(m)
}

// namedTown takes the place of "I'm Ravi from Pune".
func namedTown(m match) []string {
	a, _, ok := m.group("n")
	if !ok || !m.c.capital(a) || noIntro.MatchString(m.folded("n")) || !introduces(m.c) && !greeted.MatchString(m.c.message.Content) {
		return nil
	}
	return properPlace(m)
}

// jobTown takes the place of "a nurse in Boston": a capitalised name behind an occupation.
func jobTown(m match) []string {
	a, b, ok := m.group("v")
	ja, jb, okJob := m.group("job")
	if !ok || !okJob || !m.c.capital(a) || !isJob(m.c.body.text[ja:jb]) && !strings.Contains(m.c.body.text[ja:jb], " at ") {
		return nil
	}
	if strings.Contains(m.c.body.text[a:b], " department") || strings.Contains(m.c.body.text[a:b], " team") {
		return nil
	}
	return place(m)
}

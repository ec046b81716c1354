package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

var (
	// conditional opens a clause that supposes; what follows it in the sentence hangs on it.
	conditional = regexp.MustCompile(`^(?:if|unless|imagine|suppose|supposing|assuming|assume|what if|let us say|let's say|say that|say i|say we|pretend|were i|had i|should i|when i (?:am|was|grow|get|have|retire|win|become)|one day|some ?day|in (?:another|a parallel|my next|my previous|a past|an alternate) (?:life|world|universe)|hypothetically|as if|as though|i wish|i would|i'd|i hope|i dream|i dreamed|i dreamt|last night i dreamed|in my dream|i want|we want|wish|would love|hopefully|ideally|in theory|whether|until i|before i|once i)\b`)
	// hedged clauses are guesses.
	hedged = gated{[]string{"maybe", "perhaps", "might", "possibly", "probably", "thinking", "considering", "sure", "guess", "suppose", "i think", "believe", "feel", "i may", "may or", "could", "would", "i'd", "toying", "tempted", "unlikely", "should", "pretend", "certain", "as if", "contemplating", "dream"}, regexp.MustCompile(`\b(?:maybe|perhaps|might|possibly|probably|thinking (?:of|about)|considering|not sure|i guess|i suppose|i think i|i believe i|i feel like i|i may|i could|i would|i'd|may or may not|toying with|tempted|unlikely|should i|pretending|pretend|not certain|unsure|as if i|feels? like i|contemplating|dream of|dreaming of)\b`)}
	// reported clauses hand on what somebody said.
	reported = regexp.MustCompile(`^(?:he|she|they|it|my \w+|the \w+|someone|somebody|people|everyone|[\w]+) (?:said|says|wrote|writes|told me|told us|claims|claimed|sings|sang|replied|texted|thinks|thought|believes|insists|keeps saying|goes|asked|asks)\b`)
	// told are sentences of fiction, of songs and films, of roles that are played.
	told = regexp.MustCompile(`\b(?:my (?:character|protagonist|villain|hero|heroine|narrator|d and d character|dnd character|oc|avatar|persona)|main character|in my (?:novel|story|book|screenplay|play|game|campaign|fanfic|dream|poem|song)|in this (?:game|story|scene|play|movie|role-play|roleplay)|in the (?:film|movie|book|novel|story|song|game|show|series|play|lyrics|episode|video)|the protagonist|the narrator|lyrics?|the song|the line|quote of|famous quote|the caption|the sign says|the joke|a joke|fictional|dialogue|monologue|script says|the prompt|the text says|the email says)\b`)
	// played openings make fiction of the rest of the message.
	staged = regexp.MustCompile(`^dear [^,:]{2,40}[,:] i am writing (?:to|in|with|on|about|regarding)\b|^(?:dear )?(?:to whom it may concern|sir or madam|sir/madam|hiring manager)\b|\b(?:role[- ]?play|roleplaying|pretend (?:that |to be |you|i|we)|act as|you are (?:a|an|the|my|now) (?:\w+ )?(?:pirate|assistant|expert|character|doctor|teacher|detective|wizard|robot|king|queen|vampire|tutor|interviewer|therapist|customer|senior|helpful|professional|world-class|copywriter)|imagine (?:that |you|i|we|a)|suppose (?:that |i|we|you)|let us say|let's say|(?:let us|let's) (?:imagine|pretend|play (?:a game|pretend|a role))|hypothetically|hypothetical|what if|write (?:a|an|me|some|the|this|my)\b.* (?:from the perspective|in the voice|as if|in first person|where i|in which i|about someone)|assume (?:that |i|we|you)|for the sake of argument|in this scenario|scenario|as an ai|(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|above|earlier|preceding|system) (?:instructions?|prompts?|rules|messages)|system prompt|developer mode)\b`)
	// jokes take back the sentence before them.
	jokes    = regexp.MustCompile(`\b(?:just kidding|jk|only kidding|i am kidding|kidding|just joking|i am joking|joking|april fools|just messing|pulling your leg|sarcasm|that was a joke|it was a joke|i lied|not true|made that up)\b|^/s\b| /s$`)
	jokeOnly = regexp.MustCompile(`^(?:(?:haha+|lol|lmao|hehe|nah|no|ha|ok|well|oh|just|only|i am|i was|was|am|totally|obviously|of course|sorry|but) ?,? ?)*(?:just kidding|jk|only kidding|kidding|just joking|joking|april fools|not really|messing|pulling your leg|that was a joke|it was a joke|i lied|not true|made that up|/s)\b`)
	laughs   = regexp.MustCompile(`^(?:lol|lmao|rofl|lmfao)\b`)
	// material openings put somebody's text before the assistant; what follows is no
	// statement of the user.
	material = regexp.MustCompile(`\b(?:translate|proofread|rewrite|re-write|summari[sz]e|paraphrase|rephrase|correct|fix|edit|improve|polish|review|analy[sz]e|check|shorten|convert|reword|grade|format|explain|repeat|say|write|type|respond with|reply with|answer with|read|draft|compose|print|output|transcribe|spell)\b[^:]{0,80}:(?: |$)`)
	// dialogue lines name their speaker.
	dialogue = regexp.MustCompile(`^(?:q|a|user|assistant|human|ai|bot|interviewer|customer|agent|person a|person b|speaker \d|narrator) ?\d?: `)
	quoting  = regexp.MustCompile(`\b(?:says?|said|wrote|writes|reads?|text|email|mail|lyrics?|story|following|this|essay|letter|dialogue|prompt|message|draft|poem|transcript|quote|sentence|statement|bio|caption|post|tweet|article|excerpt|passage|example|e\.g|input|output|log|code|resume|cv|cover letter)\s?:$`)
	request  = regexp.MustCompile(`^(?:please )?(?:translate|proofread|rewrite|summari[sz]e|paraphrase|rephrase|correct|edit|polish|write|say|repeat|type|draft|compose|generate|create|print|spell|pronounce|how do (?:i|you) say|tell (?:him|her|them|everyone|people|my \w+)|answer as|respond as|reply as|sing|recite)\b`)
	asking   = regexp.MustCompile(`^(?:please )?(?:what|where|when|who|whom|whose|why|how|which|can|could|would|will|should|shall|do|does|did|is|are|was|were|am|have i|have we|have you|has|had|may|might|any|isn't|aren't|is not|are not|does not|do not you|tell me|guess|give me|show me|help|find|suggest|recommend|explain|remind me|let me know|i wonder|i am wondering|i was wondering|wondering|you know|right|correct|ok|okay|or|and you)\b`)
	labels   = regexp.MustCompile(`^(?:note|remember(?: this| that)?|correction|update|fyi|btw|by the way|about me|background|context|ps|p\.s\.?|edit|reminder|important|anyway|introduction|intro|fun fact|keep in mind|my [\w ]+|hobbies|languages|allergies|interests|diet|name|city|location|job|occupation|pets|save this|please remember(?: this| that)?|no|yes|also|so|the thing is)$`)
)

// header is a line of a mail; two of them open a pasted one.
var header = regexp.MustCompile(`(?im)^[ \t>*]*(?:from|to|cc|subject|date|sent|reply-to)[ \t]*:[^\n]*\n(?:[ \t]*\n)?[ \t>*]*(?:from|to|cc|subject|date|sent|reply-to)[ \t]*:`)

// ownWords is the content before a mail that was pasted into it.
func ownWords(content string) string {
	if at := header.FindStringIndex(content); at != nil {
		return content[:at[0]]
	}
	return content
}

// stance is what a sentence says about the sentences after it in its message.
type stance int

const (
	// speaking sentences are the user's own words.
	speaking stance = iota
	// aside sentences are none, themselves.
	aside
	// staging sentences are none, and neither is the rest of the message.
	staging
)

// The cues are words of which the patterns of the same name need one: most sentences have
// none of them.
var (
	stagedCues = []string{"dear ", "to whom", "play", "pretend", "act as", "you are", "imagine", "suppose", "let us", "let's", "hypothetical", "what if", "write", "assume", "sake of", "scenario", "as an ai", "instructions", "prompt", "rules", "developer mode"}
	toldCues   = []string{"character", "protagonist", "villain", "hero", "narrator", " oc", "avatar", "persona", "in my", "in this", "in the", "lyric", "the song", "the line", "quote", "caption", "sign says", "joke", "fictional", "dialogue", "monologue", "says", "prompt"}
	jokeCues   = []string{"kidding", "jk", "joking", "april", "messing", "leg", "sarcasm", "joke", "lied", "not true", "made that up", "/s", "not really"}
)

// userStory is a requirement in the form of "As a nurse, I want to chart, so that …".
var userStory = regexp.MustCompile(`^as an? [\w' -]+?,? i (?:want|need|would like|can|should be able) (?:to )?.*\bso (?:that )?i\b`)

// stanceOf judges a folded sentence.
func stanceOf(s string, g *grams) stance {
	switch {
	case g.containsAny(s, stagedCues) && staged.MatchString(s):
		return staging
	case strings.Contains(s, ":") && (material.MatchString(s) || dialogue.MatchString(s)):
		return staging
	case g.containsAny(s, toldCues) && told.MatchString(s):
		return aside
	case laughs.MatchString(s), strings.HasPrefix(s, "as a") && userStory.MatchString(s):
		return aside
	}
	return speaking
}

// opensMaterial returns where in a folded sentence somebody else's text begins, after a
// colon; -1 where none does.
func opensMaterial(s string) int {
	for i := range len(s) {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') && quoting.MatchString(s[:i+1]) && !labels.MatchString(s[:i]) {
			return i
		}
	}
	return -1
}

// personal are the words without one of which a sentence says nothing of the user and asks
// nothing of the memory.
var personal = map[string]bool{
	"i": true, "we": true, "my": true, "our": true, "me": true, "us": true, "mine": true,
	// Requests to the memory.
	"remember": true, "forget": true, "save": true, "store": true, "note": true, "keep": true, "record": true,
	"mention": true, "mentioning": true, "bring": true, "bringing": true, "talk": true, "talking": true, "stop": true,
	"memory": true, "memories": true, "between": true, "stays": true, "enough": true, "discuss": true, "memorize": true,
	"memorise": true, "write": true, "jot": true, "log": true, "delete": true, "erase": true, "wipe": true,
	// Statements without the first person.
	"is": true, "are": true, "was": true, "got": true, "has": true, "died": true, "passed": true, "rip": true,
	"rest": true, "had": true, "calls": true, "call": true, "here": true, "as": true, "being": true, "allergic": true,
	"no": true, "without": true, "skip": true, "hold": true, "leave": true, "avoid": true, "exclude": true, "cannot": true,
	"appointment": true, "flight": true, "exam": true, "interview": true, "meeting": true, "wedding": true, "surgery": true,
	"conference": true, "deadline": true, "trip": true, "party": true, "dinner": true, "concert": true, "checkup": true,
	"check": true, "presentation": true, "fell": true, "cancelled": true, "starts": true, "begins": true, "leaves": true,
	"name": true, "allergies": true, "allergy": true, "hobbies": true, "birthday": true, "diet": true, "hobby": true,
	"bought": true, "finished": true, "graduated": true, "quit": true, "broke": true, "lost": true, "ran": true,
	"adopted": true, "moved": true, "visited": true, "live": true, "work": true, "grew": true, "love": true, "do": true,
	"hate": true, "went": true, "have": true, "speak": true, "started": true, "been": true, "born": true, "going": true,
	"flying": true, "moving": true, "visiting": true, "travelling": true, "leaving": true, "heading": true, "having": true,
	"starting": true, "getting": true, "living": true, "based": true, "originally": true, "working": true, "married": true,
	"scratch": true, "strike": true, "subject": true, "topic": true, "oops": true, "liked": true, "loved": true, "sorry": true, "wait": true, "correction": true, "team": true,
	"studying": true, "not": true, "gives": true, "give": true, "meant": true, "make": true, "will": true, "rather": true,
}

// speaks reports whether a folded sentence can say something of the user at all.
func speaks(s string) bool {
	for len(s) > 0 {
		word := firstWord(s)
		if personal[word] {
			return true
		}
		s = s[max(len(word), 1):]
	}
	return false
}

// stated drops the clauses of a sentence in which the user states nothing: questions,
// suppositions, guesses, what others said, requests, quotations.
func stated(clauses []*clause, s sentence.Sentence) []*clause {
	var out []*clause
	for i, c := range clauses {
		w := c.whole
		if s.Question && (asking.MatchString(w) || i == len(clauses)-1) {
			return dropTag(out, w, s)
		}
		if s.Question && i+1 < len(clauses) && asRole.MatchString(w) && toYou.MatchString(clauses[i+1].whole) {
			continue // whose role that is, is open
		}
		if c.pinned && (conditional.MatchString(w) || hedged.match(w, c.wholeGrams()) || reported.MatchString(w) || request.MatchString(w)) {
			c.verbatim, c.to = true, clauses[len(clauses)-1].to
			return append(out, c)
		}
		if conditional.MatchString(c.body.text) || conditional.MatchString(w) {
			return out
		}
		if reported.MatchString(w) && strings.HasPrefix(w, "my ") && !strings.HasPrefix(w, "my name") {
			c.quoting = true
			return append(out, c)
		}
		if request.MatchString(w) || reported.MatchString(w) && !subjectFirst.MatchString(w) && !strings.HasPrefix(w, "my name") {
			return out
		}
		if s.InQuotes(c.from-s.From, c.to-s.From) && !spares(c, s) {
			continue
		}
		if asking.MatchString(w) && !s.Question && !strings.HasPrefix(w, "any") && !strings.HasPrefix(w, "had to ") || hedged.match(w, c.wholeGrams()) || strings.HasPrefix(c.body.text, unrealLead) {
			continue
		}
		out = append(out, c)
	}
	return out
}

var (
	asRole = regexp.MustCompile(`^(?:as|being) (?:an?|someone|somebody) `)
	toYou  = regexp.MustCompile(`^(?:(?:how|what|where|which|why|when|who)(?: \w+)? )?(?:would|do|can|could|should|will|did) you\b`)
)

// dropTag keeps what stands before a question, unless the question is only a tag that asks
// to confirm it ("I live in Oslo, right?").
func dropTag(before []*clause, question string, s sentence.Sentence) []*clause {
	if tag.MatchString(question) && len(before) > 0 {
		return before[:len(before)-1]
	}
	return before
}

var tag = regexp.MustCompile(`^(?:right|correct|yes|no|ok|okay|huh|eh|is not it|is it not|do not i|am i not|are not i|isn't it|don't i|do i|am i|did i|or|or not|is it|is that right|is that correct|remember)\b`)

// spares reports whether the quotation marks in a clause only set off a name in it.
func spares(c *clause, s sentence.Sentence) bool {
	for _, q := range s.Quoted {
		from, to := q[0]+s.From, q[1]+s.From
		if from <= c.from && c.to <= to || to-from > (c.to-c.from)/2 {
			return false
		}
	}
	return true
}

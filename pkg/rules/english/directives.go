package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// polite is what a request to the memory may be wrapped in.
const polite = `(?:(?:please|can you|could you|would you|will you|i want you to|i need you to|i would like you to|i'd like you to|you should|you can|you may|you must|make sure you|make sure to|be sure to|just|kindly|also|always|actually|and|ok|but|so|hey),? )*`

// laterOn may close a request to the memory.
const laterOn = `(?: (?:please|for me|for later|for next time|for the future|for future reference|in the future|from now on|again|any more|any longer|ever|ever again|at all|to me|with me|anywhere|in memory|to memory|in your memory|to your memory|on file|thanks|thank you|ok|okay|up|all the time|every time|each time|for good|so much))*`

var (
	remember = regexp.MustCompile(`^` + polite + `(?:(?:remember|keep in mind|bear in mind|note|take note|make a note|make note|do not forget|never forget|memori[sz]e|write down|jot down|record)(?: (?:this|down|for me|for later|for next time|for the future|the fact|the following))*(?: that|:|,)? (?P<v>(?:i |we |my |our |to call me ).+)|(?:remember|keep in mind|bear in mind|do not forget|never forget) (?P<x>(?:the|his|her|it|there) .*\b(?:is|are|was|has|have|will|does|goes|lives|works|likes|loves)\b.+)|(?:remember|keep in mind|bear in mind|note|take note|make a note|do not forget|never forget|save|store|record|memori[sz]e|write down|add to (?:your )?memory|save to (?:your )?memory)(?: (?:this|down|for me|for later|the fact|the following|as a note|in (?:your )?memory))*(?: that|:| of the fact that) (?P<w>.+))$`)
	// rememberWhat opens a request whose statement is the next clause.
	rememberWhat = regexp.MustCompile(`^(?:just )?for (?:future reference|your reference|next time|later reference|your records|your memory)$|^` + polite + `(?:remember|keep in mind|note|take note|do not forget|save|store|record|memori[sz]e|write down)(?: (?:this|the following|that|down|for me|for later))*$`)
	// rememberIt refers to what was said before.
	rememberIt  = regexp.MustCompile(`^` + polite + `(?:remember|keep|note|save|store|record|memori[sz]e|do not forget|keep in mind|write down|bear in mind) (?:this|that|it|all (?:of )?(?:this|that))(?: in mind| down)?` + laterOn + `$`)
	noStatement = regexp.MustCompile(`^(?:time|times|when|how|what|day|one|guy|game|movie|song|to (?:[a-bd-z]|c[b-z]|ca[a-km-z]))`)
	// bareThing is something of which nothing is said: "my birthday".
	bareThing = regexp.MustCompile(`^(?:my|our) (?:[a-z'-]+ )?[a-z'-]*(?:[a-ce-rt-z'-]|[^e]d)$`)
	doNotSave = regexp.MustCompile(`^` + polite + `(?:do not|never|no need to|you do not (?:need|have) to|there is no need to|rather not|please do not) (?:please )?(?:(?:save|store|remember|record|note|memori[sz]e|write|log|retain|keep|put)(?: down)? (?:this|that|it|any of (?:this|that|it)|these|what i (?:just )?(?:said|told you|wrote)|this (?:message|conversation|one|part|info|information|bit|chat)|that part|the (?:last|above|previous) (?:message|part|bit|sentence)|anything (?:from|in|about) this.*)(?: down)?` + laterOn + `|add (?:this|that|it) to (?:your |the )?(?:memory|notes|profile))$|^` + polite + `do not (?:tell|share (?:this|that|it) with|mention (?:this|that|it) to|repeat (?:this|that|it) to) (?:anyone|anybody|a soul|other people|others)(?: else)?$|\boff the record\b|^(?:keep (?:this|that|it) (?:between us|between you and me|private|to yourself|secret)|(?:this|that|it) (?:is|stays|should stay|has to stay) (?:just |strictly |only )?(?:between us|between you and me|private|confidential)|(?:just |strictly )?between (?:us|you and me|the two of us)$|not for the record)|^` + polite + `forget (?:(?:that )?i (?:ever )?(?:said|told you|mentioned) (?:that|this|it|anything)|what i (?:just )?(?:said|told you|wrote)|(?:that|this|my|the) last (?:message|part|bit|sentence|thing)|that|this)` + laterOn + `$`)
)

// requestCues are words of which every request to the memory has one.
var requestCues = []string{
	"remember", "forget", "forgot", "mind", "note", "save", "store", "record", "memor", "writ", "jot", "keep", "log",
	"mention", "bring", "talk", "remind", "speak", "speaking", "refer", "discuss", "ask", "about", "enough",
	"reference", "next time", "tell", "share", "repeat", "off the record", "between", "private", "confidential", "remov", "eras", "delet", "wip", "clear", "drop", "no more", "to know", "retain", "avoid", "subject",
}

// directives takes what the clauses of a sentence ask of the memory out of them, and
// returns the clauses that are left to be read; heard is whether there was any request.
func (r *reader) directives(clauses []*clause, s *sentence.Sentence) (left []*clause, heard bool) {
	if low := strings.ToLower(s.Text); !gramsOf(low).containsAny(low, requestCues) {
		return clauses, false
	}
	pinned := false
	for i, c := range clauses {
		if s.InQuotes(c.from-s.From, c.to-s.From) && !spares(c, *s) {
			left = append(left, c)
			continue
		}
		switch rest, ok := statement(c); {
		case strings.HasPrefix(c.whole, "do you"), s.Question && strings.HasPrefix(c.whole, "remember"), strings.HasPrefix(c.whole, "did you"):
			left = append(left, c)
		case doNotSave.MatchString(c.whole):
			heard = true
			r.dropped = append(r.dropped, r.directive(memory.ActionDoNotSave, "", c))
		case r.asks(forgets, clauses[i:]), r.asks(forgetsThat, clauses[i:]), r.asks(forgetsNamed, clauses[i:]), r.asks(suppresses, clauses[i:]):
			return left, true
		case !s.Question && r.asks(lifts, clauses[i:]):
			heard = true
		case rememberIt.MatchString(c.whole) && (i > 0 || len(clauses) == 1):
			heard = true
			r.pinBefore(c)
		case ok:
			heard, pinned = true, true
			rest.pinned, rest.before, rest.after = true, c.before, c.after
			left = append(left, rest)
			r.requests = append(r.requests, r.directive(memory.ActionRemember, "", c))
		case rememberWhat.MatchString(c.whole) && i+1 < len(clauses) && !strings.HasPrefix(clauses[i+1].whole, "remember"):
			heard, pinned = true, true
			r.requests = append(r.requests, r.directive(memory.ActionRemember, "", c))
		default:
			c.pinned = pinned
			left = append(left, c)
		}
	}
	return left, heard
}

// statement is what a clause asks to be remembered.
func statement(c *clause) (*clause, bool) {
	at := remember.FindStringSubmatchIndex(c.whole)
	if at == nil {
		return nil, false
	}
	for _, g := range []string{"v", "w", "x"} {
		i := 2 * remember.SubexpIndex(g)
		if at[i] < 0 {
			continue
		}
		if said := c.whole[at[i]:at[i+1]]; noStatement.MatchString(said) || bareThing.MatchString(said) {
			return nil, false
		}
		from := at[i]
		if strings.HasPrefix(c.whole[from:], "to call me") {
			from += len("to ")
		}
		rest := newClause(c.message, c.all.cut(from, len(c.whole)), "")
		if rest == nil {
			return nil, false
		}
		rest.sentence = c.sentence
		return rest, true
	}
	return nil, false
}

func (r *reader) directive(action memory.Action, what string, c *clause) memory.Directive {
	return memory.Directive{Action: action, What: what, Source: c.source()}
}

// pinBefore pins what the message said before the clause, or else what the user's message
// before it said.
func (r *reader) pinBefore(c *clause) {
	d := r.directive(memory.ActionRemember, "", c)
	if source, ok := r.pin(c.message.Number); ok {
		d.Source.Message = source.Message
	} else if source, ok := r.pin(r.userBefore(c.message.Number)); ok {
		d.Source = source
	}
	r.requests = append(r.requests, d)
}

// pin pins the findings of a message and returns the source of the first.
func (r *reader) pin(message int) (source memory.Source, ok bool) {
	for i := range r.found {
		if f := &r.found[i]; f.Source.Message == message {
			f.Pinned = true
			if !ok {
				source, ok = f.Source, true
			}
		}
	}
	return source, ok
}

// userBefore is the number of the user's last message before the one numbered n; n itself
// where there is none.
func (r *reader) userBefore(n int) int {
	before := n
	for _, m := range r.messages {
		if m.Number == n {
			return before
		}
		if m.Role == memory.RoleUser {
			before = m.Number
		}
	}
	return before
}

// settleDropped decides which message each request not to save is about (its own if that
// says something besides, else the one before) and takes that message's findings back.
func (r *reader) settleDropped() {
	for _, d := range r.dropped {
		if !r.saysMore(d.Source) {
			if n := r.userBefore(d.Source.Message); n != d.Source.Message && r.content(n) != "" {
				d.Source = memory.Source{Message: n, Quote: r.content(n)}
			}
		}
		kept := r.found[:0]
		for _, f := range r.found {
			if f.Source.Message != d.Source.Message {
				kept = append(kept, f)
			}
		}
		r.found = kept
		r.requests = append(r.requests, d)
	}
}

func (r *reader) content(number int) string {
	for _, m := range r.messages {
		if m.Number == number {
			return m.Content
		}
	}
	return ""
}

// saysMore reports whether the message of a quote says anything besides it.
func (r *reader) saysMore(s memory.Source) bool {
	rest := strings.Replace(r.content(s.Message), s.Quote, " ", 1)
	return len(strings.Fields(rest)) >= 3
}

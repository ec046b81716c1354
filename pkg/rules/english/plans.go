package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// plans are dated things to come. Rules say which clauses can be one; without a date ahead
// there is none.
var plans = topic{name: "plans", rules: []rule{
	{name: "plans.progressive", cues: []string{"ing "}, build: planned,
		pattern: `^{i} (?:am|are|will be|am also|might be) (?P<verb>[\w-]+ing)\b(?: .*)?$`},
	{name: "plans.will", cues: []string{"will ", "going to", "have to", "need to", "must ", "got to", "plan to", "planning to", "due to", "supposed to", "scheduled to", "about to", "intend to"}, build: planned,
		pattern: `^{i} (?:will|am going to|are going to|have to|need to|must|have got to|plan to|am planning to|are planning to|am due to|am supposed to|am scheduled to|intend to|plan on|am planning on) (?:be )?(?P<verb>[\w-]+)\b.*$`},
	{name: "plans.present", cues: []string{"fly ", "leave ", "travel ", "depart", "arrive", "move ", "start ", "graduate", "retire", "return ", "turn ", "get married"}, build: planned,
		pattern: `^{i} (?:(?:also|then|actually) )?(?:fly|leave|travel|depart|arrive|move|start|graduate|retire|return|turn|get married)\b.*$`},
	{name: "plans.have", cues: []string{"have ", "got "}, build: planned,
		pattern: `^{i} (?:have|have got|got|have booked|booked|have scheduled|scheduled|have planned|have bought|bought|got) (?:a|an|my|the|our|two|three|four|some|another|tickets|dinner|lunch|drinks|class|classes|work|school|surgery|therapy|yoga|training|exams|finals|friends|family|guests|visitors|plans)\b.*$`},
	{name: "plans.thing-is", cues: []string{" is ", " are ", "starts", "begins", "arrives", "leaves", "due", "takes place", "ends", "happens", "departs", "comes", "opens", "is on"}, build: plannedThing,
		pattern: `^(?:my|our|the|this|next) (?P<what>[\w' -]+?) (?:is|are|will be|starts?|begins?|arrives?|leaves?|departs?|ends?|takes place|happens|comes|opens|is due|is scheduled|is set)\b.*$`},
	{name: "plans.there-is", cues: []string{"there is", "there are"}, build: plannedThing,
		pattern: `^there (?:is|are|will be) (?:a|an|my|our|this|the|two) (?P<what>[\w' -]+?)\b.*$`},
	{name: "plans.deadline", cues: []string{"deadline", "due"}, build: planned,
		pattern: `^(?:my|our|the) [\w' -]+ (?:deadline )?(?:is|are) (?:due )?.*$`},
	{name: "plans.stay", cues: []string{"am ", "are "}, build: planned,
		pattern: `^{i} (?:am|are|will be) (?:away|off|abroad|travelling|out of (?:town|office|the office|the country)|on (?:vacation|holiday|leave|call|a (?:business )?trip|parental leave|maternity leave|paternity leave|duty)|in (?:the )?(?P<where>[^ ].*)|at (?:a|an|the) (?:conference|wedding|retreat|workshop|festival)|visiting)\b.*$`},
	{name: "plans.others", cues: []string{"my "}, build: planned,
		pattern: `^my (?:` + modifiers + `(?:` + familyRole + `|` + partnerRole + `|friends?|boss|in-laws)(?: [\w-]+)?|[\w-]+ and [\w-]+) (?:starts?|turns?|graduates?|leaves?|moves?|flies|fly|arrives?|comes?|visits?|lands?|gets?|has an?|have an?|(?:is|are|will be|will|comes?|arrives?) (?:starting|leaving|moving|flying|going|travelling|getting|coming|visiting|arriving|staying|getting married|moving in|graduating|flying in|having (?:a baby|surgery)|turning|come|visit|arrive|to visit|over))\b.*$`},
	{name: "plans.noun", cues: nil, build: plannedNoun,
		pattern: `^(?:(?:an?|my|our) )?(?:[\w-]+ ){0,2}(?P<what>appointment|flight|exam|interview|meeting|wedding|surgery|conference|deadline|trip|party|dinner|concert|checkup|check-up|presentation)\b.*$`},
}}

var (
	// noDoing are verbs of states, and of talk about the talk itself.
	noDoing   = regexp.MustCompile(`^(?:feeling|thinking|wondering|trying|looking|hoping|dying|having trouble|asking|talking|kidding|joking|guessing|assuming|saying|wanting|using|getting (?:tired|hungry|an error|errors|a|sick)|running (?:late|out|into|low)|sitting|freezing|starving|sweating|being|going to|doing (?:ok|okay|well|fine|good|great)|struggling|curious|interesting|amazing|nothing|something|anything|during|morning|evening|considering|not|maybe|never|try|let|check|get back|think|see|ask|tell|test|do (?:it|that|this)|look|know|need|want|like|love|hate|be back|respond|reply|report back|keep you|update you|figure|understand|use|remember|forget|sleep on it|say|admit|hope|consider|wait|explain|stay tuned|come back|fix|debug|go now|run|working from home|working late|working|eating|drinking|watching|reading|coming (?:home|back)|heading home|going home|sleeping|waking|relaxing|chilling|cooking|studying|learning|living|listening|bored|wearing|enjoying|loving|complaining|ranting|procrastinating|walking to|driving to work|biking to work|cycling to work|commuting|dreaming|pulling|dealing|finishing up|go to (?:bed|sleep|work))\b`)
	eventNoun = regexp.MustCompile(`\b(?:appointment|flight|train|bus|exam|exams|test|interview|meeting|wedding|surgery|operation|conference|deadline|trip|holiday|vacation|party|dinner|lunch|concert|checkup|check-up|presentation|talk|defen[cs]e|graduation|ceremony|anniversary|birthday|move|visit|game|match|race|marathon|recital|class|course|workshop|session|call|demo|release|launch|review|fair|festival|funeral|reunion|hearing|audition|rehearsal|date|event|show|show|tournament|camp|semester|term|school|internship|contract|lease|visa|passport|rent|report|paper|essay|assignment|homework|project|thesis|tax return|taxes|first day|last day|start date|due date|due|delivery|inspection|viewing|parent evening|open day|parents' evening|prom|play|cruise|retreat|scan|mri|vaccination|shot|job|honeymoon|baby shower|shower|baby|summit|sprint|standup|stand-up|offsite|off-site|evaluation|performance|gig|tour|treatment|therapy|housewarming|barbecue|bbq|picnic|sale|auction|election|quiz|final|finals|midterm|midterms|driving test|kickoff|kick-off)\b`)
	noHave    = regexp.MustCompile(`\b(?:question|questions|problem|problems|issue|issues|feeling|idea|headache|cold|fever|migraine|doubt|hard time|bug|request|favor|favour|look|bad day|long day|good day|lot|weird|suggestion|moment|minute|second|sore|cough|hangover|error|rough|hunch|tough|busy|free time|day off)\b`)
)

// planned builds a plan if the clause names a date that is not over.
func planned(m match) []memory.Candidate {
	if hedged.match(m.c.whole, m.c.wholeGrams()) || moreThought.MatchString(m.c.body.text) {
		return nil
	}
	switch m.rule.name {
	case "plans.have":
		if noHave.MatchString(m.c.body.text) && !eventNoun.MatchString(m.c.body.text) {
			return nil
		}
	case "plans.deadline":
		if !strings.Contains(m.c.body.text, "deadline") && !strings.Contains(m.c.body.text, " due ") {
			return nil
		}
	case "plans.stay":
		if a, _, ok := m.group("where"); ok && !m.c.capital(a) {
			return nil
		}
	default:
		if a, b, ok := m.group("verb"); ok {
			s := m.c.body.text[a:]
			if noDoing.MatchString(s) && !strings.HasPrefix(s, "getting a ") || m.c.body.text[a:b] == "going" && strings.HasPrefix(m.c.body.text[b:], " to be able") {
				return nil
			}
			if rest, ok := strings.CutPrefix(m.c.body.text[a:], "moving to "); ok && noDestination.MatchString(rest) {
				return nil
			}
			if rest := m.c.body.text[b:]; pointlessRest.MatchString(rest) {
				return nil
			}
		}
	}
	return m.plan()
}

var (
	pointlessRest = regexp.MustCompile(`^ (?:you|it|that|this|them) (?:again |back )?(?:a call |about it |out |know )?(?:tomorrow|later|today|tonight|soon)$`)
	moreThought   = regexp.MustCompile(`\b(?:thinking (?:of|about)|would|could|wondering|let you know|get back to you|talk to you|see you|tell you|ask you|if i)\b`)
)

// plannedThing builds a plan of an event noun.
func plannedThing(m match) []memory.Candidate {
	what := m.folded("what")
	if m.rule.name == "plans.there-is" {
		what = m.c.body.text
	}
	if !eventNoun.MatchString(what) || hedged.match(m.c.whole, m.c.wholeGrams()) {
		return nil
	}
	return m.plan()
}

// plannedNoun builds a plan told without a verb ("Dentist appointment tomorrow at 3").
func plannedNoun(m match) []memory.Candidate {
	if len(strings.Fields(m.c.body.text)) > 9 || verbal.MatchString(m.c.body.text) {
		return nil
	}
	return m.plan()
}

var verbal = regexp.MustCompile(`\b(?:is|are|was|were|do|does|did|has|have|had|can|will|would|should|help|make|write|give|how|what|please|need|want|cancel|book|schedule|set|add|plan|move|my \w+'s|ideas?|tips|notes|minutes|summary|agenda|outfit|recipes?|invitation|questions)\b`)

// plan is the clause as a plan: it begins and expires with the date it names. A repeated
// appointment is a habit, not a plan.
func (m match) plan() []memory.Candidate {
	c := m.candidate("", "")
	span, ok := m.c.when(future)
	if !ok {
		if !m.c.recurs() || m.rule.name == "plans.noun" {
			return nil
		}
		return []memory.Candidate{c}
	}
	c.Stability = memory.Dated
	c.Plan = true
	c.ValidFrom, c.ExpiresAt = span.Start, span.End
	if movedSign.MatchString(m.c.whole) {
		if what := distinguishing(m.c, 0, len(m.c.body.text)); what != "" {
			c.Relation = memory.RelationUpdates
			c.Target = &memory.Target{Value: what, Plan: true}
		}
	}
	return []memory.Candidate{c}
}

// movedSign are words by which a plan replaces an earlier one.
var movedSign = regexp.MustCompile(`\b(?:instead|now (?:on|at|in)|is now|rescheduled|moved to|no longer|rather than|not on|changed to|after all)\b|, not `)

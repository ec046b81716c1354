package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// allergies are what the user must not come near.
var allergies = topic{name: "allergies", rules: []rule{
	{name: "allergies.to", cues: []string{"allerg", "intoleran"}, key: keyAllergies, take: allergens,
		pattern: `^{i} (?:am|are|have always been|have been|became|have become|turned out to be) (?:allergic|intolerant|hypersensitive|highly sensitive) to (?P<v>.+)$`},
	{name: "allergies.have-to", cues: []string{"allerg", "intoleran"}, key: keyAllergies, take: allergens,
		pattern: `^{i} (?:have|have got|suffer from|developed|have developed) (?:(?:a|an|some|severe|bad|mild|serious|food|strong|terrible|life-threatening|nasty|slight) )*(?:allergy|allergies|intolerance|allergic reactions?|sensitivity)(?: \w+)? (?:to|against) (?P<v>.+)$`},
	{name: "allergies.have-kind", cues: []string{"allerg", "intoleran", "hay fever"}, key: keyAllergies, take: allergens,
		pattern: `^{i} (?:have got|have|suffer from|developed|have developed) (?:(?:a|an|some|severe|bad|mild|serious|strong|terrible|life-threatening|nasty|slight) )*(?P<v>[\w-]+(?:(?: and|,| or| )? ?[\w-]+){0,3}?) (?:allergy|allergies|intolerance)\b`},
	{name: "allergies.lactose", cues: []string{"intolerant"}, key: keyAllergies, take: one,
		pattern: `^{i} am (?P<v>lactose|gluten|histamine|fructose)[ -]intolerant\b`},
	{name: "allergies.hives", cues: []string{"hives", "break out", "swell", "anaphyla"}, key: keyAllergies, take: allergens,
		pattern: `^{i} (?:get|break out in|go into) (?:hives|a rash|anaphylaxis|anaphylactic shock) (?:from|(?:when|if|whenever) i (?:eat|have|touch)) (?P<v>.+)$`},
	{name: "allergies.give-hives", cues: []string{"hives", "a rash", "anaphyla", "swell up", "allergic"}, key: keyAllergies, take: allergens,
		pattern: `^(?P<v>[\w, -]+?) (?:give|gives) me (?:hives|a rash|an allergic reaction|anaphylaxis)\b`},
	{name: "allergies.my-allergy", cues: []string{"allergy", "allergies"}, key: keyAllergies, take: allergens,
		pattern: `^my (?:severe |bad )?(?P<v>[\w-]+(?: [\w-]+)?) allergy (?:is|means|makes|got|has)\b`},
	{name: "allergies.my-are", cues: []string{"allergies"}, key: keyAllergies, take: allergens,
		pattern: `^(?:my (?:only |main |known |food )*)?allerg(?:y|ies)(?: is| are|:) (?:to )?(?P<v>.+)$`},
}}

var (
	noAllergen   = regexp.MustCompile(`^(?:anything|nothing|something|everything|work|working|bullshit|bs|mornings?|monday(?:s)?|early mornings|people|stupidity|drama|it|them|that|this|commitment|exercise|bad|no|an|a|the|season|seasonal|food|all|.*\b(?:code|jokes?|bugs?|ideas?|people|boss(?:es)?|managers?|jargon|spreadsheets?|idiots?|politics|deadlines?|effort|responsibility|mornings?|mondays?|meetings?|bureaucracy|emails?)|meetings|small talk|nonsense|any|known|severe|other|multiple|many|several|some)$`)
	allergenTail = regexp.MustCompile(`(?: (?:and (?:i|carry|need)|for which|in (?:general|particular)|i think).*)$`)
)

func allergens(m match) []string {
	var out []string
	for _, v := range each(m) {
		low := strings.ToLower(v)
		if noAllergen.MatchString(low) || allergenTail.MatchString(low) || len(strings.Fields(v)) > 5 {
			continue
		}
		out = append(out, v)
	}
	return out
}

// allergicElsewhere says "I'm allergic" of something named in the clause before it.
var (
	makesIll      = regexp.MustCompile(`^(?P<v>[\w ,-]+?) (?:makes?|gives?|always makes?) me (?:sneeze|itch|wheeze|sick|ill|cough|itchy|hives|a rash)\b`)
	allergicAlone = regexp.MustCompile(`^(?:(?:i am|we are) )?(?:very |really |super |severely |deathly |highly |quite |pretty |so |kind of )*allergic(?: to (?:it|them|that|those|these|this))?$`)
	servedWith    = regexp.MustCompile(`^(?:.*\b)?(?:no|without|skip the|skip|leave out the|leave out|hold the|do not (?:add|put|use|include|give me|serve)(?: any| in)?|avoid|remove|exclude|(?:(?:i|we) )?(?:cannot|do not|must not|should not) (?:eat|have|touch|drink|do)) (?P<v>[\w -]+?(?:(?:,| and| or) [\w -]+?)*)(?: in it| in there| please| for me| on it)?$`)
)

// diet is what the user eats on principle.
var diet = topic{name: "diet", rules: []rule{
	{name: "diet.became", cues: dietCues, key: keyDiet, take: unless(noDiet, one), changes: true,
		pattern: `^{i} (?:became|have become|turned|went|have gone|started|switched to|converted to) (?:a |an |the |strict |strictly |eating |fully |to |being |following |mostly |purely |100% )*(?P<v>` + diets + `)(?: diet| food| lifestyle| person)?(?P<rest>$|\W.*$)`},
	{name: "diet.am", cues: dietCues, key: keyDiet, take: unless(noDiet, one),
		pattern: `^{i} (?:am|are|have been|am eating|eat|keep|follow|am on|am doing|do|am following|stick to|identify as|have always been) (?:a |an |the |strict |strictly |eating |committed |lifelong |fully |to |being |following |mostly |purely |100% )*(?P<v>` + diets + `)(?: diet| food| lifestyle| person)?(?P<rest>$|\W.*$)`},
	{name: "diet.as", cues: []string{"veg", "pescatarian"}, key: keyDiet, take: one, weak: true,
		pattern: `^(?:as|being) (?:a |an )?(?P<v>` + diets + `)$`},
	{name: "diet.is", cues: []string{"diet is", "diet:"}, key: keyDiet, take: one,
		pattern: `^my (?:current )?diet (?:is|:) (?:now |mostly |strictly )*(?P<v>.+)$`},
	{name: "diet.avoid", cues: []string{"avoid", "stay away", "off "}, kind: memory.KindConstraint, about: keyDiet, take: avoided,
		pattern: `^{i} (?:avoid|have to avoid|must avoid|try to avoid|stay away from|am off) (?P<v>.+)$`},
	{name: "diet.never-eat", cues: []string{"eat", "drink", "have"}, kind: memory.KindConstraint, about: keyDiet, take: foods,
		pattern: `^{i} (?:cannot|do not|never|am not allowed to|must not|should not|avoid|have to avoid|need to avoid|do not really) (?:eat|eating|drink|drinking|have|touch|consume|tolerate|digest) (?:any )?(?P<v>.+)$`},
}}

var dietCues = []string{
	"veg", "pesc", "kosher", "halal", "keto", "paleo", "flexitarian", "free", "low", "carnivore", "omnivore",
	"plant", "raw", "mediterranean", "fasting", "whole30", "fruitarian",
}

const diets = `(?:ovo-|lacto-|lacto-ovo-|ovo-lacto )?vegetarian|vegan|plant-based|plant based|pescatarian|pescetarian|flexitarian|kosher|halal|keto|ketogenic|paleo|gluten[- ]free|dairy[- ]free|lactose[- ]free|low[- ]carb|low[- ]sodium|low[- ]fodmap|sugar[- ]free|raw food|carnivore|mediterranean|intermittent fasting|whole30|fruitarian|omnivore`

var noFood = regexp.MustCompile(`^(?:when|whenever|if|on|in|because|like|another|any more|as|while|by|from|it|that|this|much|enough|anything|breakfast|lunch|dinner|time|money|any|to|a|an|the|you|one|access|clue|idea|kids|children|siblings|pets|words|fun|out|well|more|today|yet|at|with|that much|many|until|before|after|here|there|now|friends|my|your|experience|plans?|questions?|sleep|all|lots)\b`)

// foods takes what is eaten or drunk; "have" is read only of known foods.
func foods(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noFood.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	body := m.c.body.text
	if strings.Contains(body[:a], " have ") && !strings.Contains(body[:a], " avoid") && !edible.MatchString(body[a:b]) {
		return nil
	}
	return fewer(8, each)(m)
}

// unless rejects a match whose group "rest" fits re.
func unless(re *regexp.Regexp, take func(match) []string) func(match) []string {
	return func(m match) []string {
		if re.MatchString(m.folded("rest")) {
			return nil
		}
		return take(m)
	}
}

// What follows diets and ailments that are none of the user's; and what one is blind to, or
// pregnant with.
var (
	noDiet     = regexp.MustCompile(`^(?:-| (?:friendly|curious|with|salt|restaurants?|options?|recipes?|for (?:a|the) (?:day|week)|at heart)\b)`)
	noAilment  = regexp.MustCompile(`^(?:-| (?:about|over|research|attacks? of|awareness|homework|screening|patients?|jokes?|vibes|just (?:thinking|looking))\b)`)
	figurative = regexp.MustCompile(`^ (?:to|with (?:ideas|possibilities|anticipation|meaning|rage|love|excitement))\b`)
)

// avoided takes known foods alone: one avoids many things.
func avoided(m match) []string {
	if !edible.MatchString(m.folded("v")) {
		return nil
	}
	return fewer(8, each)(m)
}

var edible = regexp.MustCompile(`\b(?:gluten|dairy|lactose|milk|cheese|meat|pork|beef|chicken|fish|seafood|shellfish|shrimp|nuts?|peanuts?|eggs?|wheat|soy|sugar|salt|alcohol|caffeine|coffee|wine|beer|spicy|garlic|onions?|bread|carbs|sesame|strawberries|grapefruit)\b`)

const conditions = `(?:type (?:1|2|one|two|i|ii) )?diabetes|asthma|adhd|add|autism|epilepsy|migraines?|arthritis|eczema|psoriasis|ibs|ibd|crohn's(?: disease)?|celiac(?: disease)?|hypertension|high blood pressure|low blood pressure|high cholesterol|anxiety|depression|bipolar(?: disorder)?|insomnia|sleep apnea|scoliosis|anemia|anaemia|hypothyroidism|hyperthyroidism|hashimoto's|pcos|endometriosis|fibromyalgia|lupus|multiple sclerosis|parkinson's|cancer|breast cancer|leukemia|hiv|hepatitis(?: \w)?|tinnitus|vertigo|glaucoma|dyslexia|dyscalculia|ocd|ptsd|gout|acid reflux|gerd|a heart condition|a heart murmur|a pacemaker|a bad (?:back|knee|shoulder|hip|heart)|back pain|chronic (?:\w+ )?(?:pain|fatigue|illness|migraines?|\w+)|a herniated disc|a slipped disc|osteoporosis|osteoarthritis|rosacea|vitiligo|tourette's|a thyroid (?:condition|problem)|kidney (?:disease|stones)|a stutter|a disability|hay fever|cystic fibrosis|sickle cell(?: \w+)?|hemophilia|long covid|color blindness|colour blindness|a hearing aid|a prosthetic \w+`

// health is what ails the user for long.
var health = topic{name: "health", rules: []rule{
	{name: "health.have", cues: []string{"have", "got", "suffer", "diagnosed", "live with", "living with", "struggle"}, key: keyHealth, take: unless(noAilment, each),
		pattern: `^{i} (?:have|have got|suffer from|am suffering from|struggle with|live with|am living with|(?:was|got|have been|was just|was recently|just got) (?:recently |just )?diagnosed with|have had) (?:severe |mild |bad |chronic |really bad )?(?P<v>(?:` + conditions + `)(?:(?:,| and|, and) (?:` + conditions + `))*)(?P<rest>$|\W.*$)`},
	{name: "health.diagnosed", cues: []string{"diagnosed"}, key: keyHealth, take: fewer(5, each),
		pattern: `^{i} (?:was|got|have been|am) (?:recently |just |officially )?diagnosed with (?P<v>.+)$`},
	{name: "health.am", cues: []string{"diabetic", "asthmatic", "pregnant", "blind", "deaf", "autistic", "epileptic", "anemic", "anaemic", "dyslexic", "disabled", "wheelchair", "bipolar", "immunocompromised", "celiac"}, key: keyHealth, take: unless(figurative, one),
		pattern: `^{i} (?:am|have been) (?:a |an )?(?P<v>(?:type (?:1|2|one|two) )?diabetic|asthmatic|pregnant|colou?r[- ]?blind|(?:partially |legally |half )?blind|(?:partially |half )?deaf|autistic|epileptic|an[a]?emic|dyslexic|disabled|wheelchair user|bipolar|immunocompromised|celiac|hard of hearing)(?P<rest>$|\W.*$)`},
	{name: "health.take", cues: []string{"take", "am on"}, key: keyHealth, take: one,
		pattern: `^{i} (?P<v>(?:take|am on) (?:\w+ )?(?:insulin|metformin|antidepressants|blood thinners|statins|lithium|warfarin|levothyroxine|beta blockers|ritalin|adderall|ssris|sertraline|prozac|chemo(?:therapy)?|dialysis|birth control|medication for [\w ]+|blood pressure medication))\b`},
	{name: "health.drug", cues: []string{"take ", "on "}, key: keyHealth, take: one,
		pattern: `^{i} (?P<v>(?:take|am on) (?:\d+ ?mg (?:of )?)?[a-z]+(?:pril|olol|statin|sartan|prazole|formin|zepam|zolam|oxetine|traline|thyroxine|citalopram|lukast|tidine|semide|thiazide|gliptin|flozin|xaban|grel|trexate|triptan))\b`},
	{name: "health.wear", cues: []string{"wear", "use a wheelchair"}, key: keyHealth, take: one,
		pattern: `^{i} (?P<v>wear (?:glasses|contacts|contact lenses|a hearing aid|hearing aids)|use a (?:wheelchair|cane|walker))\b`},
}}

// ailing is what the ill are called, as far as it is denied in earnest ("I'm not blind" is
// said by those who see).
const ailing = `(?:type (?:1|2|one|two) )?diabetic|asthmatic|pregnant|colou?r[- ]?blind|autistic|epileptic|an[a]?emic|dyslexic|bipolar|immunocompromised|celiac`

// otherWord is the ailment of those who are called by it, and the other way round.
var otherWord = map[string]string{
	"diabetic": "diabetes", "asthmatic": "asthma", "autistic": "autism", "epileptic": "epilepsy",
	"anemic": "anemia", "anaemic": "anaemia", "dyslexic": "dyslexia",
	"diabetes": "diabetic", "asthma": "asthmatic", "autism": "autistic", "epilepsy": "epileptic",
	"anemia": "anemic", "anaemia": "anaemic", "dyslexia": "dyslexic",
}

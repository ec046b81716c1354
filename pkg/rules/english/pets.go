package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

const animal = `(?:dogs?|cats?|pupp(?:y|ies)|pups?|doggo|kitt(?:en|ens|y)|rabbits?|bunn(?:y|ies)|hamsters?|guinea pigs?|gerbils?|parrots?|budgies?|canar(?:y|ies)|parakeets?|cockatiels?|cockatoos?|macaws?|gold ?fish|betta fish|tropical fish|fish|turtles?|tortoises?|snakes?|ball pythons?|lizards?|geckos?|iguanas?|chameleons?|bearded dragons?|horses?|pon(?:y|ies)|ferrets?|rats?|mice|mouse|hedgehogs?|chinchillas?|birds?|chickens?|hens?|ducks?|goats?|sheep|pigs?|alpacas?|donkeys?|axolotls?|tarantulas?|frogs?|hermit crabs?|(?:golden |labrador )?retrievers?|labradors?|labs?|poodles?|corgis?|huskys?|husky|huskies|beagles?|pugs?|dachshunds?|german shepherds?|australian shepherds?|shepherds?|border collies?|collies?|(?:french |english )?bulldogs?|frenchies?|(?:\w+ )?terriers?|chihuahuas?|shiba inus?|shibas?|samoyeds?|dalmatians?|greyhounds?|whippets?|cocker spaniels?|spaniels?|rottweilers?|dobermans?|pomeranians?|shih tzus?|maltese|schnauzers?|great danes?|mutts?|maine coons?|siamese(?: cats?)?|persian cats?|ragdolls?|tabb(?:y|ies)|labradoodles?|goldendoodles?|cockapoos?)`

const looks = `(?:(?:\w+ )?(?:year|month|week)s?[- ]old |\d+[- ](?:year|month|week)s?[- ]old |(?:little|small|big|large|cute|lovely|old|young|elderly|adorable|beautiful|crazy|lazy|naughty|fat|fluffy|new|rescue|rescued|adopted|stray|black|white|brown|grey|gray|ginger|orange|golden|tabby|calico|siamese|persian|male|female|pet|blind|deaf|three-legged|retired|sweet|senior|mixed-breed|mini|miniature|toy|tortoiseshell|spotted) )*`

var (
	petItem   = regexp.MustCompile(`^(?P<count>(?:an?|one|two|three|four|five|six|\d{1,2}|some|several|my|our|his|her|another|a pet|pet|a couple of|a pair of) )?(?P<animal>` + looks + animal + `)(?:$|,? (?:named|called|whose name is|who is called|who is named|by the name of|and (?:his|her|its|their) names? (?:is|are)) (?P<name>.+)$|,? (?:who|that|at home|as a pet|as pets|in (?:(?:my|our|the) (?:house|home|apartment|flat|family|life|garden|yard|household|shop|office)|january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|on|last|this|yesterday|today|recently|when|a (?:week|month|year|few)|two|three|with|from|since|for|and|but|which|now|too|of my own|myself|whom|again)\b.*$|,? (?P<bare>[\w'-]+)$)`)
	petBefore = regexp.MustCompile(`^(?:food|park|person|people|allergy|lover|sitter|walker|house|tank|cage|bowl|feeder|leash|toy|bed|trainer|owner|show|farm|ranch|riding|problem|hair|photo|picture|video|meme|question|costume|joke|story|day|soup|dinner|and|or|sauce|salad|curry|sandwich|for|who|that|at|in|with|too|now|too|already|again|since|from)$`)
)

// pets are the animals that the user keeps.
var pets = topic{name: "pets", rules: []rule{
	{name: "pets.have", cues: []string{"have", "own", "got", "keep", "adopt", "raise", "took in", "taken in", "brought home", "bought"}, key: keyPets, build: petList,
		pattern: `^{i} (?:have got|have also got|have had|have adopted|have rescued|have just adopted|have just got|have just gotten|have|own|keep|got|adopted|just adopted|bought|raise|rescued|brought home|just got|took in|have taken in|am (?:the|a) (?:proud |happy |new )?owner of|am raising|foster) (?P<v>.+)$`},
	{name: "pets.name-is", cues: []string{"name", "called", "named"}, key: keyPets, build: petSubject,
		pattern: `^(?:my|our) (?P<animal>` + looks + animal + `)(?:'s name is|'s names are|s name is| is called| is named|'s called) (?P<name>.+)$`},
	{name: "pets.named-outright", cues: []string{"my ", "our "}, key: keyPets, build: petNamedOutright,
		pattern: `^(?:my|our) (?:new )?(?P<animal>` + looks + animal + `) is (?:now )?(?P<name>[\w'-]+)$`},
	{name: "pets.is-my", cues: []string{"my "}, key: keyPets, build: petSubject,
		pattern: `^(?P<name>[\w'-]+) is (?:the name of )?my (?P<animal>` + looks + animal + `)(?:'s name)?$`},
}}

var petMention = topic{name: "pets mentioned", rules: []rule{
	{name: "pets.subject", cues: []string{"my ", "our "}, key: keyPets, build: petSubject,
		pattern: `^(?:my|our) (?P<animal>` + looks + animal + `),? (?:(?P<bare>[\w'-]+),? )?(?:is|are|has|have|had|loves|likes|hates|keeps|turned|sleeps|eats|barks|just|was|got|needs|always|never|refuses|ate|plays|does|and|goes|went|cannot)\b`},
	{name: "pets.named-bare", cues: []string{"my ", "our "}, key: keyPets, build: petSubject,
		pattern: `^(?:my|our) (?P<animal>` + looks + animal + `)(?: named| called|,)? (?P<name>[\w'-]+)$`},
	{name: "pets.with", cues: []string{"with my ", "with our ", "and my ", "and our "}, key: keyPets, build: petSubject,
		pattern: `^{i} (?:am|live|moved|have been|work|travel)\b.*\b(?:with|and) (?:my|our) (?P<animal>` + looks + animal + `)(?:,? (?P<bare>[\w'-]+))?(?:$|\b.*$)`},
	{name: "pets.love-my", cues: []string{" my ", "walk"}, key: keyPets, build: petSubject,
		pattern: `^{i} (?:love|adore|miss|walk|feed|take|brush|live with) (?:my|our) (?P<animal>` + looks + animal + `)(?:,? (?P<bare>[\w'-]+))?(?:$|\b.*$)`},
}}

// petList takes the animals of "a dog named Rex and two cats".
func petList(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	var out []memory.Candidate
	for _, item := range m.c.items(a, b) {
		s := m.c.body.text[item[0]:item[1]]
		at := petItem.FindStringSubmatchIndex(s)
		if at == nil {
			out = petNames(m, out, item)
			continue
		}
		g := func(name string) (int, int, bool) {
			i := petItem.SubexpIndex(name)
			return item[0] + at[2*i], item[0] + at[2*i+1], at[2*i] >= 0
		}
		from, to, _ := g("animal")
		if served.MatchString(m.c.body.text[to:item[1]]) {
			continue
		}
		if cf, ct, ok := g("count"); ok && counted(m.c.body.text[cf:ct]) {
			from = cf
		} else if !ok && !strings.HasSuffix(m.c.body.text[from:to], "s") && m.c.body.text[from:to] != "fish" {
			continue
		}
		value := strings.TrimPrefix(m.c.words(from, to), "new ")
		if nf, nt, ok := g("name"); ok {
			value = joinName(value, m.names(nf, nt))
		} else if bf, bt, ok := g("bare"); ok {
			if petBefore.MatchString(m.c.body.text[bf:bt]) && !notPetName[m.c.body.text[bf:bt]] {
				continue
			}
			if m.c.capital(bf) {
				value = joinName(value, m.c.words(bf, bt))
			} else if !tails.MatchString(" " + m.c.body.text[bf:bt]) {
				continue
			}
		}
		found := m.candidate(keyPets, value)
		found.ValidFrom = m.c.begins()
		out = append(out, found)
	}
	return oneEach(out)
}

// severalNamed are several animals of a kind with their names.
var severalNamed = regexp.MustCompile(`^(two|three|four|five|six|[2-6]) (.+) named (.+)$`)

// numerals are the counts of several animals.
var numerals = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}

// oneEach makes one pet of each name of "two cats named Tom and Bella", where there are as
// many names as animals: what becomes of one says nothing of the other.
func oneEach(found []memory.Candidate) []memory.Candidate {
	var out []memory.Candidate
	for _, c := range found {
		several := severalNamed.FindStringSubmatch(c.Value)
		var names []string
		if several != nil {
			names = strings.Split(several[3], " and ")
		}
		if len(names) < 2 || len(names) != numerals[strings.ToLower(several[1])] {
			out = append(out, c)
			continue
		}
		for _, n := range names {
			one := c
			one.Value = joinName(singular(several[2]), n)
			out = append(out, one)
		}
	}
	return out
}

// singular is an animal of which there were several.
func singular(animals string) string {
	switch {
	case strings.HasSuffix(animals, "mice"):
		return strings.TrimSuffix(animals, "mice") + "mouse"
	case strings.HasSuffix(animals, "ies") && !strings.HasSuffix(animals, "collies") && !strings.HasSuffix(animals, "frenchies"):
		return strings.TrimSuffix(animals, "ies") + "y"
	}
	return strings.TrimSuffix(animals, "s")
}

// served is an animal on the plate.
var served = regexp.MustCompile(`^ for (?:dinner|lunch|breakfast|supper|tea|christmas|thanksgiving)\b`)

// names returns the names in body[a:b], of which there may be two.
func (m match) names(a, b int) string {
	at := strings.Index(m.c.body.text[a:b], " and ")
	if at < 0 || !m.c.capital(a) || !m.c.capital(a+at+len(" and ")) {
		return nameOf(m.c, a, b)
	}
	first, second := nameOf(m.c, a, a+at), nameOf(m.c, a+at+len(" and "), b)
	if first == "" || second == "" {
		return first
	}
	return first + " and " + second
}

// petNames adds an item that only continues the names of the animals before it ("two cats
// named Tom and Jerry"). Anything else ends the enumeration.
func petNames(m match, out []memory.Candidate, item [2]int) []memory.Candidate {
	if len(out) == 0 {
		return nil
	}
	last := &out[len(out)-1]
	named, count := strings.Contains(last.Value, " named "), strings.Fields(strings.ToLower(last.Value))[0]
	n := nameOf(m.c, item[0], item[1])
	if !m.c.capital(item[0]) || n == "" || !named && numerals[count] == 0 {
		return out
	}
	if named {
		last.Value += " and " + n
	} else {
		last.Value = joinName(last.Value, n)
	}
	return out
}

func counted(s string) bool {
	s = strings.TrimSpace(s)
	return numerals[s] > 0 || s[0] >= '2' && s[0] <= '9'
}

func joinName(animal, name string) string {
	if name == "" {
		return animal
	}
	return animal + " named " + name
}

// petSubject takes the animal of a statement about it.
func petSubject(m match) []memory.Candidate {
	if lost.MatchString(m.c.body.text) {
		return nil
	}
	value := m.said("animal")
	if a, b, ok := m.group("name"); ok {
		n := nameOf(m.c, a, b)
		if n == "" || (m.rule.name == "pets.is-my" || m.rule.name == "pets.named-bare") && !m.c.capital(a) {
			return nil
		}
		value = joinName(value, n)
	} else if a, b, ok := m.group("bare"); ok {
		switch {
		case m.c.capital(a):
			value = joinName(value, strings.TrimSuffix(m.c.words(a, b), "'s"))
		case petBefore.MatchString(m.c.body.text[a:b]) && m.rule.name == "pets.subject":
			return nil
		}
	}
	found := m.candidate(keyPets, value)
	found.Confidence = min(found.Confidence, indirect)
	fuller(&found, m.said("animal"))
	return []memory.Candidate{found}
}

// petNamedOutright takes the animal of "my dog is Rex", and not of "my dog is Husky".
func petNamedOutright(m match) []memory.Candidate {
	a, b, _ := m.group("name")
	if !m.c.capital(a) || !m.c.personName(a, b) || petItem.MatchString("a "+m.c.body.text[a:b]) {
		return nil
	}
	return petSubject(m)
}

// fuller makes a value that names what was known without a name take its place: "my cat
// Mimi" is the cat of whom the user spoke.
func fuller(c *memory.Candidate, bare string) {
	if c.Value != bare && bare != "" {
		c.Relation, c.Target = memory.RelationUpdates, &memory.Target{Key: c.Key, Value: bare}
	}
}

// itsName names the animal of the clause before it.
var itsName = regexp.MustCompile(`^(?:(?:his|her|its|the (?:dog|cat|puppy|kitten)'s) name is|(?:he|she|it) is (?:called|named)|(?:i|we) (?:call|named|called) (?:him|her|it)) (?P<v>.+)$`)

// notPetName are words that may follow a pet and are no name of it.
var notPetName = map[string]bool{
	"who": true, "that": true, "at": true, "in": true, "with": true, "too": true, "now": true,
	"already": true, "again": true, "since": true, "from": true,
}

package canon

import "strings"

// irregular plurals, and the -ves and -es ones that no rule finds.
var irregular = map[string]string{
	"mice": "mouse", "children": "child", "geese": "goose", "teeth": "tooth", "feet": "foot",
	"wolves": "wolf", "knives": "knife", "leaves": "leaf", "loaves": "loaf", "calves": "calf",
	"shelves": "shelf", "wives": "wife", "buses": "bus", "lenses": "lens", "viruses": "virus",
	"octopuses": "octopus", "walruses": "walrus", "cactuses": "cactus", "cacti": "cactus",
}

// invariable words end in -s and are no plurals, or mean something else as singulars.
var invariable = words(`
	glasses sunglasses news series species jeans pants trousers shorts scissors lens
	headquarters means windows customs goods arms works spirits texas kansas arkansas
	christmas atlas canvas pyjamas pajamas gas bias diabetes rabies measles mumps hives
	shingles herpes rails pandas kubernetes macos always perhaps besides sometimes
	overseas whereas alias pancreas`)

// singularByS are the words in -ies, -oes and -ches whose singular ends in -e.
var singularByS = words(`
	movies cookies pies ties brownies smoothies hoodies selfies calories zombies genies
	prairies aunties rookies veggies foodies doggies kitties birdies collies hippies
	shoes toes canoes oboes horseshoes headaches toothaches stomachaches moustaches
	mustaches caches avalanches quiches niches axes`)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// singular folds a plural last word of s into its singular. The rule is small on purpose:
// a plural that stays costs a duplicate, a singular that is cut costs a confusion.
func singular(s string) string {
	start := strings.LastIndexByte(s, ' ') + 1
	return s[:start] + singularWord(s[start:])
}

func singularWord(w string) string {
	if one, ok := irregular[w]; ok {
		return one
	}
	if len(w) < 4 || w[len(w)-1] != 's' || !letters(w) || invariable[w] {
		return w
	}
	for _, ending := range []string{"ss", "us", "is", "ics"} {
		if strings.HasSuffix(w, ending) {
			return w
		}
	}
	if singularByS[w] {
		return w[:len(w)-1]
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 1 {
		return stem + "y"
	}
	for _, ending := range []string{"oes", "ches", "shes", "xes", "sses"} {
		if strings.HasSuffix(w, ending) {
			return w[:len(w)-2]
		}
	}
	return w[:len(w)-1]
}

func letters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

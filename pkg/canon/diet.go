package canon

import "regexp"

// Together reports whether two values are ways of eating that can both be kept, since they
// are about different things: vegetarian and gluten-free are, vegetarian and vegan are not.
func Together(a, b string) bool {
	x, y := dietary(a), dietary(b)
	return x != 0 && y != 0 && x&y == 0
}

// dietary are the things that a way of eating is about, as bits.
func dietary(s string) (about uint16) {
	s = normal(s)
	for i, re := range eaten {
		if re.MatchString(s) {
			about |= 1 << i
		}
	}
	return about
}

// eaten are the things that ways of eating are about: animals, a religion, single stuffs.
var eaten = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|carnivore|plant[- ]based|meat|fish)\b|素|荤|肉|鱼`),
	regexp.MustCompile(`\b(?:halal|kosher|jain)\b|清真|犹太`),
	regexp.MustCompile(`\b(?:gluten|wheat|celiac|coeliac)\b|麸质|小麦|面筋`),
	regexp.MustCompile(`\b(?:lactose|dairy|milk)\b|乳糖|乳制品|牛奶|奶制品`),
	regexp.MustCompile(`\b(?:salt|sodium)\b|盐|钠`),
	regexp.MustCompile(`\b(?:sugar|diabetic)\b|糖尿病|[低无少控戒]糖`),
	regexp.MustCompile(`\b(?:keto|ketogenic|carbs?|carbohydrates?|paleo)\b|生酮|碳水|低碳`),
	regexp.MustCompile(`\b(?:fat|cholesterol)\b|低脂|脂肪|胆固醇`),
	regexp.MustCompile(`\b(?:spicy|spice)\b|辣`),
}

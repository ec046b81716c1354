package canon

import "strings"

// Class says what sort of value a key holds, and so when two of its values are the same.
type Class string

// The classes. A value of an unknown class is treated as text.
const (
	// ClassText is anything said in words: a job, a food, an animal, a hobby.
	ClassText Class = "text"
	// ClassPlace is a city, region or country.
	ClassPlace Class = "place"
	// ClassName is the name of a person. It is compared as it is written, apart from case,
	// width and traditional characters.
	ClassName Class = "name"
	// ClassLanguage is a human language.
	ClassLanguage Class = "language"
	// ClassDate is a day that comes back, such as a birthday, with or without a year.
	ClassDate Class = "date"
)

// Valid reports whether c is one of the classes.
func (c Class) Valid() bool {
	switch c {
	case ClassText, ClassPlace, ClassName, ClassLanguage, ClassDate:
		return true
	}
	return false
}

// Value is the canonical form of a text value: NFKC, lower case, simplified characters,
// without outer punctuation, quotes and enclosing brackets, with white space collapsed;
// without a leading article or possessive ("the", "a", "my", 我的) or 一 with its measure
// word (一只猫 is 猫, 两只猫 stays); with a plural last word made singular by a small safe
// rule; and with the common foods, allergens, animals, drinks, pastimes, vehicles,
// relations and jobs folded to one name for both languages ("peanuts" is 花生), a relation
// also before a name (太太小美 is 妻子小美). It is idempotent, and empty only if s holds
// nothing visible.
func Value(s string) string {
	v := plainValue(s)
	if role, name, ok := relativeName(v); ok && allHan(role) {
		return things().fold(role) + name
	}
	return things().fold(v)
}

// plainValue is Value without the table of things.
func plainValue(s string) string { return singular(dropLead(trim(normal(s)))) }

// Identity is the canonical form of a value of class c, as identities of multi-valued keys
// are made of it. Two values are the same exactly if their identities are equal, so that
// sameness is an equivalence. It is idempotent.
func Identity(s string, c Class) string {
	switch c {
	case ClassPlace:
		return Place(s)
	case ClassName:
		return name(s)
	case ClassLanguage:
		return languages().fold(plainValue(s))
	case ClassDate:
		if d, ok := parseDate(s); ok {
			return d.String()
		}
	}
	return Value(s)
}

// Same reports whether a and b name the same value of class c.
func Same(a, b string, c Class) bool { return a == b || Identity(a, c) == Identity(b, c) }

// name is the canonical form of a person's name. The dot between the parts of a foreign
// name in Chinese has one form, and no space around it.
func name(s string) string { return dots.Replace(trim(normal(s))) }

var dots = strings.NewReplacer(" · ", "·", "· ", "·", " ·", "·")

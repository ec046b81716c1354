package reconcile

// Without is text with Redacted in the place of the words that another text says something
// with: function words stay.
func Without(text, other string) string {
	said := map[string]bool{}
	for _, p := range pieces(other) {
		said[p] = true
	}
	return without(text, func(p string) bool { return said[p] }, nil)
}

package verify

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/guard"
)

// supposed opens a clause that states nothing: what comes right behind it is imagined.
var supposed = regexp.MustCompile(`(?i)(?:\b(?:if|suppose|supposing|imagine|imagining|pretend|pretending|assuming|as if|as though|wish|unless)(?: that)?|如果|假如|要是|假设|倘若|若是|万一|但愿|设想|想象)[\s'"“‘「]*$`)

// maxOpener bounds how far before a clause its opener is looked for, in bytes.
const maxOpener = 64

// spoken reports why the quote, which stands in content, is not the user's own statement:
// it stands inside of a quotation, or right behind a word that makes it imagined. Of a
// quote that stands there more than once, one that is stated is enough.
func spoken(content, quote string) Reason {
	spans := guard.QuotedSpans(content)
	rest := content
	for i := len(spans) - 1; i >= 0; i-- {
		rest = rest[:spans[i][0]] + " " + rest[spans[i][1]:]
	}
	inside := false
	for _, s := range spans {
		inside = inside || Quoted(content[s[0]:s[1]], quote)
	}
	// A message that is nothing but a quotation is the user's own, put in quotation marks.
	if inside && Fold(rest) != "" && !Quoted(rest, quote) {
		return ReasonQuoted
	}
	stands := false
	for from := 0; ; {
		at := strings.Index(content[from:], quote)
		if at < 0 {
			break
		}
		if before := content[:from+at]; !supposed.MatchString(before[max(0, len(before)-maxOpener):]) {
			return ""
		}
		stands = true
		from += at + len(quote)
	}
	if stands {
		return ReasonSupposed
	}
	return ""
}

package document

import (
	"cmp"
	"strconv"
	"strings"
)

// number is a decimal number without loss: sign * 0.digits * 10^exponent. Zero has no digits.
type number struct {
	negative bool
	digits   string
	exponent int64
}

// maxExponent bounds the exponent of a number as it is written.
const maxExponent = 1 << 20

// parseNumber reads a number of JSON's grammar; false if its exponent is out of range.
func parseNumber(s string) (number, bool) {
	var n number
	s, n.negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 64)
		if err != nil || e > maxExponent || e < -maxExponent {
			return n, false
		}
		n.exponent, s = e, s[:i]
	}
	integer, fraction, _ := strings.Cut(s, ".")
	all := integer + fraction
	digits := strings.TrimLeft(all, "0")
	n.exponent += int64(len(integer) - (len(all) - len(digits)))
	n.digits = strings.TrimRight(digits, "0")
	if n.digits == "" {
		return number{}, true
	}
	return n, true
}

// String is the number in a form that is the same for equal numbers.
func (n number) String() string {
	if n.digits == "" {
		return "0"
	}
	sign := ""
	if n.negative {
		sign = "-"
	}
	if e := n.exponent; e >= int64(len(n.digits)) && e <= 20 { // an integer of a usual size
		return sign + n.digits + strings.Repeat("0", int(e)-len(n.digits))
	}
	return sign + "0." + n.digits + "e" + strconv.FormatInt(n.exponent, 10)
}

// compareNumbers orders two numbers of JSON's grammar by their values.
func compareNumbers(a, b string) int {
	x, _ := parseNumber(a)
	y, _ := parseNumber(b)
	if c := cmp.Compare(x.sign(), y.sign()); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(x.exponent, y.exponent), strings.Compare(x.digits, y.digits))
	return c * x.sign()
}

// sign is -1, 0 or 1.
func (n number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.negative:
		return -1
	}
	return 1
}

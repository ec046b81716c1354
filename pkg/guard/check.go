package guard

import "strings"

// luhn reports whether a string of digits carries a valid Luhn check digit.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// cardNumber reports whether a string of digits is the number of a payment card: 13 to 19
// digits, Luhn valid, and a first digit that issuers use. What begins with 1 is a time in
// milliseconds or a snowflake id unless it has the 15 digits of an airline card.
func cardNumber(digits string) bool {
	if len(digits) < 13 || len(digits) > 19 {
		return false
	}
	switch digits[0] {
	case '0', '7':
		return false
	case '1':
		if len(digits) != 15 {
			return false
		}
	}
	return luhn(digits) && strings.Trim(digits, digits[:1]) != ""
}

// chineseID reports whether 17 digits and a digit or x carry the check character of GB 11643.
func chineseID(s string) bool {
	const weights, checks = "\x07\x09\x0a\x05\x08\x04\x02\x01\x06\x03\x07\x09\x0a\x05\x08\x04\x02", "10x98765432"
	if len(s) != 18 {
		return false
	}
	sum := 0
	for i := range 17 {
		sum += int(s[i]-'0') * int(weights[i])
	}
	return lowerASCII(s[17:]) == checks[sum%11:sum%11+1]
}

// socialSecurity reports whether nine digits can be a US social security number.
func socialSecurity(digits string) bool {
	return len(digits) == 9 && digits[:3] != "000" && digits[:3] != "666" && digits[0] != '9' &&
		digits[3:5] != "00" && digits[5:] != "0000"
}

// ibanLengths gives the length of an IBAN by country.
var ibanLengths = func() map[string]int {
	lengths := map[string]int{}
	for n, countries := range map[int]string{
		15: "no", 16: "be", 18: "dk fi fo gl nl", 19: "mk si", 20: "at ba ee kz lt lu xk", 21: "ch cr hr li lv",
		22: "bg bh de gb ge ie me rs va", 23: "ae gi il iq tl", 24: "ad cz es md pk ro sa se sk tn vg",
		25: "pt st", 26: "is tr", 27: "fr gr it mc mr sm", 28: "al az by cy do gt hu lb pl sv", 29: "br eg ps qa ua",
		30: "jo kw mu", 31: "mt sc", 32: "lc",
	} {
		for c := range strings.FieldsSeq(countries) {
			lengths[c] = n
		}
	}
	return lengths
}()

// mod97 reports whether a lower-case IBAN without blanks carries valid check digits.
func mod97(iban string) bool {
	rest := 0
	for _, part := range []string{iban[4:], iban[:4]} {
		for i := range len(part) {
			if b := part[i]; isDigit(b) {
				rest = (rest*10 + int(b-'0')) % 97
			} else {
				rest = (rest*100 + int(b-'a') + 10) % 97
			}
		}
	}
	return rest == 1
}

// onlyDigits is s without everything that is no digit.
func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

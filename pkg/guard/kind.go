package guard

import "slices"

// Kind says what sort of secret was cut out. Its value stands in the text in its place.
type Kind string

// The kinds.
const (
	// KindAPIKey is an API key or another long-lived machine credential.
	KindAPIKey Kind = "api_key"
	// KindToken is a bearer token, a JSON web token or a session token.
	KindToken Kind = "token"
	// KindPassword is a password or passphrase, also inside an address or a command.
	KindPassword Kind = "password"
	// KindPIN is a short numeric code that somebody keeps.
	KindPIN Kind = "pin"
	// KindPrivateKey is a private key block, whole or cut off.
	KindPrivateKey Kind = "private_key"
	// KindSeedPhrase is the recovery phrase of a wallet.
	KindSeedPhrase Kind = "seed_phrase"
	// KindCard is the number of a payment or bank card.
	KindCard Kind = "card"
	// KindCVV is a card's verification code.
	KindCVV Kind = "cvv"
	// KindIBAN is an international bank account number.
	KindIBAN Kind = "iban"
	// KindBankAccount is another bank account, routing or sort number.
	KindBankAccount Kind = "bank_account"
	// KindNationalID is a Chinese 身份证号 or another national identity number.
	KindNationalID Kind = "national_id"
	// KindSSN is a US social security number.
	KindSSN Kind = "ssn"
	// KindPassport is a passport number.
	KindPassport Kind = "passport"
	// KindOneTimeCode is a code that is sent to log in or to confirm.
	KindOneTimeCode Kind = "one_time_code"
)

// kinds is every kind, in the order in which findings are reported.
var kinds = []Kind{
	KindAPIKey, KindToken, KindPassword, KindPIN, KindPrivateKey, KindSeedPhrase, KindCard, KindCVV,
	KindIBAN, KindBankAccount, KindNationalID, KindSSN, KindPassport, KindOneTimeCode,
}

const markerOpen, markerClose = "[redacted:", "]"

// Marker is the text that stands in place of a secret of this kind: "[redacted:card]".
func (k Kind) Marker() string { return markerOpen + string(k) + markerClose }

// Finding counts the secrets of one kind that were cut out. It never holds a secret and
// may be logged.
type Finding struct {
	Kind  Kind `json:"kind"`
	Count int  `json:"count"`
}

// tally counts what was cut out, by kind.
type tally map[Kind]int

// findings lists what was counted, in the order of kinds; nil when there was nothing.
func (c tally) findings() []Finding {
	var found []Finding
	for _, k := range kinds {
		if c[k] > 0 {
			found = append(found, Finding{Kind: k, Count: c[k]})
		}
	}
	return found
}

func known(k Kind) bool { return slices.Contains(kinds, k) }

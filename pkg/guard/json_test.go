package guard

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestRedactJSON(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{"content":"my password is hunter2"}`, `{"content":"my password is [redacted:password]"}`},
		{`{ "a" : [ "PIN 4821" , 1.50e2 , null , true ] }`, `{ "a" : [ "PIN [redacted:pin]" , 1.50e2 , null , true ] }`},
		{`{"password":"swordfish"}`, `{"password":"[redacted:password]"}`},
		{`{"api_keys":{"secret":"abcdef123"},"n":1}`, `{"api_keys":{"secret":"[redacted:api_key]"},"n":1}`},
		{`{"passwords":["swordfish","tuna"]}`, `{"passwords":["[redacted:password]","[redacted:password]"]}`},
		{`{"a":{"password":"tuna fish"},"b":"tuna fish"}`, `{"a":{"password":"[redacted:password]"},"b":"tuna fish"}`},
		{`{"密码":"芝麻开门"}`, `{"密码":"[redacted:password]"}`},
		{`{"card":4111111111111111,"id":4111111111111112}`, `{"card":"[redacted:card]","id":4111111111111112}`},
		{`[-4111111111111111,4111111111111111.0,1735689600005]`, `[-4111111111111111,4111111111111111.0,1735689600005]`},
		{`"\u9a8c\u8bc1\u7801 123456 <b>"`, `"验证码 [redacted:one_time_code] <b>"`},
		{`{"my password is hunter2":"x"}`, `{"my password is hunter2":"x"}`},
		{`"say \"my PIN is 4821\""`, `"say \"my PIN is [redacted:pin]\""`},
		{` {"b":1,"a":2,"b":3} `, ` {"b":1,"a":2,"b":3} `},
		{`"\ud800"`, `"\ud800"`},
		{`4111111111111111`, `"[redacted:card]"`},
		{`{"password":"[redacted:password]"}`, `{"password":"[redacted:password]"}`},
		{`{"password":"stored in the vault","token":"user"}`, `{"password":"stored in the vault","token":"user"}`},
	} {
		got, found, err := RedactJSON([]byte(c.raw))
		if err != nil || string(got) != c.want {
			t.Errorf("%s became %s, %v, want %s", c.raw, got, err, c.want)
		}
		if (found == nil) != (c.raw == c.want) {
			t.Errorf("%s: found %v", c.raw, found)
		}
	}
}

func TestRedactJSONRefuses(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	for _, c := range []struct {
		raw  string
		want error
	}{
		{"", ErrNotJSON}, {"{", ErrNotJSON}, {"{} {}", ErrNotJSON}, {"my password is hunter2", ErrNotJSON}, {"{\"a\":01}", ErrNotJSON},
		{"\"\xff\"", ErrNotJSON}, {`{"a":}`, ErrNotJSON}, {deep, nil}, {"[" + deep + "]", ErrTooDeep}, {strings.Repeat("[", 1<<20), ErrTooDeep},
	} {
		_, _, err := RedactJSON([]byte(c.raw))
		if !errors.Is(err, c.want) {
			t.Errorf("%.40q: got %v, want %v", c.raw, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error tells the text: %v", err)
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	for _, raw := range []string{`{"password":"swordfish"}`, `[4111111111111111,"PIN 4821",{"a":[]}]`, `"\ud800 my PIN is 4821"`, `{"a":{"b":"c"}}`, "01", "[[["} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		clean, found, err := RedactJSON(raw)
		if err != nil {
			return
		}
		if !json.Valid(clean) {
			t.Fatalf("%q became invalid: %q", raw, clean)
		}
		if found == nil && string(clean) != string(raw) {
			t.Fatalf("%q became %q without a finding", raw, clean)
		}
		if again, more, err := RedactJSON(clean); err != nil || more != nil || string(again) != string(clean) {
			t.Fatalf("%q became %q, then %q, %v, %v", raw, clean, again, more, err)
		}
	})
}

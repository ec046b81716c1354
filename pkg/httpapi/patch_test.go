package httpapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// patch sends a bare JSON Patch of a profile.
func (d *desk) patch(t *testing.T, query, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, d.URL+"/v1/profile"+query, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json-patch+json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

// TestBareJSONPatch: a profile takes a patch as its RFC has it, and refuses a bad one with the
// field at fault.
func TestBareJSONPatch(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I live in Oslo.")
	const city = `[{"op":"test","path":"/user/city","value":"Oslo"},{"op":"replace","path":"/user/city","value":"Bergen"}]`
	for _, c := range []struct {
		query, body string
		status      int
		has         string
	}{
		{"?user=u1", city, 200, `"result":"superseded"`},
		{"?user=u1", city, 409, "patch.0"},
		{"", city, 400, `"field":"user"`},
		{"?user=u1&nope=1", city, 400, `"field":"nope"`},
		{"?user=u1&patch=1", city, 400, `"field":"patch"`},
		{"?user=u1", `{"op":"test"}`, 400, `"field":"patch"`},
		{"?user=u1", `[`, 400, "not valid JSON"},
		{"?user=u1", `[]`, 400, `"field":"patch"`},
		{"?user=u1", `[{"op":"copy","from":"/user/city","path":"/user/home"}]`, 400, `"field":"patch`},
		{"?user=u1", `[{"op":"add","path":"/user/shoe","value":"x"}]`, 400, `"field":"patch.0.path"`},
		{"?user=u1", `[{"op":"add","path":"/user/likes","value":7}]`, 400, "/user/likes"},
	} {
		if status, answer := d.patch(t, c.query, c.body); status != c.status || !strings.Contains(answer, c.has) {
			t.Errorf("%s %s answers %d with %s, want %d with %s", c.query, c.body, status, answer, c.status, c.has)
		}
	}
	if _, answer := d.call(t, http.MethodGet, "/v1/profile?user=u1", "", nil); !strings.Contains(answer, `"city":"Bergen"`) {
		t.Errorf("the profile is %s", answer)
	}
}

// TestFilters: a list of memories holds those that fit everything that is asked for.
func TestFilters(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I live in Oslo.", "I like jazz.", "我住在卑尔根。")
	second := d.Clock.Now().AddDate(0, 0, -1).Format("2006-01-02T15:04:05Z")
	for query, want := range map[string]string{
		"":                    "city likes city",
		"&key=user.likes":     "likes",
		"&kind=preference":    "likes",
		"&thread=t1":          "city",
		"&contains=JAZZ":      "likes",
		"&contains=%E5%8D%91": "city",
		"&since=" + second:    "likes city",
		"&until=" + second:    "city",
		"&status=disputed":    "city",
		"&status=current&contains=o&key=user.city": "city",
		"&thread=t9": "",
	} {
		var page struct{ Memories []struct{ Key string } }
		status, answer := d.call(t, http.MethodGet, "/v1/memories?user=u1"+query, "", &page)
		if status != 200 || len(page.Memories) != len(strings.Fields(want)) {
			t.Errorf("%s answers %d with %s, want %s", query, status, answer, want)
			continue
		}
		for _, key := range strings.Fields(want) {
			if !strings.Contains(answer, `"key":"user.`+key) {
				t.Errorf("%s answers %s, want %s", query, answer, want)
			}
		}
	}
	for query, field := range map[string]string{"&kind=x": "kind", "&status=x": "status", "&since=x": "since", "&since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z": "until"} {
		var p struct{ Field string }
		if status, answer := d.call(t, http.MethodGet, "/v1/memories?user=u1"+query, "", &p); status != 400 || p.Field != field {
			t.Errorf("%s answers %d: %s", query, status, answer)
		}
	}
}

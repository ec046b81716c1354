package llm

import (
	"reflect"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/schemas"
)

var defaultRegistry = func() *profile.Registry {
	r, err := profile.Parse(schemas.Profile)
	if err != nil {
		panic(err)
	}
	return r
}()

func TestRelations(t *testing.T) {
	known := []memory.Memory{
		{Key: "user.city", Value: "Oslo", Text: "I live in Oslo"},
		{Key: "user.likes", Value: "coffee", Text: "I like coffee"},
		{Text: "I fly to Rome on Friday", Plan: true},
		{Key: "user.pets", Value: "a cat", Text: "I have a cat"},
	}
	for _, tt := range []struct {
		name     string
		key      memory.Key
		relation wire.Relation
		want     memory.Relation
		target   *memory.Target
		left     memory.Key // the key that is left
	}{
		{"new", "user.city", wire.Relation{Type: "new", To: 1}, memory.RelationNew, nil, "user.city"},
		{"the same", "user.city", wire.Relation{Type: "same", To: 1}, memory.RelationSame, &memory.Target{Key: "user.city", Value: "Oslo"}, "user.city"},
		{"an update", "user.city", wire.Relation{Type: "updates", To: 1}, memory.RelationUpdates, &memory.Target{Key: "user.city", Value: "Oslo"}, "user.city"},
		{"an update of nothing shown", "user.city", wire.Relation{Type: "updates"}, memory.RelationUpdates, nil, "user.city"},
		{"a contradiction", "user.city", wire.Relation{Type: "contradicts", To: 1}, memory.RelationContradicts, &memory.Target{Key: "user.city", Value: "Oslo"}, "user.city"},
		{"of the opposite key", "user.dislikes", wire.Relation{Type: "updates", To: 2}, memory.RelationUpdates, &memory.Target{Key: "user.likes", Value: "coffee"}, "user.dislikes"},
		{"of another key", "user.occupation", wire.Relation{Type: "updates", To: 1}, memory.RelationNew, nil, "user.occupation"},
		{"of a plan", "", wire.Relation{Type: "updates", To: 3}, memory.RelationUpdates, &memory.Target{Value: "I fly to Rome on Friday", Plan: true}, ""},
		{"of a plan, by a key", "user.city", wire.Relation{Type: "updates", To: 3}, memory.RelationNew, nil, "user.city"},
		{"of a key, by a free memory", "", wire.Relation{Type: "contradicts", To: 1}, memory.RelationNew, nil, ""},
		{"an end", "", wire.Relation{Type: "ends", To: 4}, memory.RelationEnds, &memory.Target{Key: "user.pets", Value: "a cat"}, ""},
		{"an end with the key", "user.pets", wire.Relation{Type: "ends", To: 4}, memory.RelationEnds, &memory.Target{Key: "user.pets", Value: "a cat"}, "user.pets"},
		{"a number that was not shown", "user.city", wire.Relation{Type: "updates", To: 5}, memory.RelationNew, nil, "user.city"},
		{"a negative number", "user.city", wire.Relation{Type: "same", To: -1}, memory.RelationNew, nil, "user.city"},
		{"an end of what was not shown", "user.pets", wire.Relation{Type: "ends", To: 5}, memory.RelationNew, nil, ""},
		{"no relation that is known", "user.city", wire.Relation{Type: "replaces", To: 1}, memory.RelationNew, nil, "user.city"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := resolver{memory.Extraction{Known: known}, defaultRegistry}
			c := r.candidate(wire.Candidate{Key: string(tt.key), Value: "a cat", Text: "said", Relation: tt.relation})
			if c.Relation != tt.want || !reflect.DeepEqual(c.Target, tt.target) || c.Key != tt.left {
				t.Errorf("%s to %+v under %q, want %s to %+v under %q", c.Relation, c.Target, c.Key, tt.want, tt.target, tt.left)
			}
			if tt.left != tt.key && (c.About != tt.key || c.Value != "") {
				t.Errorf("about %q with the value %q, want %q and none", c.About, c.Value, tt.key)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		kind, key, about string
		want             memory.Candidate
	}{
		{"fact", "user.pets", "", memory.Candidate{Kind: memory.KindRelation, Key: "user.pets"}},
		{"profile", "user.shoe_size", "user.pets", memory.Candidate{Kind: memory.KindFact, About: "user.pets"}},
		{"episodic", "", "user.shoe_size", memory.Candidate{Kind: memory.KindEpisodic}},
		{"", "", "", memory.Candidate{Kind: memory.KindFact}},
		{"rumour", "", "", memory.Candidate{Kind: "rumour"}}, // which verification refuses
	} {
		c := resolver{registry: defaultRegistry}.candidate(wire.Candidate{Kind: tt.kind, Key: tt.key, About: tt.about})
		if c.Kind != tt.want.Kind || c.Key != tt.want.Key || c.About != tt.want.About {
			t.Errorf("%+v: kind %q under %q about %q", tt, c.Kind, c.Key, c.About)
		}
	}
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ tag, text, want string }{
		{"zh-Hans-CN", "我住在杭州", "zh"}, {"EN", "x", "en"}, {"fra", "x", "fra"}, {"", "我住在杭州", "zh"}, {"", "I live in 上海", "en"},
		{"Chinese", "我住在杭州", "zh"}, {"中文", "我住在杭州", "zh"}, {"x", "I live", "en"},
	} {
		if got := language(tt.tag, tt.text); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.tag, tt.text, got, tt.want)
		}
	}
}

// Dates are those of the speaker's zone, and the calendar counts more than the model.
func TestDates(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	sunday := time.Date(2026, 3, 1, 9, 30, 0, 0, shanghai)
	at := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, shanghai)
	}
	for _, tt := range []struct {
		name, quote, from, until string
		stability                memory.Stability
		plan                     bool
		want                     memory.Candidate // its dates and stability
	}{
		{"none", "I live in Oslo", "", "", "stable", false, memory.Candidate{Stability: memory.Stable}},
		{"days", "I am away for two weeks and a bit", "2026-03-02", "2026-03-16", "dated", false, memory.Candidate{Stability: memory.Dated, ValidFrom: at(3, 2, 0), ExpiresAt: at(3, 17, 0)}},
		{"a time lasts an hour", "we meet", "2026-03-02T14:00", "2026-03-02T14:00", "dated", true, memory.Candidate{Stability: memory.Dated, ValidFrom: at(3, 2, 14), ExpiresAt: at(3, 2, 15)}},
		{"an offset of its own", "we meet", "", "2026-03-02T14:00:00Z", "dated", true, memory.Candidate{Stability: memory.Dated, ExpiresAt: at(3, 2, 23)}},
		{"a month", "until then", "", "2026-05", "dated", false, memory.Candidate{Stability: memory.Dated, ExpiresAt: at(6, 1, 0)}},
		{"a year", "since then", "2019", "", "stable", false, memory.Candidate{Stability: memory.Stable, ValidFrom: time.Date(2019, 1, 1, 0, 0, 0, 0, shanghai)}},
		{"a plan is dated", "we meet", "", "2026-03-02", "stable", true, memory.Candidate{Stability: memory.Dated, ExpiresAt: at(3, 3, 0)}},
		{"without a stability", "we meet", "", "2026-03-02", "", false, memory.Candidate{Stability: memory.Dated, ExpiresAt: at(3, 3, 0)}},
		{"no date", "we meet", "", "soon", "stable", false, memory.Candidate{Stability: memory.Dated}},
		{"no day", "we meet", "2026-02-30", "2026-03-02", "stable", false, memory.Candidate{Stability: memory.Dated}},

		{"the model miscounts", "我下周三去深圳", "2026-03-11", "2026-03-11", "dated", true, memory.Candidate{Stability: memory.Dated, ValidFrom: at(3, 4, 0), ExpiresAt: at(3, 5, 0)}},
		{"the model forgets", "I fly to Rome tomorrow", "", "", "stable", true, memory.Candidate{Stability: memory.Dated, ValidFrom: at(3, 2, 0), ExpiresAt: at(3, 3, 0)}},
		{"an end without a beginning", "my visa is valid until June 30", "", "2026-06-29", "dated", false, memory.Candidate{Stability: memory.Dated, ExpiresAt: at(7, 1, 0)}},
		{"in the past", "I moved here last Monday", "2026-02-16", "", "stable", false, memory.Candidate{Stability: memory.Stable, ValidFrom: at(2, 23, 0)}},
		{"two dates are the model's", "I am away from tomorrow to Friday", "2026-03-02", "2026-03-06", "dated", true, memory.Candidate{Stability: memory.Dated, ValidFrom: at(3, 2, 0), ExpiresAt: at(3, 7, 0)}},
		{"a date that says nothing of the fact", "I told you yesterday that I live in Oslo", "", "", "stable", false, memory.Candidate{Stability: memory.Stable}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := memory.Candidate{Stability: tt.stability, Plan: tt.plan, Source: memory.Source{Quote: tt.quote}}
			setDates(&c, wire.Candidate{ValidFrom: tt.from, ExpiresAt: tt.until}, sunday)
			if !c.ValidFrom.Equal(tt.want.ValidFrom) || !c.ExpiresAt.Equal(tt.want.ExpiresAt) || c.Stability != tt.want.Stability {
				t.Errorf("%s from %s until %s, want %s from %s until %s", c.Stability, c.ValidFrom, c.ExpiresAt, tt.want.Stability, tt.want.ValidFrom, tt.want.ExpiresAt)
			}
		})
	}
}

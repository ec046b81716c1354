package reap

import (
	"fmt"
	"slices"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/mnemond/mnemond/pkg/event"
)

// Timing says when one job runs.
type Timing struct {
	// Cron is a cron expression of five fields (minute, hour, day of the month, month, day
	// of the week), a descriptor such as "@daily" or "@every 2h", or "never". Default: the
	// job's own, see Schedule.
	Cron string `env:"CRON"`
	// Zone is the IANA name of the time zone that the expression is read in. Default UTC.
	Zone string `env:"ZONE"`
}

// Schedule says when the jobs run.
type Schedule struct {
	// Expire runs by default at minute 7 of each hour, "7 * * * *".
	Expire Timing `envPrefix:"EXPIRE_"`
	// Tier runs by default at 3:17 each day, "17 3 * * *".
	Tier Timing `envPrefix:"TIER_"`
	// Purge runs by default at 3:37 each day, "37 3 * * *".
	Purge Timing `envPrefix:"PURGE_"`
	// Questions runs by default at minute 27 of each hour, "27 * * * *".
	Questions Timing `envPrefix:"QUESTIONS_"`
}

// envPrefix is what stands before the names of a Schedule's fields in the environment.
const envPrefix = "MNEMOND_REAP_"

// neverRuns is the expression of a job that does not run by itself.
const neverRuns = "never"

// timed is a job with its parsed timing; without a schedule it never runs.
type timed struct {
	job  Job
	when cron.Schedule
}

// parse reads the timings. Its errors name the variable that is wrong.
func (s Schedule) parse() ([]timed, error) {
	var out []timed
	for _, j := range []struct {
		job      Job
		name     string
		timing   Timing
		standard string
	}{
		{JobExpire, "EXPIRE", s.Expire, "7 * * * *"},
		{JobTier, "TIER", s.Tier, "17 3 * * *"},
		{JobPurge, "PURGE", s.Purge, "37 3 * * *"},
		{JobQuestions, "QUESTIONS", s.Questions, "27 * * * *"},
	} {
		when, err := j.timing.parse(envPrefix+j.name, j.standard)
		if err != nil {
			return nil, err
		}
		if when != nil {
			out = append(out, timed{j.job, when})
		}
	}
	return out, nil
}

// parse is nil for a job that never runs.
func (t Timing) parse(name, standard string) (cron.Schedule, error) {
	expression, zone := t.Cron, t.Zone
	if expression == "" {
		expression = standard
	}
	if zone == "" {
		zone = "UTC"
	}
	if _, err := event.Zone(zone); err != nil {
		return nil, fmt.Errorf("%s_ZONE: %w", name, err)
	}
	if expression == neverRuns {
		return nil, nil
	}
	when, err := cron.ParseStandard("CRON_TZ=" + zone + " " + expression)
	if err != nil {
		return nil, fmt.Errorf("%s_CRON %q: %w", name, expression, err)
	}
	return when, nil
}

// Validate reports the first timing that cannot be used, by its variable, or nil.
func (s Schedule) Validate() error {
	_, err := s.parse()
	return err
}

// Start is a job, and when it starts.
type Start struct {
	Job Job
	At  time.Time
}

// Starts are those that the schedule gives in (after, upTo], in order. A simulation goes by
// them where a Runner goes by the clock. Its errors name the variable that is wrong.
func (s Schedule) Starts(after, upTo time.Time) ([]Start, error) {
	jobs, err := s.parse()
	if err != nil {
		return nil, err
	}
	var out []Start
	for _, j := range jobs {
		// A day that never comes has no next time.
		for at := j.when.Next(after); !at.IsZero() && !at.After(upTo); at = j.when.Next(at) {
			out = append(out, Start{j.job, at})
		}
	}
	slices.SortStableFunc(out, func(a, b Start) int { return a.At.Compare(b.At) })
	return out, nil
}

package reap_test

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mnemond/mnemond/pkg/reap"
)

func TestScheduleRefuses(t *testing.T) {
	tests := []struct {
		name     string
		schedule reap.Schedule
		want     string
	}{
		{"an expression", reap.Schedule{Expire: reap.Timing{Cron: "7 * *"}}, `MNEMOND_REAP_EXPIRE_CRON "7 * *": `},
		{"a minute", reap.Schedule{Tier: reap.Timing{Cron: "61 3 * * *"}}, `MNEMOND_REAP_TIER_CRON "61 3 * * *": `},
		{"a zone in the expression", reap.Schedule{Purge: reap.Timing{Cron: "CRON_TZ=Asia/Shanghai 7 3 * * *"}}, "MNEMOND_REAP_PURGE_CRON"},
		{"a zone", reap.Schedule{Questions: reap.Timing{Zone: "Mars/Base"}}, "MNEMOND_REAP_QUESTIONS_ZONE: time zone"},
		{"the machine's zone", reap.Schedule{Questions: reap.Timing{Zone: "Local"}}, "MNEMOND_REAP_QUESTIONS_ZONE: time zone"},
		{"a zone of a job that never runs", reap.Schedule{Expire: reap.Timing{Cron: "never", Zone: "Mars/Base"}}, "MNEMOND_REAP_EXPIRE_ZONE"},
	}
	for _, tt := range tests {
		err := tt.schedule.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if _, err := reap.NewRunner(tt.schedule, nil, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s: there is a runner", tt.name)
		}
	}
	for _, s := range []reap.Schedule{{}, {Expire: reap.Timing{Cron: "@every 2h", Zone: "Asia/Shanghai"}, Tier: reap.Timing{Cron: "never"}}} {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// started is when the jobs ran, as a day and a time in UTC.
type started struct {
	mu sync.Mutex
	at map[reap.Job][]string
}

func (s *started) note(job reap.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[job] = append(s.at[job], time.Now().UTC().Format("2 15:04:05"))
}

// during lets a runner run for d from midnight UTC, 1 January 2000, on a clock of its own.
// It returns what was logged.
func during(t *testing.T, s reap.Schedule, d time.Duration, do func(context.Context, reap.Job) error) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var log strings.Builder
	r, err := reap.NewRunner(s, do, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	time.Sleep(d)
	synctest.Wait()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the runner ended with %v", err)
	}
	return log.String()
}

func TestJobsRunByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &started{at: map[reap.Job][]string{}}
		during(t, reap.Schedule{
			Expire: reap.Timing{Cron: "0 */12 * * *", Zone: "Asia/Shanghai"}, // 8 hours ahead
		}, 30*time.Hour, func(_ context.Context, job reap.Job) error {
			s.note(job)
			return nil
		})
		questions := s.at[reap.JobQuestions]
		if len(questions) != 30 || questions[0] != "1 00:27:00" || questions[29] != "2 05:27:00" {
			t.Errorf("questions ran at %v", questions)
		}
		delete(s.at, reap.JobQuestions)
		want := map[reap.Job][]string{
			reap.JobExpire: {"1 04:00:00", "1 16:00:00", "2 04:00:00"},
			reap.JobTier:   {"1 03:17:00", "2 03:17:00"},
			reap.JobPurge:  {"1 03:37:00", "2 03:37:00"},
		}
		if !reflect.DeepEqual(s.at, want) {
			t.Errorf("jobs ran at %v, want %v", s.at, want)
		}
	})
}

func TestExpireRunsEachHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &started{at: map[reap.Job][]string{}}
		during(t, reap.Schedule{
			Tier: reap.Timing{Cron: "never"}, Purge: reap.Timing{Cron: "never"}, Questions: reap.Timing{Cron: "never"},
		}, 4*time.Hour, func(_ context.Context, job reap.Job) error {
			s.note(job)
			return nil
		})
		want := map[reap.Job][]string{reap.JobExpire: {"1 00:07:00", "1 01:07:00", "1 02:07:00", "1 03:07:00"}}
		if !reflect.DeepEqual(s.at, want) {
			t.Errorf("jobs ran at %v, want %v", s.at, want)
		}
	})
}

// TestStartsAreThoseOfTheClock: the same times as a runner keeps, in one order.
func TestStartsAreThoseOfTheClock(t *testing.T) {
	midnight := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name     string
		schedule reap.Schedule
		after    time.Duration
		upTo     time.Duration
		want     []string
	}{
		{"by default", reap.Schedule{}, 2*time.Hour + 27*time.Minute, 4*time.Hour + 7*time.Minute, []string{
			"expire 03:07", "tier 03:17", "questions 03:27", "purge 03:37", "expire 04:07",
		}},
		{"none", reap.Schedule{}, 3*time.Hour + 37*time.Minute, 4 * time.Hour, nil},
		{"back in time", reap.Schedule{}, 4 * time.Hour, 3 * time.Hour, nil},
		{"at once, in another zone, never, and on a day that never comes", reap.Schedule{
			Expire: reap.Timing{Cron: "0 */12 * * *", Zone: "Asia/Shanghai"}, Tier: reap.Timing{Cron: "0 4 * * *"},
			Purge: reap.Timing{Cron: "never"}, Questions: reap.Timing{Cron: "0 0 30 2 *"},
		}, 0, 24 * time.Hour, []string{"expire 04:00", "tier 04:00", "expire 16:00"}},
	}
	for _, tt := range tests {
		starts, err := tt.schedule.Starts(midnight.Add(tt.after), midnight.Add(tt.upTo))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		var got []string
		for _, s := range starts {
			got = append(got, string(s.Job)+" "+s.At.UTC().Format("15:04"))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if _, err := (reap.Schedule{Expire: reap.Timing{Cron: "7"}}).Starts(midnight, midnight); err == nil {
		t.Error("a schedule that cannot be used has starts")
	}
}

// A job that takes longer than its interval does not run twice at once, and does not hold up
// the others; one that fails or panics runs again.
func TestJobsDoNotOverlapAndDoNotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &started{at: map[reap.Job][]string{}}
		log := during(t, reap.Schedule{Purge: reap.Timing{Cron: "@hourly"}, Tier: reap.Timing{Cron: "never"}}, 6*time.Hour+30*time.Minute,
			func(_ context.Context, job reap.Job) error {
				s.note(job)
				switch job {
				case reap.JobExpire:
					time.Sleep(90 * time.Minute)
				case reap.JobPurge:
					panic("broken")
				}
				return errors.New("no luck")
			})
		if got, want := s.at[reap.JobExpire], []string{"1 00:07:00", "1 02:07:00", "1 04:07:00", "1 06:07:00"}; !reflect.DeepEqual(got, want) {
			t.Errorf("expire started at %v, want %v", got, want)
		}
		if got := len(s.at[reap.JobQuestions]); got != 7 {
			t.Errorf("questions started %d times", got)
		}
		if got := len(s.at[reap.JobPurge]); got != 6 {
			t.Errorf("purge started %d times", got)
		}
		if strings.Count(log, "job=questions error=\"no luck\"") != 7 || strings.Count(log, "event=panic error=broken") != 6 {
			t.Errorf("logged:\n%s", log)
		}
	})
}

// Run returns when the last job has ended, which is told to stop.
func TestRunnerWaitsForItsJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stopped, ended bool
		log := during(t, reap.Schedule{Tier: reap.Timing{Cron: "never"}, Purge: reap.Timing{Cron: "never"}, Questions: reap.Timing{Cron: "never"}}, 10*time.Minute,
			func(ctx context.Context, _ reap.Job) error {
				<-ctx.Done()
				stopped = true
				time.Sleep(time.Minute)
				ended = true
				return ctx.Err()
			})
		if !stopped || !ended {
			t.Errorf("stopped %v, ended %v", stopped, ended)
		}
		if log != "" {
			t.Errorf("being stopped was logged:\n%s", log)
		}
	})
}

package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
)

func TestClasses(t *testing.T) {
	cause := errors.New("boom")
	tests := []struct {
		name      string
		err       error
		permanent bool
		outage    bool
		delay     time.Duration
		asked     bool
	}{
		{"unclassified", cause, false, false, 0, false},
		{"permanent", fault.Permanent(cause), true, false, 0, false},
		{"outage", fault.Outage(cause, time.Second), false, true, time.Second, true},
		{"outage without a delay", fault.Outage(cause, 0), false, true, 0, false},
		{"retry after", fault.RetryAfter(cause, time.Minute), false, false, time.Minute, true},
		{"retry at once", fault.RetryAfter(cause, 0), false, false, 0, true},
		{"permanent after an outage", fault.Permanent(fault.Outage(cause, time.Second)), true, true, time.Second, true},
		{"joined", errors.Join(errors.New("other"), fault.Permanent(cause)), true, false, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := fmt.Errorf("upsert point: %w", tt.err)
			if got := fault.IsPermanent(err); got != tt.permanent {
				t.Errorf("permanent is %v", got)
			}
			if got := errors.Is(err, fault.ErrOutage); got != tt.outage {
				t.Errorf("outage is %v", got)
			}
			if d, ok := fault.Delay(err); d != tt.delay || ok != tt.asked {
				t.Errorf("delay is %v, %v", d, ok)
			}
			if !errors.Is(err, cause) {
				t.Error("the cause is lost")
			}
		})
	}
}

func TestNilStaysNil(t *testing.T) {
	for name, err := range map[string]error{
		"Permanent": fault.Permanent(nil), "Outage": fault.Outage(nil, time.Second), "RetryAfter": fault.RetryAfter(nil, time.Second),
	} {
		if err != nil {
			t.Errorf("%s(nil) is %v", name, err)
		}
	}
	if fault.IsPermanent(nil) {
		t.Error("no error is permanent")
	}
	if _, ok := fault.Delay(nil); ok {
		t.Error("no error asks for a delay")
	}
}

func TestMessages(t *testing.T) {
	cause := errors.New("boom")
	for want, err := range map[string]error{
		"boom": fault.Permanent(cause), "boom (again in 2s)": fault.RetryAfter(cause, 2*time.Second),
	} {
		if err.Error() != want {
			t.Errorf("message is %q, want %q", err, want)
		}
	}
	if got := fault.Outage(cause, time.Second).Error(); got != "boom" {
		t.Errorf("message is %q", got)
	}
}

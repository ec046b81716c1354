package retention_test

import (
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/retention"
)

func TestDocumentDue(t *testing.T) {
	now := time.Date(2026, 6, 1, 3, 0, 0, 0, time.UTC)
	ago := func(hours int) time.Time { return now.Add(-time.Duration(hours) * time.Hour) }
	policy := retention.Policy{ExpiryGrace: time.Hour, UndoFor: 2 * time.Hour, TombstoneFor: 3 * time.Hour}
	never := retention.Policy{ExpiryGrace: retention.Never, UndoFor: retention.Never, TombstoneFor: retention.Never}
	for name, tt := range map[string]struct {
		action retention.Action
		d      document.Document
		want   bool
	}{
		"expired":                    {retention.Expire, document.Document{ExpiresAt: ago(1)}, true},
		"within its grace":           {retention.Expire, document.Document{ExpiresAt: ago(1).Add(1)}, false},
		"without an expiry":          {retention.Expire, document.Document{}, false},
		"expired and removed":        {retention.Expire, document.Document{ExpiresAt: ago(1), RemovedAt: ago(1)}, false},
		"stale":                      {retention.Purge, document.Document{StaleSince: ago(2)}, true},
		"stale of late":              {retention.Purge, document.Document{StaleSince: ago(1)}, false},
		"never replaced":             {retention.Purge, document.Document{UpdatedAt: ago(9)}, false},
		"removed":                    {retention.Drop, document.Document{RemovedAt: ago(3)}, true},
		"removed of late":            {retention.Drop, document.Document{RemovedAt: ago(2)}, false},
		"removed, with text left":    {retention.Drop, document.Document{RemovedAt: ago(3), StaleSince: ago(3)}, false},
		"not removed":                {retention.Drop, document.Document{UpdatedAt: ago(9)}, false},
		"unused, which is no matter": {retention.Archive, document.Document{UpdatedAt: ago(9999)}, false},
	} {
		if got := policy.DocumentDue(tt.action, &tt.d, now); got != tt.want {
			t.Errorf("%s: due is %v", name, got)
		}
		if never.DocumentDue(tt.action, &tt.d, now) {
			t.Errorf("%s: due where the limit does not apply", name)
		}
	}
}

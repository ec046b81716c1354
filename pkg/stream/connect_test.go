package stream

import (
	"strings"
	"testing"
)

// TestConnectSaysWhere: with every address that was tried, and no password.
func TestConnectSaysWhere(t *testing.T) {
	for urls, want := range map[string]string{
		"nats://127.0.0.1:1": "connect to NATS at nats://127.0.0.1:1: ",
		"nats://me:s3cret@127.0.0.1:1, tls://t0ken@127.0.0.1:2": "connect to NATS at nats://…@127.0.0.1:1, tls://…@127.0.0.1:2: ",
		"me:s3c@ret@127.0.0.1:1":                                "connect to NATS at …@127.0.0.1:1: ",
	} {
		_, err := Connect(ConnectOptions{URL: urls, Name: "test"})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "s3c") || strings.Contains(err.Error(), "t0ken") {
			t.Errorf("Connect(%q) = %v, want %q", urls, err, want)
		}
	}
}

package app

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// issue makes a certificate for 127.0.0.1 with that number, as PEM.
func issue(t *testing.T, number int64) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// write writes the files, as changed at a time of its own, since file times may be coarse.
func write(t *testing.T, c TLSConfig, cert, key []byte, at time.Time) {
	t.Helper()
	for name, data := range map[string][]byte{c.CertFile: cert, c.KeyFile: key} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheCertificateIsReadAnewWhenItChanges(t *testing.T) {
	dir := t.TempDir()
	files := TLSConfig{CertFile: filepath.Join(dir, "tls.crt"), KeyFile: filepath.Join(dir, "tls.key")}
	if _, err := files.load(slog.New(slog.DiscardHandler)); err == nil {
		t.Fatal("files that are not there are taken")
	}
	now := time.Now()
	one, oneKey := issue(t, 1)
	write(t, files, one, oneKey, now)
	c := &certificate{files: files, log: slog.New(slog.DiscardHandler)}
	if err := c.reload(); err != nil {
		t.Fatal(err)
	}
	serial := func(after time.Duration) int64 { return c.current(now.Add(after)).Leaf.SerialNumber.Int64() }
	if got := serial(0); got != 1 {
		t.Fatalf("at first it is %d", got)
	}
	two, twoKey := issue(t, 2)
	write(t, files, two, oneKey, now.Add(time.Minute)) // half-way
	if got := serial(2 * time.Second); got != 1 {
		t.Errorf("with a certificate and another's key it is %d", got)
	}
	write(t, files, two, twoKey, now.Add(2*time.Minute))
	if got := serial(2500 * time.Millisecond); got != 1 {
		t.Errorf("within a second the files are looked at again: it is %d", got)
	}
	if got := serial(4 * time.Second); got != 2 {
		t.Errorf("changed, it is %d", got)
	}
	if err := os.Remove(files.CertFile); err != nil {
		t.Fatal(err)
	}
	if got := serial(6 * time.Second); got != 2 {
		t.Errorf("with the file gone it is %d", got)
	}
}

func TestServingWithTLS(t *testing.T) {
	dir := t.TempDir()
	files := TLSConfig{CertFile: filepath.Join(dir, "tls.crt"), KeyFile: filepath.Join(dir, "tls.key")}
	cert, key := issue(t, 7)
	write(t, files, cert, key, time.Now())
	secure, err := files.load(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serve(l, h, secure)(ctx) }()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	get := func(most uint16) (string, error) {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MaxVersion: most}, ForceAttemptHTTP2: true}
		defer transport.CloseIdleConnections()
		resp, err := (&http.Client{Transport: transport}).Get("https://" + l.Addr().String())
		if err != nil {
			return "", err
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	if got, err := get(0); err != nil || got != "HTTP/2.0" {
		t.Errorf("over TLS = %q, %v", got, err)
	}
	if got, err := get(tls.VersionTLS12); err != nil {
		t.Errorf("over TLS 1.2 = %q, %v", got, err)
	}
	if got, err := get(tls.VersionTLS11); err == nil {
		t.Errorf("over TLS 1.1 = %q, want it refused", got)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

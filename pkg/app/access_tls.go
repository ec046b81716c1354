package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// TLSConfig says with which certificate the HTTP API is served. Default: without any.
type TLSConfig struct {
	// CertFile and KeyFile are PEM files: the certificate, with those that it was issued by,
	// and its key. When they change, the new ones are taken, without a restart.
	CertFile string `env:"CERT_FILE"`
	KeyFile  string `env:"KEY_FILE"`
}

func (c TLSConfig) validate() error {
	if (c.CertFile == "") != (c.KeyFile == "") {
		return errors.New("MNEMOND_TLS_CERT_FILE and MNEMOND_TLS_KEY_FILE: are set together or not at all")
	}
	return nil
}

// load is the configuration of a server that has the certificate; nil when there is none.
func (c TLSConfig) load(log *slog.Logger) (*tls.Config, error) {
	if c.CertFile == "" {
		return nil, nil
	}
	f := &certificate{files: c, log: log}
	if err := f.reload(); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.current(time.Now()), nil },
	}, nil
}

// certificate is the one in the files, as it last could be read.
type certificate struct {
	files TLSConfig
	log   *slog.Logger

	mu      sync.Mutex
	loaded  *tls.Certificate
	stamp   [2]fileStamp
	checked time.Time
}

// fileStamp tells whether a file is another than before.
type fileStamp struct {
	modified time.Time
	size     int64
}

// checkEvery is how often the files are looked at, at most.
const checkEvery = time.Second

// current is the certificate to use at now. Files that cannot be read, or do not fit (the one
// is written before the other), change nothing until they change again.
func (c *certificate) current(now time.Time) *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.checked) < checkEvery {
		return c.loaded
	}
	c.checked = now
	stamp, err := c.look()
	if err == nil && stamp == c.stamp {
		return c.loaded
	}
	if err == nil {
		c.stamp = stamp
		err = c.reload()
	}
	if err != nil {
		c.log.Warn("the certificate stays as it was", "error", err)
	} else {
		c.log.Info("the certificate was read anew")
	}
	return c.loaded
}

func (c *certificate) look() ([2]fileStamp, error) {
	var stamp [2]fileStamp
	for i, name := range []string{c.files.CertFile, c.files.KeyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return stamp, fmt.Errorf("look at certificate: %w", err)
		}
		stamp[i] = fileStamp{info.ModTime(), info.Size()}
	}
	return stamp, nil
}

// reload reads the files as they are now.
func (c *certificate) reload() error {
	stamp, err := c.look() // first: what changes while they are read is read again
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.files.CertFile, c.files.KeyFile)
	if err != nil {
		return fmt.Errorf("read certificate (MNEMOND_TLS_CERT_FILE, MNEMOND_TLS_KEY_FILE): %w", err)
	}
	c.loaded, c.stamp = &pair, stamp
	return nil
}

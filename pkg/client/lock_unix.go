//go:build unix

package client

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens the file and locks it for as long as it is open, or returns ErrInUse. The
// kernel releases it when the process dies, however it does.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrInUse
	}
	// Closing what could not be locked has nothing to add to that.
	_ = f.Close()
	return nil, err
}

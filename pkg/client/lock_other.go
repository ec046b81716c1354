//go:build !unix

package client

import "os"

// lockFile opens the file. Here it locks nothing: that one client at a time has a spill file
// open is up to who configures them.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

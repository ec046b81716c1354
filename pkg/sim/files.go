package sim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxWalks bounds how often Files begins again.
const maxWalks = 10

// Files are the store's files and folders by path, a folder without content. The server
// replaces files while it works: where one goes in the course of a walk, the walk begins
// again, so that what has moved is not missed; the last walk leaves out what goes.
func (s *Sim) Files() (map[string][]byte, error) {
	for walk := 1; ; walk++ {
		files := map[string][]byte{}
		complete := true
		err := filepath.WalkDir(s.Dir, func(path string, d fs.DirEntry, err error) error {
			var raw []byte
			if err == nil && !d.IsDir() {
				raw, err = os.ReadFile(path)
			}
			switch {
			case errors.Is(err, fs.ErrNotExist):
				complete = false
				return nil
			case err != nil:
				return err
			}
			files[path] = raw
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read store files: %w", err)
		}
		if complete || walk == maxWalks {
			return files, nil
		}
	}
}

package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds of what is read.
const (
	maxFileBytes = 1 << 30 // of a file, unpacked
	maxLineBytes = 8 << 20
)

// ReadLines calls fn for each line of a file that is packed with gzip, and returns the SHA-256
// of the file as it lies there, in hex. What is wrong is an error with the path and, where
// there is one, the number of the line, from 1; a file that is not there is fs.ErrNotExist.
func ReadLines(path string, fn func(line []byte) error) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	packed := io.TeeReader(f, h)
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	limited := &io.LimitedReader{R: unpacked, N: maxFileBytes}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLineBytes)
	n := 0
	for lines.Scan() {
		n++
		if err := fn(lines.Bytes()); err != nil {
			return "", fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("%s, after line %d: %w", path, n, err)
	}
	if limited.N == 0 {
		return "", fmt.Errorf("%s: more than %d bytes unpacked", path, maxFileBytes)
	}
	// What follows the last packed block belongs to the file too.
	if _, err := io.Copy(io.Discard, packed); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// DecodeStrict reads the one JSON value of a line into v. A field that v does not know and a
// second value are errors.
func DecodeStrict(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value in the line")
	}
	return nil
}

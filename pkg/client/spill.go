package client

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/mnemond/mnemond/pkg/event"
)

// ErrInUse says that another client has the spill file open.
var ErrInUse = errors.New("spill file is in use by another client")

// spill is a bounded file of events, one a line, the oldest first. What was sent stays at its
// beginning until it is worth writing the rest anew; so what another client sends again after
// a crash has the same ids. The methods of a nil spill find nothing.
type spill struct {
	mu   sync.Mutex
	path string
	max  int64
	lock *os.File
	f    *os.File
	// head is where the first line begins that was not sent, size where the file ends, and
	// lines how many lie between.
	head, size int64
	lines      atomic.Int64
}

// openSpill opens or makes the file, and locks it.
func openSpill(path string, most int64) (*spill, error) {
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("open spill file %s: %w", path, err)
	}
	s := &spill{path: path, max: most, lock: lock}
	if s.f, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		err = s.measure()
	}
	if err != nil {
		_ = s.close() // has nothing to add
		return nil, fmt.Errorf("open spill file %s: %w", path, err)
	}
	return s, nil
}

// measure counts the lines, and cuts off one that was not written to its end.
func (s *spill) measure() error {
	buf := make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := s.f.ReadAt(buf, at)
		for i, c := range buf[:n] {
			if c == '\n' {
				s.lines.Add(1)
				s.size = at + int64(i) + 1
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			return s.f.Truncate(s.size)
		}
		if err != nil {
			return err
		}
	}
}

// count is how many events are in the file that were not sent.
func (s *spill) count() int {
	if s == nil {
		return 0
	}
	return int(s.lines.Load())
}

// append writes events behind the others, as many as there is room for, and returns how many.
// They are written whole or not at all.
func (s *spill) append(events []entry) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size-s.head < s.head { // more was sent than not
		if err := s.compact(nil); err != nil {
			return 0, err
		}
	}
	var b bytes.Buffer
	n := 0
	for _, e := range events {
		if s.size+int64(b.Len()+len(e.raw)+1) > s.max {
			break
		}
		writeLine(&b, e.raw)
		n++
	}
	if _, err := s.f.WriteAt(b.Bytes(), s.size); err != nil {
		// What was written of it is overwritten by the next, or cut off.
		return 0, errors.Join(fmt.Errorf("write spill file: %w", err), s.f.Truncate(s.size))
	}
	s.size += int64(b.Len())
	s.lines.Add(int64(n))
	return n, nil
}

func writeLine(b *bytes.Buffer, raw []byte) {
	b.Write(raw)
	b.WriteByte('\n')
}

// peek reads the first events: up to n, and up to most bytes, but at least one.
func (s *spill) peek(n, most int) ([]entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := bufio.NewReaderSize(io.NewSectionReader(s.f, s.head, s.size-s.head), 64<<10)
	var out []entry
	for read := 0; len(out) < min(n, s.count()); {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("read spill file: %w", err)
		}
		if read += len(line); read > most && len(out) > 0 {
			break
		}
		one := entry{raw: line[:len(line)-1], size: len(line), clean: true}
		e, err := event.Read(one.raw)
		if err != nil { // somebody wrote into the file
			one.clean = false
		}
		one.id, one.ref = e.ID, e.Ref()
		out = append(out, one)
	}
	return out, nil
}

// advance goes past events that peek has returned.
func (s *spill) advance(sent []entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range sent {
		s.head += int64(e.size)
	}
	if s.lines.Add(-int64(len(sent))) == 0 && s.f.Truncate(0) == nil {
		s.head, s.size = 0, 0
	}
}

// compact writes the file anew, with first before what was not sent.
func (s *spill) compact(first []entry) error {
	next, err := os.OpenFile(s.path+".new", os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("rewrite spill file: %w", err)
	}
	var b bytes.Buffer
	for _, e := range first {
		writeLine(&b, e.raw)
	}
	before := int64(b.Len())
	_, err = io.Copy(next, io.MultiReader(&b, io.NewSectionReader(s.f, s.head, s.size-s.head)))
	if err == nil {
		err = next.Sync()
	}
	if err == nil {
		err = os.Rename(next.Name(), s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("rewrite spill file: %w", err), next.Close())
	}
	_ = s.f.Close() // it was only read from, and is gone
	s.f, s.size, s.head = next, before+s.size-s.head, 0
	s.lines.Add(int64(len(first)))
	return nil
}

// rewrite puts first before, and last behind, what was not sent, as much as there is room for,
// and has it on disk. It returns how many of both it has taken, in this order.
func (s *spill) rewrite(first, last []entry) (int, error) {
	if len(first) > 0 || s.head > 0 {
		s.mu.Lock()
		room, fits := s.max-(s.size-s.head), 0
		for _, e := range first {
			if room -= int64(len(e.raw) + 1); room < 0 {
				break
			}
			fits++
		}
		err := s.compact(first[:fits])
		s.mu.Unlock()
		if err != nil {
			return 0, err
		}
		if fits < len(first) {
			return fits, nil
		}
	}
	n, err := s.append(last)
	if err == nil {
		err = s.f.Sync()
	}
	return len(first) + n, err
}

// close closes the file and unlocks it. A file without events is removed.
func (s *spill) close() error {
	var err error
	if s.f != nil {
		err = s.f.Close()
		if err == nil && s.count() == 0 {
			err = os.Remove(s.path)
		}
	}
	return errors.Join(err, s.lock.Close())
}

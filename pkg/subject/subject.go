// Package subject is how ids become subject tokens, and where an event is published: its
// subject in MEM_EVENTS and the id by which the stream knows it again. The services' stream
// and the client of backends share it, so that the same event is the same to both. It never
// talks to a server.
package subject

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// ErrUnknown says that a subject is none that mnemond makes.
var ErrUnknown = errors.New("unknown subject")

// Events is the stream that events are published to, and EventPrefix what its subjects begin
// with.
const (
	Events      = "MEM_EVENTS"
	EventPrefix = "mem.events."
)

// Event is where the events of a thread are stored: mem.events.<tenant>.<user>.<thread>.
func Event(r memory.ThreadRef) string {
	return EventPrefix + Token(string(r.Tenant)) + "." + Token(string(r.User)) + "." + Token(string(r.Thread))
}

// EventID is the Nats-Msg-Id of an event, by which the stream stores it once.
func EventID(r memory.ThreadRef, id string) string {
	return MessageID(string(r.Tenant), string(r.User), id)
}

// MessageID is a Nats-Msg-Id that no other parts give: the server compares ids over the
// whole stream, so it must not be left to callers, and its length is bounded.
func MessageID(parts ...string) string { return Digest(sha256.New(), parts) }

// Digest is the first 18 bytes of what h makes of the parts, each behind its length, in
// unpadded base64url.
func Digest(h hash.Hash, parts []string) string {
	for _, p := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(p)))
		h.Write(length[:])
		h.Write([]byte(p))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
}

// emptyToken stands for the empty id: a lone escape mark, which no other id yields.
const emptyToken = "="

const upperHex = "0123456789ABCDEF"

// Token makes an id one subject token (and one KV key part): letters, digits, '-' and '_'
// of ASCII stand for themselves, every other byte becomes '=' and two upper-case hex
// digits. It is injective, Untoken is its inverse, and it is never empty. A valid id gives
// at most 768 bytes.
func Token(id string) string {
	if id == "" {
		return emptyToken
	}
	var b strings.Builder
	b.Grow(len(id))
	for i := range len(id) {
		c := id[i]
		if plain(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('=')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&0xf])
	}
	return b.String()
}

// Untoken is the inverse of Token. A token that Token never makes is an error wrapping
// ErrUnknown, so that two subjects never name the same id.
func Untoken(token string) (string, error) {
	if token == emptyToken {
		return "", nil
	}
	var b strings.Builder
	b.Grow(len(token))
	for i := 0; i < len(token); i++ {
		c := token[i]
		if plain(c) {
			b.WriteByte(c)
			continue
		}
		if c != '=' || i+2 >= len(token) {
			return "", fmt.Errorf("%w: token %.80q", ErrUnknown, token)
		}
		hi, lo := strings.IndexByte(upperHex, token[i+1]), strings.IndexByte(upperHex, token[i+2])
		if hi < 0 || lo < 0 || plain(byte(hi<<4|lo)) {
			return "", fmt.Errorf("%w: token %.80q", ErrUnknown, token)
		}
		b.WriteByte(byte(hi<<4 | lo))
		i += 2
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("%w: empty token", ErrUnknown)
	}
	return b.String(), nil
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

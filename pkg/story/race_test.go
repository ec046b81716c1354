//go:build race

package story_test

// raced says that the race detector is on, which makes a story five times as slow.
const raced = true

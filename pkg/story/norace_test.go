//go:build !race

package story_test

const raced = false

package cli_test

import (
	"strings"
	"testing"
)

// TestStoreAtTheCommandLine: put, get, list, search and delete, on a running installation, and
// what the ledger says of it.
func TestStoreAtTheCommandLine(t *testing.T) {
	d := startDev(t, t.TempDir())
	has(t, "recipes/soup/leek - minutes", "store", "put", "recipes/soup", "leek", `{"title":"Leek soup","minutes":40}`, "--user", "me")
	has(t, "recipes/cake/carrot until", "store", "put", "recipes/cake", "carrot", `{"title":"Carrot cake","minutes":75}`, "--user", "me", "--ttl", "720h")
	has(t, "notes/快递", "store", "put", "/notes/", "快递", `{"正文":"周五到"}`, "--no-index")
	has(t, `"Leek soup" "updated_at"`, "store", "get", "recipes/soup", "leek", "--user", "me")
	if _, err := run(t, "store", "get", "recipes/soup", "leek"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("the tenant's own is %v", err)
	}
	if out := mustRun(t, "store", "list", "--user", "me"); out != "recipes/cake\nrecipes/soup\n" {
		t.Errorf("list prints %q", out)
	}
	if out := mustRun(t, "store", "list", "--user", "me", "--depth", "1", "--prefix", "*", "--suffix", "*/soup"); out != "recipes\n" {
		t.Errorf("list prints %q", out)
	}
	has(t, "leek - carrot", "store", "search", "--user", "me", "a warm soup")
	has(t, "carrot - leek", "store", "search", "--user", "me", "--prefix", "recipes", "--filter", `{"minutes":{"$gt":60}}`)
	has(t, `"items" "carrot" - leek`, "store", "search", "--user", "me", "--limit", "1", "--json")
	has(t, "- 快递", "store", "search", "周五到")
	has(t, "快递 周五到", "store", "search")
	if out := mustRun(t, "store", "delete", "recipes/soup", "leek", "--user", "me"); out != "deleted\n" {
		t.Errorf("delete prints %q", out)
	}
	if out := mustRun(t, "store", "delete", "recipes/soup", "leek", "--user", "me"); out != "there was none\n" {
		t.Errorf("delete prints %q", out)
	}
	has(t, "recipes/soup/leek put remove (removed) - Carrot", "ledger", "--user", "me")
	for want, args := range map[string][]string{
		"value: not valid JSON":  {"store", "put", "a", "k", "{"},
		"filter: not valid JSON": {"store", "search", "--filter", "{"},
		"unknown operator":       {"store", "search", "--filter", `{"a":{"$in":[1]}}`},
		"namespace":              {"store", "put", "/", "k", "{}"},
		"can't be used together": {"store", "list", "--user", "a", "--agent", "b"},
	} {
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v = %v, want %q", args, err, want)
		}
	}
	d.stop(t)
}

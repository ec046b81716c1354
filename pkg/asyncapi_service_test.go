package pkg_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/natsapi"
	"github.com/mnemond/mnemond/schemas"
)

// serviceFile is the AsyncAPI document of the service, which is made from the operations.
const serviceFile = "asyncapi.service.json"

var update = flag.Bool("update", false, "write schemas/"+serviceFile)

func TestAsyncAPIOfTheServiceIsThatOfTheOperations(t *testing.T) {
	made, err := natsapi.Document(app.Operations())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../schemas/"+serviceFile, made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if kept, err := schemas.Files.ReadFile(serviceFile); err != nil || !bytes.Equal(kept, made) {
		t.Errorf("schemas/%s is not of the operations (%v): run go test ./pkg/ -run TestAsyncAPIOfTheService -update", serviceFile, err)
	}
}

// TestAsyncAPIOfTheServiceHasEveryOperation of the table, on its subject, with a request and a
// reply that are described.
func TestAsyncAPIOfTheServiceHasEveryOperation(t *testing.T) {
	doc := readJSON(t, serviceFile)
	operations := app.Operations().Operations()
	if len(operations) < 20 || len(object(t, doc, "operations")) != len(operations) || len(object(t, doc, "channels")) != len(operations)+1 {
		t.Errorf("%d operations are described on %d channels, want %d", len(object(t, doc, "operations")), len(object(t, doc, "channels")), len(operations))
	}
	if replies := object(t, doc, "channels", "replies"); replies["address"] != nil {
		t.Errorf("replies go to %v, not to whom the request names", replies["address"])
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(serviceFile, any(doc)); err != nil {
		t.Fatal(err)
	}
	for _, op := range operations {
		if got := at(t, doc, "channels", op.ID, "address"); got != natsapi.Subject(op.ID) {
			t.Errorf("%s is asked for on %v", op.ID, got)
		}
		if got := at(t, doc, "operations", op.ID, "x-least-role"); got != string(op.Role) {
			t.Errorf("%s is open to %v", op.ID, got)
		}
		for _, message := range []string{op.ID + "_request", op.ID + "_reply"} {
			if _, err := compiler.Compile(serviceFile + "#/components/messages/" + message + "/payload"); err != nil {
				t.Error(err)
			}
		}
	}
	request, err := compiler.Compile(serviceFile + "#/components/messages/recall_request/payload")
	if err != nil {
		t.Fatal(err)
	}
	for raw, fits := range map[string]bool{
		`{"user":"张三","query":"我住在哪里？","limit":3}`: true, `{"user":"alice"}`: true, `{"limit":"three"}`: false, `{"user":"alice","nope":1}`: false,
	} {
		var value any
		if err := json.Unmarshal([]byte(raw), &value); err != nil {
			t.Fatal(err)
		}
		if err := request.Validate(value); (err == nil) != fits {
			t.Errorf("a recall with %s is %v", raw, err)
		}
	}
}

package cli_test

import (
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// TestQuestionsAtTheCommandLine lists what a user is asked, and answers it.
func TestQuestionsAtTheCommandLine(t *testing.T) {
	d := startDev(t, t.TempDir())
	if out := mustRun(t, "questions", "--user", "me"); out != "" {
		t.Errorf("questions of nobody prints %q", out)
	}
	for i, said := range []string{
		"My birthday is May 4.", "My birthday is May 14.", "我住在杭州。", "我住在上海。", "I work at Tesco.", "I work at Lidl.", "I love opera.", "I hate opera.",
	} {
		d.say(t, string(rune('a'+i)), said)
	}
	eventually(t, "opera", "questions", "--user", "me")
	listed := mustRun(t, "questions", "--user", "me")
	for _, want := range []string{
		"you said your birthday is May 4; later that day, that it is May 14. Which is right?", "; keep, replace, both, neither, other)",
		"你说住在杭州，同一天又说住在上海。你现在住在哪里？", "Do you like or dislike opera these days?", "; keep, replace, both, neither)",
	} {
		if !strings.Contains(listed, want) {
			t.Errorf("questions prints\n%s\nwhich lacks %q", listed, want)
		}
	}
	var open struct{ Questions []memory.Question }
	decode(t, mustRun(t, "questions", "--user", "me", "--json"), &open)
	about := map[memory.Key]string{}
	for _, q := range open.Questions {
		about[q.Key] = string(q.ID)
	}
	if len(about) != 4 {
		t.Fatalf("questions --json gives %+v", open)
	}

	for _, args := range [][]string{{"maybe"}, {"other"}, {"replace", "June 1"}} {
		_, err := run(t, append([]string{"answer", "--user", "me", about["user.birthday"]}, args...)...)
		oneLine(t, err, "invalid request: ")
	}
	if _, err := run(t, "answer", "--user", "me", "no-such-question", "keep"); err == nil || err.Error() != "not found" {
		t.Errorf("an answer to no question = %v", err)
	}
	for _, tt := range []struct {
		key  memory.Key
		args []string
		want string
	}{
		{"user.birthday", []string{"other", "May 24"}, "user.birthday is now May 24\n"},
		{"user.city", []string{"neither"}, "user.city holds neither\n"},
		{"user.employer", []string{"both"}, "user.employer is now Tesco\nBoth are true, then: when is it Tesco, and when is it Lidl?\n"},
		{"user.likes", []string{"replace"}, "user.dislikes is now opera\n"},
	} {
		if out := mustRun(t, append([]string{"answer", "--user", "me", about[tt.key]}, tt.args...)...); out != tt.want {
			t.Errorf("answer %v prints %q, want %q", tt.args, out, tt.want)
		}
	}
	_, err := run(t, "answer", "--user", "me", about["user.birthday"], "keep")
	oneLine(t, err, "decided meanwhile: ", "answered, other")
	if out := mustRun(t, "questions", "--user", "me"); out != "" {
		t.Errorf("questions prints %q, want none left", out)
	}
	if out := mustRun(t, "memories", "--user", "me"); !strings.Contains(out, "May 24") || strings.Contains(out, "May 14") {
		t.Errorf("memories prints\n%s", out)
	}
}

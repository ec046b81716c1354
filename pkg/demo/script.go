package demo

import (
	"bytes"
	"embed"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

//go:embed conversations
var bundled embed.FS

// Line is one message of a conversation.
type Line struct {
	At      time.Time     `json:"at"`
	User    memory.User   `json:"user"`
	Thread  memory.Thread `json:"thread"`
	Role    memory.Role   `json:"role"`
	Content string        `json:"content"`
}

// Question is what an agent asks memory on behalf of a user.
type Question struct {
	At    time.Time
	User  memory.User
	Query string
	// Archive asks for what has gone cold as well.
	Archive bool
	// Note says what there is to see in the answer.
	Note string
}

// Act is what happens beside what is said and asked. Of the fields after User, one is set.
type Act struct {
	At   time.Time
	User memory.User
	// Chapter opens a part of the story.
	Chapter *Chapter
	// Look shows the user's memories of this kind and how near at hand they are, which is no
	// use of them.
	Look memory.Kind
	// Again has this thread of the user's consolidated once more from its first message.
	Again memory.Thread
	// Erase erases the user, and verifies it.
	Erase bool
}

// Chapter is a part of the story, and what there is to see in it.
type Chapter struct{ Title, About string }

// Script is what a demo plays, on one timeline.
type Script struct {
	Lines     []Line
	Questions []Question
	Acts      []Act
	// Reaper has the reaper do its jobs at the times of its schedule.
	Reaper bool
}

// Bundled is the script in both languages that comes with the program.
func Bundled() (Script, error) {
	s := Script{Questions: questions, Acts: acts, Reaper: true}
	for _, name := range []string{"en.jsonl", "zh.jsonl"} {
		raw, err := bundled.ReadFile("conversations/" + name)
		if err != nil {
			return s, fmt.Errorf("bundled conversation: %w", err)
		}
		lines, err := Parse(bytes.NewReader(raw))
		if err != nil {
			return s, fmt.Errorf("bundled conversation %s: %w", name, err)
		}
		s.Lines = append(s.Lines, lines...)
	}
	return s, nil
}

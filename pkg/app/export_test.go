package app

import "context"

// NoteUses notes what recall hands out until ctx ends, as the extractor does.
func (s *Stack) NoteUses(ctx context.Context) error { return s.again("uses", s.noteUses)(ctx) }

package chinese

import "testing"

// Pastimes that are over, whatever stands first in the clause.
func TestPursuitEnded(t *testing.T) {
	check(t, []story{
		{"网球我不打了", []string{"fact about user.hobbies ends (user.hobbies 网球)"}},
		{"我不打网球了", []string{"fact about user.hobbies ends (user.hobbies 网球)"}},
		{"我放弃打网球了", []string{"fact about user.hobbies ends (user.hobbies 网球)"}},
		{"吉他不弹了", []string{"fact about user.hobbies ends (user.hobbies 吉他 must)"}},
		{"瑜伽我好久不练了", []string{"fact about user.hobbies ends (user.hobbies 瑜伽)"}},
		{"我不画画了", []string{"fact about user.hobbies ends (user.hobbies 画画)"}},
		{"烟我戒了", []string{"fact about user.likes ends (user.likes 烟)"}},
		{"猫我不养了", []string{"fact about user.pets ends (user.pets 猫)"}},
	})
	nothing(t, []string{"这局我不打了", "饭我不做了", "作业我不写了", "今天网球不打了", "他网球不打了"})
}

package english

import "testing"

// TestAsPeopleType are chat messages in words that the tables above do not use.
func TestAsPeopleType(t *testing.T) {
	tell(t, []story{
		{said: []string{"I've got a peanut allergy, pls keep that in mind"}, want: []string{"allergies=peanut « I've got a peanut allergy »", "!remember #1"}},
		{said: []string{"i'm allergic to penicillin and, weirdly, kiwi"}, want: []string{"allergies=penicillin", "allergies=kiwi"}},
		{said: []string{"grew up in Galway, been in Dublin for ten years"}, want: []string{"hometown=Galway « grew up in Galway »"}},
		{said: []string{"i live in york, been here ten years"}, want: []string{"city=york « i live in york »"}},
		{said: []string{"just started as a barista"}, want: []string{"occupation=barista updates"}},
		{said: []string{"I became a grandmother last week"}, want: []string{"\"I became a grandmother last week\" from 26-02-23"}},
		{said: []string{"I'm an engineer at heart"}},
		{said: []string{"I quit drinking two years ago"}, want: []string{"\"I quit drinking two years ago\" from 24-01-01"}},
		{said: []string{"I stopped drinking last year"}, want: []string{"\"I stopped drinking last year\" from 25-01-01"}},
		{said: []string{"had to put my cat Luna down yesterday"}, want: []string{"\"had to put my cat Luna down yesterday\" ends pets=Luna from 26-03-03"}},
		{said: []string{"I lost my cat Monday"}, want: []string{"\"I lost my cat Monday\" ends pets=cat from 26-03-02"}},
		{said: []string{"as someone who lives in Reykjavik, i find 20 degrees hot lol"}, want: []string{"city=Reykjavik « as someone who lives in Reykjavik »"}},
		{said: []string{"as someone who lives in Reykjavik, what would you wear?"}},
		{said: []string{"i'm in Lyon, where i've lived since 2019, and need a plumber"}, want: []string{"city=Lyon « i'm in Lyon »"}},
		{said: []string{"I love 1,000 piece puzzles and tea"}, want: []string{"likes=1,000 piece puzzles", "likes=tea"}},
		{said: []string{"I love tea,coffee"}, want: []string{"likes=tea", "likes=coffee"}},
		{said: []string{"I moved! I live in Denver"}, want: []string{"city=Denver updates « I live in Denver »"}},
		{said: []string{"we moved last month", "I live in Denver"}, want: []string{"city=Denver updates"}},
		{said: []string{"I just moved!", "A: Congrats!", "thanks. I'm in Tucson now"}, want: []string{"city=Tucson updates « I'm in Tucson now »"}},
		{said: []string{"I moved!", "ok", "I live in Denver"}, want: []string{"city=Denver"}},
		{said: []string{"I moved the couch", "I live in Denver"}, want: []string{"city=Denver"}},
		{said: []string{"I moved! My name is Ada"}, want: []string{"name=Ada « My name is Ada »"}},
		{said: []string{"Dear Ms Cole, I am writing to apply for the post of nurse. I live in Leeds."}},
		{said: []string{"To whom it may concern: I live in Leeds."}},
		{said: []string{"Dear assistant, I live in Leeds."}, want: []string{"city=Leeds « I live in Leeds »"}},
		{said: []string{"we have moved to Rotterdam, closer to work"}, want: []string{"city=Rotterdam updates"}},
		{said: []string{"I live in Springfield, the one in Ohio"}, want: []string{"city=Springfield"}},
		{said: []string{"I live in Austin, texas"}, want: []string{"city=Austin, texas"}},
		{said: []string{"no nuts for me please, allergic"}, want: []string{"allergies=nuts"}},
		{said: []string{"been vegan since 2018"}, want: []string{"diet=vegan from 18-01-01"}},
		{said: []string{"been a nurse for ten years"}, want: []string{"occupation=nurse"}},
		{said: []string{"been a pain to debug"}},
	})
}

package english

import "testing"

// Plain sentences of every topic whose grammar no rule had.
func TestPlainSpeech(t *testing.T) {
	tell(t, []story{
		// reasons before a request
		{[]string{"given that I'm lactose intolerant, what dessert would you suggest?"}, []string{"allergies=lactose « I'm lactose intolerant »"}},
		{[]string{"Seeing as I live in Tromsø, what should I wear in May?"}, []string{"city=Tromsø « I live in Tromsø »"}},
		{[]string{"now that I work at Ericsson, which bus should I take?"}, []string{"employer=Ericsson « I work at Ericsson »"}},
		// who was born, and their name
		{[]string{"We just had a baby girl, her name is Ottilie"}, []string{"family=baby girl Ottilie"}},
		{[]string{"I have a sister. Her name is Imogen."}, []string{"family=sister Imogen"}},
		{[]string{"My sister is great. Her name is Imogen."}, []string{"family=sister Imogen"}},
		// several animals by name
		{[]string{"I have two cats, Mochi and Pickle"}, []string{"pets=cat named Mochi", "pets=cat named Pickle"}},
		{[]string{"We have three dogs named Rex, Bo and Lady."}, []string{"pets=dog named Rex", "pets=dog named Bo", "pets=dog named Lady"}},
		{[]string{"we adopted two puppies called Ada and Bob"}, []string{"pets=puppy named Ada", "pets=puppy named Bob"}},
		{[]string{"I have two cats and a dog"}, []string{"pets=two cats", "pets=dog"}},
		{[]string{"I have two cats, and Pickle is the older one"}, []string{"pets=two cats « I have two cats »"}},
		// pronouns are no name
		{[]string{"I go by they/them"}, nil},
		{[]string{"I go by she/her"}, nil},
		{[]string{"I go by Shea"}, []string{"name=Shea"}},
		// opinions with a degree behind them
		{[]string{"I don't like horror movies at all"}, []string{"dislikes=horror movies"}},
		{[]string{"I don't like opera one bit"}, []string{"dislikes=opera"}},
		// employers with a name of their own
		{[]string{"I'm no longer at Google, I joined a small startup called Lumo"}, []string{"employer=Lumo updates « I joined a small startup called Lumo »"}},
		{[]string{"I work for a tiny design studio called Kelpie"}, []string{"employer=Kelpie"}},
		{[]string{"I'm no longer at Google"}, []string{`"I'm no longer at Google" ends employer=Google (must)`}},
		// offices, and studies that are over
		{[]string{"I'm the CTO of a fintech in Lagos"}, []string{"occupation=CTO of a fintech"}},
		{[]string{"I'm the manager of a small bakery"}, []string{"occupation=manager of a small bakery"}},
		{[]string{"I'm CTO at Lumo"}, []string{"occupation=CTO", "employer=Lumo"}},
		{[]string{"I'm head chef at Noma"}, []string{"occupation=head chef", "employer=Noma"}},
		{[]string{"I'm head over heels for her"}, nil},
		{[]string{"I gave up learning Korean"}, []string{`"I gave up learning Korean" ends =learning Korean`}},
		{[]string{"I'm not learning Korean anymore"}, []string{`"I'm not learning Korean anymore" ends =learning Korean`}},
		// one place to come from, and another to grow up in
		{[]string{"I'm from Nairobi originally but grew up in Toronto"}, []string{"hometown=Nairobi « I'm from Nairobi originally »", `"grew up in Toronto" about hometown`}},
		{[]string{"I grew up in Toronto"}, []string{"hometown=Toronto"}},
	})
}

package terms

import "strings"

// irregularForms are the forms that no rule of endings leads back to the word before them,
// which stands first in its line: went and gone to go, women to woman. Forms that are more
// often another word (rose, bit, lay, bound, ground, lives, leaves) are not here.
const irregularForms = `
arise arose arisen
awake awoke awoken
bear borne
beat beaten
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
do did done
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lain
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
pay paid
prove proven
ride rode ridden
ring rang rung
rise risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
child children
man men
woman women
foot feet
tooth teeth
goose geese
mouse mice
person people
wife wives
knife knives
shelf shelves
half halves
wolf wolves
`

// everydayForms are what people say for the word that stands first in the line, in any
// number: it is the same thing, and the one form is used as often as the other.
const everydayForms = `
mother mum mom mummy mommy mama momma
father dad daddy papa
grandmother grandma granny
grandfather grandpa grandad granddad
child kid
husband hubby
television tv telly
photograph photo pic
bicycle bike
telephone phone
refrigerator fridge
mathematics math
`

// hanEverydayForms are the same for Chinese words of two characters; a word of one
// character in front is one of nounsAnywhere.
const hanEverydayForms = `
爸 父亲
妈 母亲
爷爷 祖父
奶奶 祖母
外公 姥爷
外婆 姥姥
丈夫 老公
妻子 老婆
`

var (
	irregular   = formsOf(irregularForms, func(w string) string { return w })
	everyday    = formsOf(everydayForms, snowball)
	hanEveryday = formsOf(hanEverydayForms, func(w string) string { return w })
)

// formsOf maps every word of a line but the first to the first, each in the form that as
// gives it.
func formsOf(list string, as func(string) string) map[string]string {
	forms := make(map[string]string)
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		for i := 1; i < len(words); i++ {
			forms[as(words[i])] = as(words[0])
		}
	}
	return forms
}

package sign
import ("testing";"fmt";"strings";"slices")
func TestZZRedundant(t *testing.T) {
	var all []phrase
	for _,l := range phrases { all=append(all,l...) }
	seen:=map[string]bool{}
	for _,p := range all {
		k:=fmt.Sprint(p.table,p.except,p.words)
		if seen[k] {fmt.Println("DUP",p.table,p.except,p.words)}; seen[k]=true
		if p.except {continue}
		var text []string
		for _,w := range p.words { if w==number {w="5"}; if w==gap {continue}; text=append(text,w) }
		for _,q := range all { if q.table!=p.table||q.except||slices.Equal(q.words,p.words) {continue}
			for i := range text { if e:=q.at(text[i:]); e>0 { 
				// q within p
				fmt.Println("REDUNDANT",p.table,strings.Join(p.words,"_"),"by",strings.Join(q.words,"_")) } } }
	}
}

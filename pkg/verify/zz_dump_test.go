package verify_test
import ("testing";"fmt";"os";"encoding/json";"strings";"github.com/mnemond/mnemond/pkg/memory";"github.com/mnemond/mnemond/pkg/canon";"github.com/mnemond/mnemond/pkg/verify";"github.com/mnemond/mnemond/pkg/rules/sentence")
func own(content, quote string) (string,string) {
	ss:=sentence.Split(content); 
	for i,s := range ss { if strings.Contains(s.Text,quote) || strings.Contains(quote,s.Text) { b:=""; if i>0 {b=ss[i-1].Text}; return s.Text,b } }
	at:=strings.Index(content,quote); o:=""; b:=""
	for i,s := range ss { if s.From<at+len(quote) && at<s.To { o+=s.Text+"\n"; if b=="" && i>0 {b=ss[i-1].Text} } }
	return o,b
}
type row struct { Relation,Language,Key,Own,Before,Asked,Quote string; Must,Named,Refines bool; Target string}
func rows(hs []heard, path string) {
	f,_ := os.Create(path); defer f.Close(); n:=map[string]int{}
	for _, h := range hs {
		for _, c := range h.candidates {
			n[string(c.Relation)]++
			if c.Relation!=memory.RelationEnds && c.Relation!=memory.RelationUpdates {continue}
			o,b := own(h.messages[c.Source.Message].Content,c.Source.Quote)
			r:=row{Relation:string(c.Relation),Language:c.Language,Key:string(c.Key),Own:o,Before:b,Asked:c.Source.AskedQuote,Quote:c.Source.Quote}
			if c.Target!=nil { r.Target=string(c.Target.Key)+":"+c.Target.Value; r.Must=c.Target.Must; r.Named=verify.Fold(c.Target.Value)!="" && strings.Contains(verify.Fold(o+c.Source.AskedQuote),verify.Fold(c.Target.Value))
				f,_ := registry.Field(c.Key); more,ok := canon.Refines(c.Target.Value,c.Value,f.Class); r.Refines = ok && more==c.Value && c.Key==c.Target.Key && c.Relation==memory.RelationUpdates }
			j,_ := json.Marshal(r); fmt.Fprintln(f,string(j))
		}
	}
	fmt.Println(path,n)
}
func TestZZDir(t *testing.T) {
	n,bad:=0,0
	for _,h := range said(t) { for _,d := range h.directives { n++; m:=h.messages[d.Source.Message]
		if !verify.Quoted(m.Content,d.Source.Quote) || d.What!="" && !verify.Quoted(d.Source.Quote,d.What) { bad++; fmt.Printf("%s what=%q quote=%q role=%s m=%q\n",d.Action,d.What,d.Source.Quote,m.Role,m.Content) } } }
	fmt.Println("directives",n,bad)
}
func TestZZDump(t *testing.T) { rows(said(t),"/tmp/vlab/rows.jsonl") }

package sign
import ("testing";"os";"strings";"fmt";"sort";"encoding/json")
func hits(text string, tb int) []string {
	words:=units(text); quiet:=0; var out []string
	for i,w := range words { for _,p := range phrases[w] { if p.table!=tb {continue}
		e:=p.at(words[i:]); if e==0 {continue}
		if p.except { quiet=max(quiet,i+e) } else if i>=quiet { out=append(out,strings.Join(p.words,"_")) } } }
	return out
}
func TestZZRate(t *testing.T) {
	for _,k := range []string{"locomo","realmem","beam","memdaily"} {
		raw,_ := os.ReadFile("/tmp/vlab/bench_"+k+".txt"); lines:=strings.Split(string(raw),"\n")
		for tb,name := range []string{"change","ending","denial"} {
			n:=0; c:=map[string]int{}; ex:=map[string]string{}
			for _,l := range lines { h:=hits(l,tb); if tb==0 { h=append(h,hits(l,1)...) }; if len(h)>0 {n++}; seen:=map[string]bool{}; for _,x := range h { if !seen[x]{c[x]++; seen[x]=true; if len(ex[x])<400 {ex[x]+=" || "+l}}} }
			fmt.Printf("%s %s %d/%d = %.1f%%\n",k,name,n,len(lines),100*float64(n)/float64(len(lines)))
			if tb<2 && os.Getenv("TOP")!="" { var ks []string; for x := range c {ks=append(ks,x)}; sort.Slice(ks,func(a,b int)bool{return c[ks[a]]>c[ks[b]]}); for i,x := range ks { if i<40 {fmt.Printf("   %4d %s",c[x],x); if os.Getenv("EX")!="" {fmt.Printf("  %.500s",ex[x])}; fmt.Println() } } }
		}
	}
}
type row struct { Relation,Language,Key,Own,Before,Asked,Quote string; Must,Named,Refines bool; Target string}
func TestZZCorpus(t *testing.T) {
	raw,_ := os.ReadFile(os.Getenv("ROWS")); seen:=map[string]bool{}
	tot,miss:=0,0
	for _,l := range strings.Split(string(raw),"\n") { if l=="" {continue}; var r row; json.Unmarshal([]byte(l),&r)
		tot++
		ok:=false
		own:=Of(r.Own)|Of(r.Asked)&(Change|Ending)
		if r.Relation=="updates" { ok = r.Refines || (own|Of(r.Before)).Has(Change|Ending) || r.Asked!="" && Of(r.Asked).Has(Choice) } else { ok = own.Has(Ending) || own.Has(Denial)&&(r.Must||r.Named) }
		if !ok { miss++; s:=fmt.Sprintf("%s %s key=%s target=%q must=%v OWN %q BEFORE %q ASKED %q Q %q",r.Relation,r.Language,r.Key,r.Target,r.Must,r.Own,r.Before,r.Asked,r.Quote); if !seen[s] {seen[s]=true; fmt.Println(s)} }
	}
	fmt.Println("missed",miss,"of",tot)
}

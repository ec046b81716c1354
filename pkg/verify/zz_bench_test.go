package verify_test
import ("testing";"fmt";"os";"bufio";"compress/gzip";"encoding/json";"github.com/mnemond/mnemond/pkg/memory";"github.com/mnemond/mnemond/pkg/sign";"github.com/mnemond/mnemond/pkg/verify";"time")
func TestZZBench(t *testing.T) {
	for _,set := range []string{"locomo","realmem","beam_100K","memdaily_zh"} {
		f,_ := os.Open("/work/shared/bench/"+set+"/corpus.jsonl.gz"); z,_ := gzip.NewReader(f); sc:=bufio.NewScanner(z); sc.Buffer(nil,1<<26)
		type turn struct{ User,Sess,Role,Text string }
		var prev turn; var cur []memory.Message; var hs []heard
		flush:=func(){ if len(cur)>0 {hs=append(hs,hear(t,cur))}; cur=nil }
		for sc.Scan() { var x turn; json.Unmarshal(sc.Bytes(),&x); if x.User!=prev.User||x.Sess!=prev.Sess {flush()}; prev=x
			role:=memory.RoleUser; if x.Role=="assistant" {role=memory.RoleAssistant}
			cur=append(cur,memory.Message{Role:role,At:noon,Content:x.Text}) }
		flush()
		rows(hs,"/tmp/vlab/rows_"+set+".jsonl")
		nw,sg,en,ref:=0,0,0,map[string]int{}
		var spent time.Duration; total:=0
		for _,h := range hs { for _,c := range h.candidates {
			if c.Relation==memory.RelationNew { o,_ := own(h.messages[c.Source.Message].Content,c.Source.Quote); s:=sign.Of(o); nw++; if s.Has(sign.Change|sign.Ending) {sg++}; if s.Has(sign.Ending) {en++} }
			was:=c.Relation; t0:=time.Now(); r:=verify.Candidate(&c,h.messages,registry); spent+=time.Since(t0); total++
			ref[string(was)+">"+string(c.Relation)+":"+string(r)]++
		} }
		fmt.Printf("%s new %d with change|ending %.1f%% ending %.1f%%; %v; %v each\n",set,nw,100*float64(sg)/float64(nw),100*float64(en)/float64(nw),ref,spent/time.Duration(total))
	}
}

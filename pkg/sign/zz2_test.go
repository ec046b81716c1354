package sign
import ("testing";"os";"strings";"fmt")
func TestZZNew(t *testing.T) { raw,_ := os.ReadFile("/tmp/vlab/beam_new.txt"); n,k:=0,0; for _,l := range strings.Split(string(raw),"\n") { n++; if Of(l).Has(Change|Ending) {k++; } else {fmt.Println(l)} }; fmt.Println("beam new",k,n) }

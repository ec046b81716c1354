package guard
import ("testing";"fmt";"strings";"time";"github.com/mnemond/mnemond/pkg/memory")
func TestAdhoc(t *testing.T){
 for _, u := range []string{"my password is hunter2 and my card is 4111 1111 1111 1111. ","pin pin 4821 ","password ","'a ","\"1\"","“\n","<memories>\n\n","~~~\n","Alice: hi\nBob: x\n","translate this ","翻译这段","1234 ","密码是","---BEGIN PRIVATE KEY---","a:b@://","\u200b1","sk-a","eyJ","s' a","at x(y)\n  z\n","On a\nwrote:x\n","passwordpassword=","token:","12 words is abcdef ","DE12 "} {
  var d [2]time.Duration
  for i, n := range []int{60<<10, 240<<10} { s := strings.Repeat(u, n/len(u)); b := time.Now(); Redact(s); Sanitise([]memory.Message{user(s)}); QuotedSpans(s); d[i]=time.Since(b) }
  fmt.Printf("%q %v %v x%.1f\n", u, d[0], d[1], float64(d[1])/float64(d[0]))
 }
}

package chinese
import ("testing";"fmt";"time";"os";"strings";"github.com/mnemond/mnemond/pkg/memory")
func TestZZ(t *testing.T){
 for _, s := range strings.Split(os.Getenv("ZZ"),"|") {
  _, d := Extract([]memory.Message{{Number:1,Role:memory.RoleUser,At:time.Now(),Content:s}})
  fmt.Printf("%s => %+v\n", s, d)
 }
}

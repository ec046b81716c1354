package app_test
import ("testing";"fmt";"github.com/mnemond/mnemond/pkg/memory")
func TestScratch(t *testing.T){
 x:=startStill(t, stillOptions{})
 for i,s:=range []string{"I have a dentist appointment on 2026-05-02.","I have to see a notary on 2026-04-02.","I'm meeting my architect on March 20, 2026.","我4月5号要去看牙医。","我2026年4月5日要去见律师。","我4月5号有体检。","我2026年4月5日有一场钢琴考试。",
 "Don't mention pottery again.","不要再提围棋这个话题了。","Please forget what I told you about pottery.","忘掉我说过的关于围棋的事。","I live in Lima.","我住在青岛。","我搬到青岛了。","I moved to Lima."}{
  r:=memory.ThreadRef{Tenant:"default",User:memory.User(fmt.Sprint("u",i)),Thread:"t"}
  x.say(t,r,s)
  for _,m:=range x.holdings(t,r.Scope()){ fmt.Printf("%s => %s %s=%q text=%q exp=%s lasting=%v pinned=%v %s %v\n",s,m.Kind,m.Key,m.Value,m.Text,m.ExpiresAt.Format("2006-01-02"),m.Lasting,m.Pinned,m.Status,m.Suppresses)}
 }
}

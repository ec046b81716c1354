package temporal_test

import (
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/temporal"
)

func ExampleFind() {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		fmt.Println(err)
		return
	}
	said := time.Date(2026, time.March, 4, 10, 0, 0, 0, shanghai) // a Wednesday
	for _, text := range []string{
		"我下周三去深圳开会，住三天。",
		"Dentist tomorrow at 3pm, gym every Friday.",
	} {
		for _, m := range temporal.Find(text, said) {
			switch {
			case m.Recurring:
				fmt.Printf("%s: recurs\n", text[m.From:m.To])
			case m.Duration:
				fmt.Printf("%s: a length\n", text[m.From:m.To])
			default:
				fmt.Printf("%s: %s to %s\n", text[m.From:m.To], m.Start.Format(time.DateTime), m.End.Format(time.DateTime))
			}
		}
	}
	// Output:
	// 下周三: 2026-03-11 00:00:00 to 2026-03-12 00:00:00
	// 三天: a length
	// tomorrow at 3pm: 2026-03-05 15:00:00 to 2026-03-05 16:00:00
	// every Friday: recurs
}

func ExampleFindDirected() {
	said := time.Date(2026, time.March, 4, 10, 0, 0, 0, time.UTC) // a Wednesday
	for _, d := range []temporal.Direction{temporal.Future, temporal.Past} {
		for _, m := range temporal.FindDirected("on Friday", said, d) {
			fmt.Println(m.Start.Format(time.DateOnly))
		}
	}
	// Output:
	// 2026-03-06
	// 2026-02-27
}

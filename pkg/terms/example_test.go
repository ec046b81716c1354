package terms_test

import (
	"fmt"

	"github.com/mnemond/mnemond/pkg/terms"
)

func ExampleOf() {
	fmt.Printf("%q\n", terms.Of("Where is the export endpoint of v1.18?"))
	fmt.Printf("%q\n", terms.Of("我养了一只橘猫"))
	// Output:
	// ["export" "endpoint" "v1.18" "v1" "18"]
	// ["养" "橘猫" "猫"]
}

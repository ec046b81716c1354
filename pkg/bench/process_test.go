package bench_test

import (
	"runtime"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

func TestResident(t *testing.T) {
	now, peak := bench.Resident()
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell")
	}
	if now < 1<<20 || peak < now/2 || bench.HeapBytes() > peak {
		t.Errorf("%d bytes resident, %d at most, %d in the heap", now, peak, bench.HeapBytes())
	}
}

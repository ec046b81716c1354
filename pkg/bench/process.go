package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// HeapBytes are those in use after a collection of garbage.
func HeapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Resident are the bytes of this process in memory, now and at most so far; 0 where the system
// does not tell.
func Resident() (now, peak uint64) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[2] != "kB" {
			continue
		}
		n, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			continue
		}
		switch f[0] {
		case "VmRSS:":
			now = n << 10
		case "VmHWM:":
			peak = n << 10
		}
	}
	return now, peak
}

// cpuTime is what this process has used so far, in user and system mode, to 10 ms; 0 where the
// system does not tell.
func cpuTime() time.Duration {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The name before may hold anything; the times are the 12th and 13th field after it.
	f := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	const user, system, tick = 11, 12, 10 * time.Millisecond
	if len(f) <= system {
		return 0
	}
	var sum time.Duration
	for _, at := range []int{user, system} {
		n, err := strconv.ParseInt(f[at], 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * tick
	}
	return sum
}

package qdrantmem

import "slices"

// best keeps the first k of what it is given, in the order of compare, in k places.
// container/heap would box every element of the innermost loop, hence a heap of its own.
type best[T any] struct {
	k       int
	compare func(a, b T) int
	heap    []T // the last in order at the root
}

func (b *best[T]) add(x T) {
	if len(b.heap) < b.k {
		b.heap = append(b.heap, x)
		b.up(len(b.heap) - 1)
		return
	}
	if b.k > 0 && b.compare(x, b.heap[0]) < 0 {
		b.heap[0] = x
		b.down()
	}
}

func (b *best[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if b.compare(b.heap[i], b.heap[parent]) <= 0 {
			return
		}
		b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
		i = parent
	}
}

func (b *best[T]) down() {
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if b.compare(b.heap[child], b.heap[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		b.heap[i], b.heap[last] = b.heap[last], b.heap[i]
		i = last
	}
}

// ordered ends the collection and returns what was kept, first to last.
func (b *best[T]) ordered() []T {
	slices.SortFunc(b.heap, b.compare)
	return b.heap
}

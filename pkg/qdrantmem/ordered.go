package qdrantmem

import (
	"iter"
	"slices"
	"sort"
)

// blockSize bounds how many elements an insertion moves.
const blockSize = 1024

// ordered is a sorted set in blocks, none of which is empty: the standard library has no
// tree, and a map answers for no range. Elements that compare as equal are one.
type ordered[T any] struct {
	compare func(a, b T) int
	blocks  [][]T
}

// seek is the place of the first element that reached holds for, which must be false up to
// some element and true from there on. The block is one after the last if there is none.
func (o *ordered[T]) seek(reached func(T) bool) (block, at int) {
	block = sort.Search(len(o.blocks), func(i int) bool {
		b := o.blocks[i]
		return reached(b[len(b)-1])
	})
	if block < len(o.blocks) {
		b := o.blocks[block]
		at = sort.Search(len(b), func(i int) bool { return reached(b[i]) })
	}
	return block, at
}

func (o *ordered[T]) find(x T) (block, at int, there bool) {
	block, at = o.seek(func(e T) bool { return o.compare(e, x) >= 0 })
	return block, at, block < len(o.blocks) && o.compare(o.blocks[block][at], x) == 0
}

func (o *ordered[T]) add(x T) {
	block, at, there := o.find(x)
	if there {
		return
	}
	if block == len(o.blocks) {
		// What arrives in order fills block after block.
		if block == 0 || len(o.blocks[block-1]) == blockSize {
			o.blocks = append(o.blocks, []T{x})
			return
		}
		block--
		at = len(o.blocks[block])
	}
	b := slices.Insert(o.blocks[block], at, x)
	if len(b) <= blockSize {
		o.blocks[block] = b
		return
	}
	o.blocks[block] = slices.Clone(b[:len(b)/2])
	o.blocks = slices.Insert(o.blocks, block+1, slices.Clone(b[len(b)/2:]))
}

func (o *ordered[T]) drop(x T) {
	block, at, there := o.find(x)
	if !there {
		return
	}
	o.blocks[block] = slices.Delete(o.blocks[block], at, at+1)
	if len(o.blocks[block]) == 0 {
		o.blocks = slices.Delete(o.blocks, block, block+1)
		return
	}
	o.join(block)
	o.join(block - 1)
}

// join makes one of a block and the one after it if they are small together, so that blocks
// stay in proportion to what they hold.
func (o *ordered[T]) join(block int) {
	if block < 0 || block+1 >= len(o.blocks) {
		return
	}
	a, b := o.blocks[block], o.blocks[block+1]
	if len(a)+len(b) <= blockSize/2 {
		o.blocks[block] = slices.Concat(a, b)
		o.blocks = slices.Delete(o.blocks, block+1, block+2)
	}
}

// rank is the number of elements before the first that reached holds for.
func (o *ordered[T]) rank(reached func(T) bool) int {
	block, n := o.seek(reached)
	for _, b := range o.blocks[:block] {
		n += len(b)
	}
	return n
}

// from yields, in order, the first element that reached holds for and all after it. The set
// must not be changed meanwhile.
func (o *ordered[T]) from(reached func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		block, at := o.seek(reached)
		for ; block < len(o.blocks); block, at = block+1, 0 {
			for _, x := range o.blocks[block][at:] {
				if !yield(x) {
					return
				}
			}
		}
	}
}

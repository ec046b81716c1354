// Package canon decides when two values are the same: the same place, language, food or
// date said in other words, letters, width or script, in English or Chinese. It owns the
// canonical forms that identities are made of, and the tables behind them. It never
// changes what is shown to anybody: canonical forms are for comparing only. It is pure:
// its tables are embedded and read once.
package canon

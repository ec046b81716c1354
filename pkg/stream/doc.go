// Package stream is the JetStream adapter. It owns the names and configuration of every
// stream, bucket and durable consumer, the subjects that ids become, and the ways in which
// mnemond writes and reads them: events in groups (Events), change sets by compare-and-set
// (Log), thread timers (Timers, Scheduler), the worker that consolidates due threads
// (Worker), the checkpoint cache (Threads), the questions to users (Questions), the recall
// traces (Recalls) and the dead letters (Dead). It knows every place where an owner's data
// stands, and erases it there (Places, Erasures). It also starts the embedded server.
//
// The server does not overwrite what it drops by itself: messages that are acknowledged,
// replaced or expired leave their bytes in its files, where no erasure finds them. So what
// goes that way names no one (Names), and what names someone is deleted and overwritten
// before it goes (Questions, Dead, Expire).
//
// It never interprets what it carries: events and change sets are bytes to it, and what a
// payload means is asked of functions and handlers that its callers inject. It never lists
// subjects, since that is unbounded. Errors are classified by pkg/fault.
package stream

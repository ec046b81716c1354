// Package llm extracts with a chat model and embeds with an embedding model, over any server
// that speaks the OpenAI API. It owns the prompts, the reading of replies, what differs
// between servers, and when a server is left alone; it never decides what becomes of a
// statement, and trusts none: pkg/verify judges them like those of the rules.
//
// Conversation text goes to the configured endpoint and nowhere else. No error and no log
// line holds any of it: not what a server said about a request, which may repeat it, either.
package llm

// Package access says who asks, and what they may reach: API keys, tokens of an identity
// provider, the scope that a credential gives, and how often it may ask. It never reads or
// writes a memory, and keeps no secret: of a key it knows the hash.
//
// What a credential reaches:
//
//	             tenant      user            agent        the table's least roles
//	user         its own     its own         any          user
//	agent        its own     any             its own¹     user, agent
//	admin        its own     any             any          user, agent, admin
//	operator²    any         any             any          user, agent, admin
//
// ¹ where the key is bound to one, else any. ² the command line, and whoever reaches the
// loopback address of an installation without authentication: see Local.
//
// A user's credential always names its user, so that what belongs to an agent or to the
// tenant is out of its reach; what these share is part of every recall, and that is how a user
// reads it. An agent's backend may do for any user of its tenant what they may do themselves:
// it speaks in their name anyhow. Keys, erasure, and what the tenant shares are an admin's.
package access

// Package schemas embeds the wire contracts of mnemond: the JSON Schemas of its events
// and of the profile, the AsyncAPI documents of its streams and of its service, and the
// OpenAPI document. It holds no logic.
package schemas

import "embed"

// Files holds every document of this folder by its name.
//
//go:embed *.json *.yaml
var Files embed.FS

// Profile is the default profile schema, the registry of memory keys.
//
//go:embed profile.schema.json
var Profile []byte

// Extraction is the contract of a chat model's reply.
//
//go:embed extraction.schema.json
var Extraction []byte

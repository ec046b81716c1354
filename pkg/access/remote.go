package access

import (
	"context"
	"net/netip"
)

type remoteKey struct{}

// WithRemote says from which address (host:port or host) the requests under ctx come: a
// server's ConnContext is the place for it. What a header says of an address does not count,
// since anybody can write one.
func WithRemote(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, remoteKey{}, address)
}

// remoteOf is who counts as one for failures: an IPv4 address, or the 64 bits of an IPv6 one
// that a provider gives to one customer. It is empty where none is known.
func remoteOf(ctx context.Context) string {
	address, _ := ctx.Value(remoteKey{}).(string)
	ip, err := netip.ParseAddr(address)
	if err != nil {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return ""
		}
		ip = at.Addr()
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	net, err := ip.Prefix(64)
	if err != nil {
		return ""
	}
	return net.String()
}

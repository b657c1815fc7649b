import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { withHost } from '../../recorder-wire/source-address.ts';
import { SourceError } from './source-error.ts';

/** Address and port to bind, and the multicast group to join on an interface, if any. */
export type UdpBinding = {
  host: string;
  port: number;
  type: 'udp4' | 'udp6';
  group: { address: string; interface: string | undefined } | null;
};

const multicast = new BlockList();
multicast.addSubnet('224.0.0.0', 4, 'ipv4');
multicast.addSubnet('ff00::', 8, 'ipv6');

/**
 * Parses `udp://host:port?interface=...`; the interface is given by its address or its name.
 *
 * @throws SourceError when this machine has no such interface
 */
export function udpBinding(url: string): UdpBinding {
  const { hostname, port, searchParams } = new URL(withHost(url));
  const named = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const host = named === 'localhost' ? '127.0.0.1' : named;
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  const type = family === 'ipv6' ? 'udp6' : 'udp4';
  // A socket bound to the address of its group receives only that group, and not everything sent to the port.
  const isGroup = multicast.check(host, family);
  const requested = searchParams.get('interface');
  const group = isGroup
    ? { address: host, interface: requested === null ? undefined : interfaceFor(requested, type) }
    : null;
  return { host, port: Number(port), type, group };
}

/** Returns the interface argument for joining a group: the address of the interface, or its scope for IPv6. */
function interfaceFor(requested: string, type: UdpBinding['type']): string {
  const family = type === 'udp4' ? 'IPv4' : 'IPv6';
  for (const [name, addresses = []] of Object.entries(networkInterfaces())) {
    const own = addresses.filter((one) => one.family === family);
    if (own.length === 0 || (name !== requested && !addresses.some(({ address }) => address === requested))) continue;
    return type === 'udp4' ? (own.find(({ address }) => address === requested) ?? own[0]!).address : `::%${name}`;
  }
  throw new SourceError(`This machine has no interface ${requested} for ${family}`);
}

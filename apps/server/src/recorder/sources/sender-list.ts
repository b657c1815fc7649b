import { BlockList, isIP } from 'node:net';

export type SenderList = (address: string) => boolean;

/** Returns a function that checks whether an address may send. An empty list allows all addresses. */
export function senderList(senders: readonly string[]): SenderList {
  const list = new BlockList();
  for (const sender of senders) {
    const [address = '', bits] = sender.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => {
    if (senders.length === 0) return true;
    // Remove the scope of a link-local address (`%eth0`), which is not part of the address itself.
    const bare = address.replace(/%.*$/, '');
    return list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
}

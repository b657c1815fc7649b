/** The 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes the address in WHATWG form, in which no dotted part remains.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = written.split('::');
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [parse(before), parse(after ?? '')];
  const zeros = after === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array<number>(zeros).fill(0), ...last];
}

const dotted = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');

/**
 * Returns the IPv4 address embedded in an IPv6 address: mapped (::ffff:0:0/96, RFC 4291 2.5.5.2), compatible (::/96),
 * NAT64 (64:ff9b::/96, RFC 6052) or 6to4 (2002::/16, RFC 3056). Null for other addresses.
 *
 * @param address IPv6, without a zone
 */
export function innerAddress(address: string): string | null {
  const groups = groupsOf(address);
  const [first, second, third, , , sixth, high = 0, low = 0] = groups;
  if (first === 0x2002) return dotted(second ?? 0, third ?? 0);
  const isNat64 = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  const isLow = groups.slice(0, 5).every((group) => group === 0) && (sixth === 0xffff || sixth === 0);
  return isNat64 || isLow ? dotted(high, low) : null;
}

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { HIDDEN_SECRET, type sensorTypes } from '@osprey/contract';
import { innerAddress } from './inner-address.ts';

/**
 * How the server receives from an address: it listens there, it connects to it (`calls`), it plays back one of its own
 * recordings (`stored`), or it reads a serial port of this machine (`local`).
 */
type Way = 'listens' | 'calls' | 'stored' | 'local';

/** Query parameters allowed in an address, by scheme. Others could be decoder options. */
const streamParameters: Record<string, readonly string[]> = {
  udp: ['interface'],
  rtp: ['interface'],
  tcp: [],
  srt: ['mode', 'latency', 'passphrase', 'pbkeylen', 'streamid'],
  rtmp: [],
  rtmps: [],
};
/**
 * Query parameters refused in RTSP and HTTP addresses, since ffmpeg would read them as its own options. All others are
 * allowed there, since cameras and web servers choose their own names.
 */
const decoderParameters =
  /^(?:protocol_whitelist|format_whitelist|listen|filter_src|localaddr|localrtpport|sources|block|fifo_size|pkt_size|tcp|udp|multicast|http|satip_raw|rtsp_.*)$/i;
/**
 * Query parameters treated as secrets. The `streamid` of SRT is among them, since gateways also use it for a user's
 * password or a publishing key.
 */
const secretParameters =
  /^(?:pass(?:word|phrase|wd)?|pwd|token|access_token|key|api_?key|secret|auth|sig(?:nature)?|streamid)$/i;

const schemes = ['udp', 'rtp', 'tcp', 'srt', 'rtsp', 'rtsps', 'http', 'https', 'rtmp', 'rtmps', 'replay'] as const;
/** URL schemes allowed for AIS sources, and their parameters that video sources do not have. */
const aisSchemes = ['udp', 'tcp', 'http', 'https', 'serial'] as const;
const aisParameters: Record<string, readonly string[]> = { ...streamParameters, tcp: ['mode'] };
const needPort = new Set(['udp', 'rtp', 'tcp', 'srt']);
const RESOLVE_MS = 3000;
type SensorType = (typeof sensorTypes)[number];
/**
 * Minimum length of the key that an encoder pushes with. Each character is one of 64, so a random key of this length
 * has 96 bits.
 */
const PUSH_KEY_MIN = 16;
/** Minimum number of different characters in the key. Only about one random key in a million has fewer. */
const PUSH_KEY_KINDS = 8;

/** Characters that are not valid in an address and could become part of a command line or of another address. */
const oddCharacter = /[^\x21-\x7e]|["'<>\\^`{|}#]/u;

/**
 * Separates the secrets from an address: the password before the host, the key at the end of an RTMP address, and
 * parameters such as `passphrase`.
 *
 * `shown` is the address with *** in their places; `secrets` lists them in the same order.
 */
export function hideSecrets(url: string): { shown: string; secrets: string[] } {
  const secrets: string[] = [];
  const hide = (secret: string) => {
    secrets.push(secret);
    return HIDDEN_SECRET;
  };
  const [, before = url, userinfo = '', after = ''] = /^([a-z]+:\/\/)([^/?]*@)?(.*)$/is.exec(url) ?? [];
  const colon = userinfo.indexOf(':');
  const user = colon < 0 ? userinfo : `${userinfo.slice(0, colon + 1)}${hide(userinfo.slice(colon + 1, -1))}@`;
  const [written = '', query] = after.split(/\?(.*)/s);
  const path = isPushed(url) ? written.replace(/(?<=\/)[^/]+$/, hide) : written;
  const parameters = (query ?? '').split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s);
    return value !== undefined && value !== '' && secretParameters.test(name) ? `${name}=${hide(value)}` : part;
  });
  return { shown: `${before}${user}${path}${query === undefined ? '' : `?${parameters.join('&')}`}`, secrets };
}

/**
 * Returns an address without its secrets. Stored addresses pass through it as well, since the rules for secrets may
 * have changed after they were stored.
 */
export const shownAddress = (url: string): string => hideSecrets(url).shown;

/** Returns scheme, user, host and port of an address, which identify the service that a secret was entered for. */
export const placeOf = (url: string): string => /^[^/]*\/\/[^/?]*/.exec(shownAddress(url))?.[0] ?? url;

/** Whether an encoder pushes its stream to the address with a key, as RTMP encoders do. */
const isPushed = (url: string): boolean => /^rtmps?:/i.test(url);

export const isListening = (url: string): boolean => wayOf(url) === 'listens';

function wayOf(url: string): Way {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (scheme === 'replay') return 'stored';
  if (scheme === 'serial') return 'local';
  if (scheme === 'udp' || scheme === 'rtp' || scheme.startsWith('rtmp')) return 'listens';
  return (scheme === 'srt' || scheme === 'tcp') && /[?&]mode=listener\b/.test(url) ? 'listens' : 'calls';
}

/** Describes in a sentence why the text is not a valid address; null if it is valid. */
export function addressProblem(url: string, type: SensorType = 'video'): string | null {
  const known: readonly string[] = type === 'ais' ? aisSchemes : schemes;
  const scheme = known.find((one) => url.toLowerCase().startsWith(`${one}:`));
  if (scheme === undefined) {
    const what = type === 'ais' ? 'The address of an AIS receiver' : 'An address';
    return `${what} begins with one of ${known.map((one) => `${one}:`).join(' ')}`;
  }
  const [odd] = oddCharacter.exec(url) ?? [];
  if (odd !== undefined) return oddProblem(odd);
  if (scheme === 'replay') {
    return /^replay:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(url)
      ? null
      : 'replay: is followed by the id of a sensor';
  }
  if (scheme === 'serial') {
    return /^serial:[\w-]{1,32}$/.test(url)
      ? null
      : 'serial: is followed by a name that OSPREY_SERIAL of the server gives a port';
  }
  const parsed = URL.parse(withHost(url));
  if (parsed === null || parsed.hostname === '') return 'This is not an address: write scheme://host:port';
  if (needPort.has(scheme) && parsed.port === '') return 'The port is missing';
  if (parsed.port === '0') return 'Port 0 is no port that anybody can be reached at';
  const allowed = (type === 'ais' ? aisParameters : streamParameters)[scheme];
  for (const name of parsed.searchParams.keys()) {
    const good = allowed === undefined ? !decoderParameters.test(name) : allowed.includes(name);
    if (!good) return `The parameter ${name} is not allowed in an address`;
  }
  const push = isPushed(url) ? pushProblem(parsed.pathname) : null;
  if (push !== null) return push;
  const named = hostOf(url);
  const isInterface = isIP(named) !== 0 || named === 'localhost';
  return wayOf(url) === 'listens' && !isInterface ? 'Name the interface to listen on by its IP address' : null;
}

/**
 * Explains in a sentence which character makes an address invalid. Pasted addresses often contain invisible characters,
 * and passwords often contain characters that must be escaped.
 */
function oddProblem(odd: string): string {
  if (/\s/.test(odd)) return 'An address holds no spaces';
  if (/[\p{C}\p{M}]/u.test(odd)) {
    const code = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `The address holds a character that cannot be seen (U+${code}): type it again`;
  }
  return `${odd} cannot stand in an address: write ${encodeURIComponent(odd).replace("'", '%27')} in its place`;
}

/**
 * Explains in a sentence why an address may not have the option `from`. Null for addresses that the server listens at,
 * which may have it.
 */
export function sendersProblem(url: string): string | null {
  const way = wayOf(url);
  if (way === 'calls') return 'from is for addresses that wait for senders: this one is called, so nobody else sends';
  if (way === 'local') return 'from is for addresses that wait for senders: a serial port has one';
  return way === 'stored' ? 'from is for addresses that wait for senders: a recording has none' : null;
}

function pushProblem(path: string): string | null {
  const [key = '', ...app] = path.slice(1).split('/').reverse();
  if (app.length === 0 || !app.every((part) => /^[\w.-]+$/.test(part))) {
    return 'An RTMP address ends with an app and a key: rtmp://10.0.0.7:1935/live/KEY';
  }
  if (key === HIDDEN_SECRET) return null;
  const isStrong = /^[\w-]+$/.test(key) && key.length >= PUSH_KEY_MIN && new Set(key).size >= PUSH_KEY_KINDS;
  return isStrong ? null : `The key of an RTMP address needs ${PUSH_KEY_MIN} random letters and digits, or more`;
}

/** Adds the loopback host to the address of a listener that names none. */
export const withHost = (url: string): string =>
  url.replace(/^(udp|rtp|srt|rtmps?|tcp(?=:\/\/@?:\d+\?mode=listener)):\/\/@?:/i, '$1://127.0.0.1:');

const hostOf = (url: string): string =>
  (URL.parse(withHost(url))?.hostname ?? '').replace(/^\[|\]$/g, '').toLowerCase();

const own = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const) {
  own.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fe80::', 10],
  // Metadata service of a cloud, which returns the machine's credentials; the IPv6 counterpart of 169.254.169.254.
  ['fd00:ec2::254', 128],
] as const) {
  own.addSubnet(network, bits, 'ipv6');
}

export type Resolve = (host: string) => Promise<string[]>;

const resolveName: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Checks whether the server may connect to an address. Addresses of the server itself and of its local link are refused
 * unless the operator allows them. The check runs when the configuration is saved and again when the address is opened,
 * since a name may resolve to another address by then.
 *
 * @param allowed addresses and networks of OSPREY_SOURCE_ALLOW
 */
export function sourceCheck({ allowed, resolve = resolveName }: { allowed: readonly string[]; resolve?: Resolve }) {
  const exceptions = new BlockList();
  for (const entry of allowed) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    exceptions.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const isRefused = (given: string) => {
    const address = given.replace(/%.*$/, '');
    const inner = isIP(address) === 6 ? innerAddress(address) : null;
    const meant = inner === null ? [address] : [address, inner];
    return meant.some((one) => isIn(own, one)) && !meant.some((one) => isIn(exceptions, one));
  };

  /** Returns a `problem` if the address is refused, and a `warning` if it is accepted but its name does not resolve. */
  return async (url: string): Promise<{ problem: string | null; warning: string | null }> => {
    const fine = { problem: null, warning: null };
    if (wayOf(url) !== 'calls') return fine;
    const host = hostOf(url);
    const addresses = isIP(host) ? [host] : await inTime(resolve(host));
    if (addresses === null) return { ...fine, warning: `The name ${host} is not known to this server now` };
    if (!addresses.some(isRefused)) return fine;
    return { ...fine, problem: `${host} leads to this server itself or to its link; OSPREY_SOURCE_ALLOW can allow it` };
  };
}

export type SourceCheck = ReturnType<typeof sourceCheck>;

/** Returns null if the name does not resolve or the lookup times out. */
function inTime(addresses: Promise<string[]>): Promise<string[] | null> {
  const late = new Promise<null>((done) => setTimeout(done, RESOLVE_MS, null).unref());
  return Promise.race([addresses.catch(() => null), late]);
}

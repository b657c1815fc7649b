import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Classification, classificationOf, classifications, type Role, roles } from '@osprey/contract';
import type { OptionOf } from './option.ts';
import { between, bytes, file, listOf, listOfRoles, oneOf, portRange, serialPorts, text, yesOrNo } from './parse.ts';
import { type SingleSignOnConfig, singleSignOnOptions } from './single-sign-on-options.ts';

/**
 * Whether the text is a valid address of pages about ships. Only the ship's MMSI is inserted, so that neither the user
 * nor the ship's position is disclosed to the other site.
 */
function isShipLink(value: string): boolean {
  const rest = value.split('{mmsi}');
  const url = URL.parse(rest.join('0'));
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isWeb && rest.length === 2 && !/[{}\s]/.test(rest.join('')) && /^https?:\/\/[^/?#]+[/?#]/i.test(rest[0]!);
}

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../..');
/** Five years (trust.md 6). */
const AUDIT_KEEP_DAYS = 1826;
const BYTES_ALLOWED = 'a number of bytes, also with K, M, G or T (500G)';

const RANK_ALLOWED = 'a number from 1 (UNCLASSIFIED) to 5 (TOP SECRET)';
const rank = (value: string) => (/^[1-5]$/.test(value) ? classificationOf(Number(value)) : undefined);

/** A directory whose new recordings are imported as missions. */
export type WatchedFolder = { path: string; label: number | null; groups: string[]; platform: string | null };

/** All settings of the operator, validated. Each key is described in `options` below. */
export type Config = SingleSignOnConfig & {
  host: string;
  port: number;
  listenCeiling: Classification;
  dataDir: string;
  databaseDir: string | null;
  databaseUrl: string | null;
  /**
   * The code printed when a start was refused. It confirms that this data directory and this database belong together.
   */
  adopt: string | null;
  /** Null: `tiles` in the data folder. */
  tilesDir: string | null;
  tlsCert: string | null;
  tlsKey: string | null;
  tlsSelfSigned: boolean;
  trustedProxies: string[];
  connectionsPerAddress: number;
  allowedHosts: string[];
  adminPassword: string | null;
  samples: boolean;
  sampleSeconds: number;
  guest: boolean | null;
  registration: 'off' | 'approval' | 'open';
  passwordMin: number;
  basicOff: Role[];
  secondFactorOf: Role[];
  systemHigh: Classification;
  serverName: string;
  company: string | null;
  sandbox: 'auto' | 'required';
  uploadReserveBytes: number | null;
  userQuotaBytes: number | null;
  /**
   * Number of people who must approve the export of a case above UNCLASSIFIED: only its creator (`one`), or a second
   * person as well (`two`).
   */
  caseRelease: 'one' | 'two';
  sourceAllow: string[];
  ais: boolean;
  aisKeepDays: number;
  /** Address of an external page about a ship, with `{mmsi}` in it. */
  shipLink: string | null;
  /** Serial ports that AIS may come from, by the name that `serial:NAME` uses. */
  serialPorts: ReadonlyMap<string, { path: string; baud: number }>;
  liveLowLatency: boolean;
  liveWebRtc: boolean;
  liveHls: boolean;
  iceServers: string[];
  turnServers: string[];
  turnSecret: string | null;
  syslog: string | null;
  supervisorUrl: string | null;
  /** Null: `backups` in the data folder. */
  backupDir: string | null;
  /** Time of the daily backup as HH:MM in UTC; null for none. */
  backupSchedule: string | null;
  backupKeep: number;
  /** Null: for ever. */
  auditKeepDays: number | null;
  /** Days within which every stored byte is read again. */
  readAgainDays: number;
  backupKeyFile: string | null;
  /** Directory of update packages, and the public key that verifies their signatures. */
  updateDir: string | null;
  updateKey: string | null;
  watch: WatchedFolder[];
  dvrMinutes: number;
  playbackDataDelay: number;
  conference: boolean;
  conferenceCreate: 'admins' | 'groupAdmins';
  livekitUrl: string | null;
  livekitKey: string | null;
  livekitSecret: string | null;
  conferenceUrl: string | null;
  webRtcPorts: [number, number];
  webRtcAddresses: string[];
  logLevel: string;
};

export type Option<K extends keyof Config = keyof Config> = OptionOf<Config, K>;

const option = <K extends keyof Config>(entry: Option<K>) => entry as unknown as Option;

const HOST_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,252}[a-zA-Z0-9])?$/;
const isNetwork = (entry: string) => {
  const [address = '', bits, ...rest] = entry.split('/');
  const bitsMax = isIP(address) === 4 ? 32 : 128;
  return rest.length === 0 && isIP(address) !== 0 && (bits === undefined || between(0, bitsMax)(bits) !== undefined);
};
/** Example passwords from manuals, including those of this project, that people copy instead of choosing their own. */
const EXAMPLES: ReadonlySet<string> = new Set(
  'password passwort secret example changeme change-me postgres osprey admin test 123456'.split(' '),
);

/** Whether the value is a PostgreSQL URL whose password is not an example. */
function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^/\s]+\/[^/\s]+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  const chosen = password.toLowerCase();
  return chosen !== '' && chosen !== username.toLowerCase() && !EXAMPLES.has(chosen);
}

/** Plain ws is allowed only on loopback, since it discloses to the network who talks to whom. */
function livekitAddress(value: string): string | undefined {
  const isGood = /^(?:wss:\/\/[a-zA-Z0-9.-]+|ws:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/.test(value);
  return isGood ? value : undefined;
}

/** Parses the watched folders: `/path;label=SECRET;groups=A|B;platform=Heron`, comma separated. */
function watched(value: string): WatchedFolder[] | undefined {
  const folders = value.split(',').map((entry): WatchedFolder | undefined => {
    const [path = '', ...parts] = entry.split(';').map((part) => part.trim());
    const given = new Map(parts.map((part) => [part.split('=')[0] ?? '', part.split('=').slice(1).join('=')]));
    const known = [...given.keys()].every((key) => ['label', 'groups', 'platform'].includes(key));
    const word = given.get('label');
    const rank = word === undefined ? null : classifications.map(String).indexOf(word) + 1;
    if (!path.startsWith('/') || !known || rank === 0) return undefined;
    const groups = (given.get('groups') ?? '').split('|').filter((name) => name !== '');
    return { path, label: rank, groups, platform: given.get('platform') ?? null };
  });
  return folders.every((folder) => folder !== undefined) ? folders : undefined;
}

/** Options, in the order of the help. */
export const options: readonly Option[] = [
  option({
    key: 'host',
    name: 'HOST',
    value: 'address',
    help: 'address to listen on; another than loopback needs TLS or a trusted proxy',
    allowed: 'an IP address, or localhost',
    fallback: '127.0.0.1',
    parse: (value) => (isIP(value) !== 0 || value === 'localhost' ? value : undefined),
  }),
  option({
    key: 'port',
    name: 'PORT',
    value: 'number',
    help: 'port to listen on; 0 takes a free one',
    allowed: 'a number from 0 to 65535',
    fallback: 8080,
    parse: between(0, 65_535),
  }),
  option({
    key: 'listenCeiling',
    name: 'LISTEN_CEILING',
    value: 'label',
    help: 'highest label that anybody sees through this address, whatever their clearance',
    allowed: RANK_ALLOWED,
    fallback: 'TOP SECRET',
    parse: rank,
  }),
  option({
    key: 'dataDir',
    name: 'DATA',
    value: 'folder',
    help: 'recordings, indexes, keys and, where its account can reach it, the database',
    allowed: 'a folder',
    fallback: join(CHECKOUT, 'data'),
    parse: (value) => (text(value) ? resolve(value) : undefined),
  }),
  option({
    key: 'databaseDir',
    name: 'DATABASE_DIR',
    value: 'folder',
    help: 'the own database elsewhere, on another volume',
    allowed: 'a folder',
    fallback: null,
    parse: (value) => (text(value) ? resolve(value) : undefined),
  }),
  option({
    key: 'databaseUrl',
    name: 'DATABASE_URL',
    value: 'url',
    help: 'an external PostgreSQL 15 or later in place of the own one',
    allowed: 'postgres://user:password@host:port/database, with a password that is neither missing nor an example',
    fallback: null,
    parse: (value) => (isDatabaseUrl(value) ? value : undefined),
  }),
  option({
    key: 'adopt',
    name: 'ADOPT',
    value: 'code',
    help: 'joins a data folder and a database that a start refused to bring together; it told the code',
    allowed: 'the code, of 8 hexadecimal digits',
    fallback: null,
    parse: (value) => (/^[0-9a-f]{8}$/.test(value) ? value : undefined),
  }),
  option({
    key: 'tilesDir',
    name: 'TILES',
    value: 'folder',
    help: 'map layers of this site, as .mbtiles and .pmtiles files; without it the folder tiles of the data',
    allowed: 'a folder',
    fallback: null,
    parse: (value) => (text(value) ? resolve(value) : undefined),
  }),
  option({
    key: 'tlsCert',
    name: 'TLS_CERT',
    value: 'file',
    help: 'certificate chain in PEM; needs the key too',
    allowed: 'a file that is there',
    fallback: null,
    parse: file,
  }),
  option({
    key: 'tlsKey',
    name: 'TLS_KEY',
    value: 'file',
    help: 'its private key in PEM',
    allowed: 'a file that is there',
    fallback: null,
    parse: file,
  }),
  option({
    key: 'tlsSelfSigned',
    name: 'TLS_SELF_SIGNED',
    value: null,
    help: 'make a certificate with openssl, for a trial',
    allowed: '0 or 1',
    fallback: false,
    parse: yesOrNo,
  }),
  option({
    key: 'trustedProxies',
    name: 'TRUSTED_PROXY',
    value: 'addresses',
    help: 'proxies that speak TLS for us and whose X-Forwarded headers are believed',
    allowed: 'addresses or networks (10.0.0.0/8), comma separated',
    fallback: [],
    parse: listOf(isNetwork),
  }),
  option({
    key: 'connectionsPerAddress',
    name: 'CONNECTIONS_PER_ADDRESS',
    value: 'number',
    help: 'connections that one address may hold at once; of a trusted proxy, each address that it forwards for',
    allowed: 'a number from 1 to 65535',
    fallback: 512,
    parse: between(1, 65_535),
  }),
  option({
    key: 'allowedHosts',
    name: 'ALLOWED_HOSTS',
    value: 'names',
    help: 'further names under which browsers reach the server',
    allowed: 'host names, comma separated',
    fallback: [],
    parse: listOf((entry) => HOST_NAME.test(entry)),
  }),
  option({
    key: 'adminPassword',
    name: 'ADMIN_PASSWORD',
    value: 'password',
    help: 'makes the superAdmin "admin" (clearance 5) while there is none, without the set-up page',
    allowed: 'a password that the policy takes',
    fallback: null,
    parse: text,
  }),
  option({
    key: 'samples',
    name: 'SAMPLES',
    value: null,
    help: 'adds the two sample missions once',
    allowed: '0 or 1',
    fallback: false,
    parse: yesOrNo,
  }),
  option({
    key: 'sampleSeconds',
    name: 'SAMPLE_SECONDS',
    value: 'seconds',
    help: 'length of each flight of the sample missions; a slow machine takes longer than that to draw one',
    allowed: 'a number of seconds from 1 to 600',
    fallback: 60,
    parse: between(1, 600),
  }),
  option({
    key: 'guest',
    name: 'GUEST',
    value: '0 or 1',
    help: 'guests may see UNCLASSIFIED items shared with group Demo; unset, the set-up page asks',
    allowed: '0 or 1',
    fallback: null,
    parse: yesOrNo,
  }),
  option({
    key: 'registration',
    name: 'REGISTRATION',
    value: 'mode',
    help: 'whether strangers may register: not at all, until an admin enables the account, or at once',
    allowed: 'off, approval or open',
    fallback: 'approval',
    parse: oneOf('off', 'approval', 'open'),
  }),
  option({
    key: 'passwordMin',
    name: 'PASSWORD_MIN',
    value: 'number',
    help: 'shortest password taken, in characters',
    allowed: 'a number from 4 to 64',
    fallback: 8,
    parse: between(4, 64),
  }),
  option({
    key: 'basicOff',
    name: 'BASIC_OFF',
    value: 'roles',
    help: 'roles whose password is not taken in a Basic header (scripts)',
    allowed: `roles, comma separated: ${roles.join(', ')}`,
    fallback: [],
    parse: listOfRoles,
  }),
  option({
    key: 'secondFactorOf',
    name: 'SECOND_FACTOR',
    value: 'roles',
    help: 'roles that must have a second factor; others may',
    allowed: `roles, comma separated: ${roles.join(', ')}`,
    fallback: [],
    parse: listOfRoles,
  }),
  ...singleSignOnOptions,
  option({
    key: 'systemHigh',
    name: 'SYSTEM_HIGH',
    value: 'label',
    help: 'highest label this installation may hold; what nobody marked counts as this',
    allowed: RANK_ALLOWED,
    fallback: 'TOP SECRET',
    parse: rank,
  }),
  option({
    key: 'serverName',
    name: 'SERVER_NAME',
    value: 'text',
    help: 'name shown in the page',
    allowed: 'up to 64 characters',
    fallback: 'Osprey',
    parse: (value) => (value.length <= 64 ? text(value) : undefined),
  }),
  option({
    key: 'company',
    name: 'COMPANY',
    value: 'text',
    help: 'organisation shown in the page',
    allowed: 'up to 64 characters',
    fallback: null,
    parse: (value) => (value.length <= 64 ? text(value) : undefined),
  }),
  option({
    key: 'sandbox',
    name: 'SANDBOX',
    value: 'mode',
    help: 'whether decoders may run without isolation where bubblewrap is missing',
    allowed: 'auto or required',
    fallback: 'auto',
    parse: oneOf('auto', 'required'),
  }),
  option({
    key: 'uploadReserveBytes',
    name: 'UPLOAD_RESERVE',
    value: 'bytes',
    help: 'free disk space below which uploads are refused; unset, 5 % of the disk within 1 to 20 GiB',
    allowed: BYTES_ALLOWED,
    fallback: null,
    parse: bytes,
  }),
  option({
    key: 'userQuotaBytes',
    name: 'USER_QUOTA',
    value: 'bytes',
    help: 'what the uploads of one user may take in all, finished and begun; more is refused with 507',
    allowed: BYTES_ALLOWED,
    fallback: null,
    parse: (value) => bytes(value) || undefined,
  }),
  option({
    key: 'caseRelease',
    name: 'CASE_RELEASE',
    value: 'people',
    help: 'who lets the export of a case above UNCLASSIFIED out: one, its maker, or two, another person who may export it too',
    allowed: 'one or two',
    fallback: 'one',
    parse: oneOf('one', 'two'),
  }),
  option({
    key: 'sourceAllow',
    name: 'SOURCE_ALLOW',
    value: 'addresses',
    help: 'loopback or link-local addresses that platforms may be called at',
    allowed: 'addresses or networks (127.0.0.0/8), comma separated',
    fallback: [],
    parse: listOf(isNetwork),
  }),
  option({
    key: 'ais',
    name: 'AIS',
    value: '0 or 1',
    help: 'whether ships are received, kept and shown',
    allowed: '0 or 1',
    fallback: true,
    parse: yesOrNo,
  }),
  option({
    key: 'aisKeepDays',
    name: 'AIS_KEEP_DAYS',
    value: 'number',
    help: 'days for which positions of ships are kept; what belongs to a mission stays with it',
    allowed: 'a number from 1 to 3650',
    fallback: 30,
    parse: between(1, 3650),
  }),
  option({
    key: 'shipLink',
    name: 'SHIP_LINK',
    value: 'url',
    help: 'page about a ship outside, which a symbol next to an UNCLASSIFIED MMSI opens; off by default',
    allowed: 'an http or https address with {mmsi} once after its host, and no other braces',
    fallback: null,
    parse: (value) => (isShipLink(value) ? value : undefined),
  }),
  option({
    key: 'serialPorts',
    name: 'SERIAL',
    value: 'ports',
    help: 'serial ports that AIS may come from as serial:NAME: NAME=/dev/ttyUSB0@38400, comma separated',
    allowed: 'NAME=/dev/PORT or NAME=/dev/PORT@BAUD, comma separated',
    fallback: new Map(),
    parse: serialPorts,
  }),
  option({
    key: 'liveLowLatency',
    name: 'LIVE_LOW_LATENCY',
    value: '0 or 1',
    help: 'whether live video is shown over the websocket (lowLatency) before all other ways',
    allowed: '0 or 1',
    fallback: false,
    parse: yesOrNo,
  }),
  option({
    key: 'liveWebRtc',
    name: 'LIVE_WEBRTC',
    value: '0 or 1',
    help: 'whether live video is shown over WebRTC where usergroups allow it',
    allowed: '0 or 1',
    fallback: true,
    parse: yesOrNo,
  }),
  option({
    key: 'liveHls',
    name: 'LIVE_HLS',
    value: '0 or 1',
    help: 'whether live video is shown as HLS with little delay (highQuality); HLS with rewind is always there',
    allowed: '0 or 1',
    fallback: true,
    parse: yesOrNo,
  }),
  option({
    key: 'iceServers',
    name: 'ICE_SERVERS',
    value: 'urls',
    help: 'STUN servers that WebRTC asks for the address of a browser behind another network',
    allowed: 'stun:host:port, comma separated',
    fallback: [],
    parse: listOf((entry) => /^stuns?:[a-zA-Z0-9.-]+(?::\d{1,5})?$/.test(entry)),
  }),
  option({
    key: 'turnServers',
    name: 'TURN_SERVERS',
    value: 'urls',
    help: 'TURN servers that carry WebRTC where a browser reaches the server no other way; with OSPREY_TURN_SECRET',
    allowed: 'turn:host:port or turns:host:port, with ?transport=udp or tcp, comma separated',
    fallback: [],
    parse: listOf((entry) => /^turns?:[a-zA-Z0-9.-]+(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/.test(entry)),
  }),
  option({
    key: 'turnSecret',
    name: 'TURN_SECRET',
    value: 'secret',
    help: 'what those servers know too (static-auth-secret of coturn): each user gets a password of 10 minutes made of it',
    allowed: 'at least 16 characters without spaces',
    fallback: null,
    parse: (value) => (/^\S{16,256}$/.test(value) ? value : undefined),
  }),
  option({
    key: 'conference',
    name: 'CONFERENCE',
    value: '0 or 1',
    help: 'whether people may meet in conference rooms, from browser to browser',
    allowed: '0 or 1',
    fallback: true,
    parse: yesOrNo,
  }),
  option({
    key: 'conferenceCreate',
    name: 'CONFERENCE_CREATE',
    value: 'roles',
    help: 'who makes and deletes conference rooms: superAdmin and admin, or groupAdmins too for usergroups that they administer',
    allowed: 'admins or groupAdmins',
    fallback: 'admins',
    parse: oneOf('admins', 'groupAdmins'),
  }),
  option({
    key: 'livekitUrl',
    name: 'LIVEKIT_URL',
    value: 'url',
    help: 'LiveKit server that carries conferences of more than 6 people; with OSPREY_LIVEKIT_KEY and _SECRET',
    allowed: 'wss://host, or ws://host on loopback',
    fallback: null,
    parse: livekitAddress,
  }),
  option({
    key: 'livekitKey',
    name: 'LIVEKIT_KEY',
    value: 'key',
    help: 'name of the API key of that server',
    allowed: 'text without spaces',
    fallback: null,
    parse: (value) => (/^\S{1,128}$/.test(value) ? value : undefined),
  }),
  option({
    key: 'livekitSecret',
    name: 'LIVEKIT_SECRET',
    value: 'secret',
    help: 'secret of that API key: tokens are signed with it',
    allowed: 'at least 32 characters without spaces',
    fallback: null,
    parse: (value) => (/^\S{32,256}$/.test(value) ? value : undefined),
  }),
  option({
    key: 'conferenceUrl',
    name: 'CONFERENCE_URL',
    value: 'url',
    help: 'page of the site that opens conferences of that LiveKit server; it gets token and passphrase in the fragment',
    allowed: 'an https address without a fragment',
    fallback: null,
    parse: (value) => (URL.parse(value)?.protocol === 'https:' && !value.includes('#') ? value : undefined),
  }),
  option({
    key: 'supervisorUrl',
    name: 'SUPERVISOR_URL',
    value: 'url',
    help: 'where /stsupervisor leads to: the page of whatever watches over the machine',
    allowed: 'http:// or https:// and a host',
    fallback: null,
    parse: (value) => (/^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined),
  }),
  option({
    key: 'syslog',
    name: 'SYSLOG',
    value: 'url',
    help: 'collector of logs (RFC 5424), in addition to standard error',
    allowed: 'udp://host:514, tcp://host:601 or tls://host:6514',
    fallback: null,
    parse: (value) => (/^(?:udp|tcp|tls):\/\/[^\s/]+:\d{1,5}$/i.test(value) ? value : undefined),
  }),
  option({
    key: 'auditKeepDays',
    name: 'AUDIT_KEEP',
    value: 'days',
    help: 'days that rows of the audit stay; older ones are removed up to a signed checkpoint; off keeps them all',
    allowed: 'a number of days from 30 to 36500, or off',
    fallback: AUDIT_KEEP_DAYS,
    parse: (value) => (value === 'off' ? null : between(30, 36_500)(value)),
  }),
  option({
    key: 'readAgainDays',
    name: 'READ_AGAIN_DAYS',
    value: 'days',
    help: 'days within which every stored byte is read again and compared with its hash, where the disk is fast enough',
    allowed: 'a number of days from 2 to 365',
    fallback: 7,
    parse: between(2, 365),
  }),
  option({
    key: 'backupDir',
    name: 'BACKUP_DIR',
    value: 'folder',
    help: 'where backups lie; another disk than that of the recordings, or a mounted one; unset, backups in the data folder',
    allowed: 'a folder',
    fallback: null,
    parse: (value) => (text(value) ? resolve(value) : undefined),
  }),
  option({
    key: 'backupSchedule',
    name: 'BACKUP_SCHEDULE',
    value: 'HH:MM',
    help: 'time of day (UTC) at which a backup is made; one that was missed is made at the start',
    allowed: 'HH:MM, or off',
    fallback: null,
    parse: (value) => (value === 'off' ? null : /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : undefined),
  }),
  option({
    key: 'backupKeep',
    name: 'BACKUP_KEEP',
    value: 'number',
    help: 'verified backups of the schedule that stay; those made by hand stay until they are deleted',
    allowed: 'a number from 1 to 1000',
    fallback: 7,
    parse: between(1, 1000),
  }),
  option({
    key: 'backupKeyFile',
    name: 'BACKUP_KEY_FILE',
    value: 'file',
    help: 'key of the backups (64 hexadecimal digits) in place of the one made at set-up',
    allowed: 'a file that is there',
    fallback: null,
    parse: file,
  }),
  option({
    key: 'updateDir',
    name: 'UPDATE_DIR',
    value: 'folder',
    help: 'folder in which update packages lie; it is read and never written; with OSPREY_UPDATE_KEY',
    allowed: 'a folder',
    fallback: null,
    parse: (value) => (text(value) ? resolve(value) : undefined),
  }),
  option({
    key: 'updateKey',
    name: 'UPDATE_KEY',
    value: 'file',
    help: 'public key (Ed25519, PEM) that those packages are signed with',
    allowed: 'a file that is there',
    fallback: null,
    parse: file,
  }),
  option({
    key: 'watch',
    name: 'WATCH',
    value: 'folders',
    help: 'folders whose recordings become missions: /path;label=SECRET;groups=A|B;platform=Heron, comma separated; without a label the highest, without groups for nobody',
    allowed: 'absolute paths with label, groups and platform',
    fallback: [],
    parse: watched,
  }),
  option({
    key: 'dvrMinutes',
    name: 'DVR_MINUTES',
    value: 'number',
    help: 'how far a live sensor that is not recorded can be rewound, on disk; 0: the last seconds only',
    allowed: 'a number of minutes from 0 to 1440',
    fallback: 10,
    parse: between(0, 1440),
  }),
  option({
    key: 'playbackDataDelay',
    name: 'PLAYBACK_DATA_DELAY',
    value: 'milliseconds',
    help: 'how much later than its own time the telemetry of a recording is shown, where encoders stamp pictures late',
    allowed: 'a number of milliseconds from -10000 to 10000',
    fallback: 0,
    parse: (value) => (/^-?\d{1,5}$/.test(value) && Math.abs(Number(value)) <= 10_000 ? Number(value) : undefined),
  }),
  option({
    key: 'webRtcPorts',
    name: 'WEBRTC_PORTS',
    value: 'low-high',
    help: 'UDP ports of WebRTC; each viewer takes one for each address of the machine',
    allowed: 'two ports from 1024 to 65535 (47000-47999)',
    fallback: [47_000, 47_999],
    parse: portRange,
  }),
  option({
    key: 'webRtcAddresses',
    name: 'WEBRTC_ADDRESS',
    value: 'addresses',
    help: 'where browsers reach those ports; unset, OSPREY_HOST, or every address of the machine where that is any',
    allowed: 'IP addresses, comma separated',
    fallback: [],
    parse: listOf((entry) => isIP(entry) !== 0),
  }),
  option({
    key: 'logLevel',
    name: 'LOG_LEVEL',
    value: 'level',
    help: 'what is written to standard error',
    allowed: 'silent, error, warn, info or debug',
    fallback: 'warn',
    parse: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  }),
];

import { type Config, type Option, options } from './options.ts';

export type { Config } from './options.ts';

const variableOf = ({ name }: Option) => `OSPREY_${name}`;
const flagOf = ({ name }: Option) => `--${name.toLowerCase().replaceAll('_', '-')}`;

/** An invalid value or combination of options. The message names the option, the value and the allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the configuration. Flags override environment variables; an empty variable counts as not set.
 *
 * @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[] = []): Readonly<Config> {
  const flags = readFlags(args);
  const config: Record<string, unknown> = {};
  for (const entry of options) {
    const flag = flags.get(flagOf(entry));
    const variable = env[variableOf(entry)] || undefined;
    if (flag !== undefined) config[entry.key] = parsed(entry, flagOf(entry), flag);
    else if (variable !== undefined) config[entry.key] = parsed(entry, variableOf(entry), variable);
    else config[entry.key] = entry.fallback;
  }
  const whole = config as Config;
  checkTransport(whole);
  checkSingleSignOn(whole);
  checkTurn(whole);
  checkLivekit(whole);
  checkUpdates(whole);
  return Object.freeze(whole);
}

function readFlags(args: readonly string[]): Map<string, string> {
  const flags = new Map<string, string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = '', joined] = arg.split(/=(.*)/s);
    const known = options.find((entry) => flagOf(entry) === name);
    if (known === undefined) throw new ConfigError(`Unknown option ${name}. See npm start -- --help.`);
    const isSwitch = known.value === null;
    const value = joined ?? (isSwitch ? '1' : rest.shift());
    if (value === undefined) throw new ConfigError(`${name} needs a value: ${known.allowed}.`);
    flags.set(name, value);
  }
  return flags;
}

const HIDDEN: ReadonlySet<keyof Config> = new Set(['adminPassword', 'databaseUrl', 'turnSecret', 'livekitSecret']);

function parsed(entry: Option, shown: string, value: string): Config[keyof Config] {
  const result = entry.parse(value);
  // A password is never repeated on a screen or in a log.
  const given = HIDDEN.has(entry.key) ? '(hidden)' : JSON.stringify(value);
  if (result === undefined) throw new ConfigError(`${shown} is ${given}; allowed is ${entry.allowed}.`);
  return result;
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

export const isLoopback = (address: string): boolean => loopback.has(address) || address.startsWith('127.');

function checkTransport({ host, tlsCert, tlsKey, tlsSelfSigned, trustedProxies }: Config): void {
  if ((tlsCert === null) !== (tlsKey === null)) {
    throw new ConfigError('OSPREY_TLS_CERT and OSPREY_TLS_KEY belong together: set both or none.');
  }
  const safe = isLoopback(host) || tlsCert !== null || tlsSelfSigned || trustedProxies.length > 0;
  if (safe) return;
  throw new ConfigError(
    `OSPREY_HOST is "${host}"; an address other than loopback needs OSPREY_TLS_CERT and OSPREY_TLS_KEY, or ` +
      'OSPREY_TRUSTED_PROXY, or --tls-self-signed for a trial.',
  );
}

function checkSingleSignOn({ oidcIssuer, oidcClientId }: Config): void {
  if ((oidcIssuer === null) === (oidcClientId === null)) return;
  throw new ConfigError('OSPREY_OIDC_ISSUER and OSPREY_OIDC_CLIENT_ID belong together: set both or none.');
}

function checkTurn({ turnServers, turnSecret }: Config): void {
  if (turnServers.length > 0 === (turnSecret !== null)) return;
  throw new ConfigError('OSPREY_TURN_SERVERS and OSPREY_TURN_SECRET belong together: set both or none.');
}

function checkLivekit({ livekitUrl, livekitKey, livekitSecret, conferenceUrl }: Config): void {
  const given = [livekitUrl, livekitKey, livekitSecret].filter((value) => value !== null).length;
  const names = 'OSPREY_LIVEKIT_URL, OSPREY_LIVEKIT_KEY and OSPREY_LIVEKIT_SECRET';
  if (given !== 0 && given !== 3) throw new ConfigError(`${names} belong together: set all or none.`);
  if (conferenceUrl !== null && given === 0) throw new ConfigError(`OSPREY_CONFERENCE_URL needs ${names}.`);
}

function checkUpdates({ updateDir, updateKey }: Config): void {
  if ((updateDir === null) === (updateKey === null)) return;
  throw new ConfigError('OSPREY_UPDATE_DIR and OSPREY_UPDATE_KEY belong together: set both or none.');
}

/** Output of `npm start -- --help`. */
export function helpText(): string {
  const lines = options.map((entry) => {
    const left = `  ${flagOf(entry)}${entry.value === null ? '' : ` <${entry.value}>`}`;
    return `${left.padEnd(32)} ${variableOf(entry)}\n${' '.repeat(6)}${entry.help}; allowed: ${entry.allowed}; ${fallbackText(entry)}`;
  });
  return [
    'Osprey: a media server for full-motion video with its web client.',
    '',
    'npm start -- [options]     each option is also an environment variable',
    '',
    ...lines,
    '  --help',
    '      this text',
    '',
  ].join('\n');
}

function fallbackText({ fallback }: Option): string {
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return 'default: none';
  if (fallback instanceof Map && fallback.size === 0) return 'default: none';
  // A range of ports.
  if (Array.isArray(fallback) && typeof fallback[0] === 'number') return `default: ${fallback.join('-')}`;
  return `default: ${typeof fallback === 'boolean' ? Number(fallback) : String(fallback)}`;
}

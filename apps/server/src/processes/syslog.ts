import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** Syslog facility local0 (RFC 5424, section 6.2.1). */
const FACILITY = 16;
/** Maps levels of pino to severities of RFC 5424. */
const severities: Record<number, number> = { 60: 2, 50: 3, 40: 4, 30: 6, 20: 7, 10: 7 };
const RETRY_MS = 2000;
/** Maximum number of lines queued while the collector is unreachable; the oldest are dropped first. */
const WAITING_MAX = 5000;
/** Maximum size of a UDP message: RFC 5426 recommends no more than a datagram can carry without fragmentation. */
const DATAGRAM_BYTES = 8000;

export type SyslogTarget = { scheme: 'udp' | 'tcp' | 'tls'; host: string; port: number };

/** Parses `udp://host:514`, `tcp://host:601` or `tls://host:6514`; undefined for anything else. */
export function readSyslogTarget(text: string): SyslogTarget | undefined {
  const found = /^(udp|tcp|tls):\/\/(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  if (!found || port < 1 || port > 65_535) return undefined;
  const scheme = (['udp', 'tcp', 'tls'] as const).find((one) => one === found[1]?.toLowerCase()) ?? 'udp';
  return { scheme, host: (found[2] ?? '').replace(/^\[|\]$/g, ''), port };
}

/** Formats one line of pino as an RFC 5424 message, with the JSON itself as its text, so that no field is lost. */
export function syslogMessage(line: string, names: { host: string; process: string }): string {
  const { level = 30, time = Date.now() } = fieldsOf(line);
  const priority = FACILITY * 8 + (severities[level] ?? 5);
  const text = line.trimEnd();
  return `<${priority}>1 ${new Date(time).toISOString()} ${names.host} osprey ${names.process} - - ${text}`;
}

function fieldsOf(line: string): { level?: number; time?: number } {
  try {
    return JSON.parse(line) as { level?: number; time?: number };
  } catch {
    return {};
  }
}

/**
 * Sends each line to a collector. If the collector is unreachable, only lines are lost, and the server is never
 * blocked.
 */
export function syslogStream(target: SyslogTarget, role: string): Writable {
  const names = { host: hostname() || '-', process: `${role}-${process.pid}` };
  const send = target.scheme === 'udp' ? datagrams(target) : connection(target);
  return new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _encoding, done) {
      send(syslogMessage(String(chunk), names));
      done();
    },
  });
}

function datagrams({ host, port }: SyslogTarget): (message: string) => void {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.unref();
  socket.on('error', () => undefined);
  return (message) => socket.send(Buffer.from(message).subarray(0, DATAGRAM_BYTES), port, host, () => undefined);
}

/** Sends messages over TCP or TLS, each preceded by its length in octets (RFC 6587 and 5425). */
function connection({ scheme, host, port }: SyslogTarget): (message: string) => void {
  const waiting: string[] = [];
  let socket: Socket | null = null;
  let ready = false;
  let timer: NodeJS.Timeout | null = null;

  function open(): void {
    timer = null;
    // RFC 6066, 3: a server name must not be an IP address.
    const name = isIP(host) === 0 ? { servername: host } : {};
    const fresh = scheme === 'tls' ? connectTls({ host, port, ...name }) : connectTcp({ host, port });
    socket = fresh;
    fresh.unref();
    fresh.on('error', () => undefined);
    fresh.once(scheme === 'tls' ? 'secureConnect' : 'connect', () => {
      ready = true;
      for (const frame of waiting.splice(0)) fresh.write(frame);
    });
    fresh.once('close', () => {
      ready = false;
      socket = null;
      timer = setTimeout(open, RETRY_MS);
      timer.unref();
    });
  }

  return (message) => {
    const frame = `${Buffer.byteLength(message)} ${message}`;
    if (ready && socket) {
      socket.write(frame);
      return;
    }
    if (waiting.length >= WAITING_MAX) waiting.shift();
    waiting.push(frame);
    if (socket === null && timer === null) open();
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { PACKET_SIZE } from '@osprey/mpegts';

/** Output that accepts whole transport packets and sends them. */
export type LiveOutput = {
  write(bytes: Uint8Array): void;
  /** Sends the collected bytes at the end of a picture. */
  flush(): void;
  close(): Promise<void>;
};

/** Thrown for an address to which nothing can be sent; the message states the reason. */
export class OutputError extends Error {
  override name = 'OutputError';
}

/** Number of packets that fit into a datagram in one Ethernet frame. */
const PACKETS_A_DATAGRAM = 7;
const DATAGRAM = PACKET_SIZE * PACKETS_A_DATAGRAM;
/**
 * Maximum number of packets sent in one burst: a large picture in a single burst would not fit into the buffer of a
 * receiver.
 */
const REPLACE_NOW = 32;
const RTP_TYPE = 33;
const TICKS_PER_MS = 90;
const RETAINED_MESSAGES = 1000;
/** Maximum number of queued bytes for a program that is too slow; if it is exceeded, pictures are dropped. */
const LYING_MAX = 4 * 1024 * 1024;
const CLOSE_MS = 2000;

/** Opens an output for `udp:`, `rtp:`, `srt:` or `rtmp:`; `portOffset` is added to the port, for further sensors. */
export async function openLiveOutput(url: string, portOffset = 0): Promise<LiveOutput> {
  const target = URL.parse(url.replace(/^(udp|rtp|srt|rtmp):\/\/@?:/i, '$1://127.0.0.1:'));
  const scheme = target?.protocol.slice(0, -1);
  if (target === null || scheme === undefined || !(scheme in outputs)) {
    throw new OutputError(`--live is ${url}: it must be an address that begins with udp:, rtp:, srt: or rtmp:`);
  }
  const port = Number(target.port || (scheme === 'rtmp' ? 1935 : 0)) + (scheme === 'rtmp' ? 0 : portOffset);
  if (port <= 0 || port > 65_535) throw new OutputError(`--live is ${url}: the port is missing, or beyond 65535`);
  return outputs[scheme as keyof typeof outputs](target, port);
}

const outputs = {
  udp: (target: URL, port: number) => datagrams(target, port, false),
  rtp: (target: URL, port: number) => datagrams(target, port, true),
  /** SRT carries the same bytes as UDP would. */
  async srt(target: URL, port: number) {
    const parameters = target.searchParams.size === 0 ? '' : `?${target.searchParams}`;
    const address = `srt://${target.hostname}:${port}${parameters}`;
    return program('srt-live-transmit', ['-q', `-chunk:${DATAGRAM}`, 'file://con', address], 'srt-tools');
  },
  /** FLV cannot carry metadata, so only the video arrives. */
  async rtmp(target: URL) {
    const input = ['-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer', '-f', 'mpegts', '-i', 'pipe:0'];
    return program('ffmpeg', [...input, '-map', '0:v', '-c', 'copy', '-f', 'flv', target.href], 'ffmpeg');
  },
};

async function datagrams(target: URL, port: number, rtp: boolean): Promise<LiveOutput> {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.bind(0);
  await once(socket, 'listening');
  const local = target.searchParams.get('interface');
  if (local !== null) socket.setMulticastInterface(local);
  const head = rtp ? rtpHead() : null;
  const queue: Uint8Array[] = [];
  let gathered: Uint8Array[] = [];
  let sending = Promise.resolve();
  let failure: Error | null = null;

  async function send(): Promise<void> {
    for (let group = queue.splice(0, REPLACE_NOW); group.length > 0; group = queue.splice(0, REPLACE_NOW)) {
      await Promise.all(
        group.map(
          (datagram) =>
            new Promise<void>((resolve) =>
              socket.send(datagram, port, host, (error) => {
                // Sending without a receiver is not an error.
                if (error !== null && !('code' in error && error.code === 'ECONNREFUSED')) failure = error;
                resolve();
              }),
            ),
        ),
      );
    }
  }

  function leave(): void {
    if (gathered.length === 0) return;
    queue.push(head === null ? Buffer.concat(gathered) : Buffer.concat([head(), ...gathered]));
    gathered = [];
  }

  return {
    write(bytes) {
      if (failure !== null) throw new OutputError(`Sending to ${host} failed: ${failure.message}`);
      for (let at = 0; at < bytes.length; at += PACKET_SIZE) {
        gathered.push(Uint8Array.from(bytes.subarray(at, at + PACKET_SIZE)));
        if (gathered.length === PACKETS_A_DATAGRAM) leave();
      }
    },
    flush() {
      leave();
      sending = sending.then(send);
    },
    async close() {
      leave();
      await sending.then(send);
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

/** Returns a function that makes RTP headers (RFC 2250) whose timestamp is the time of sending. */
function rtpHead(): () => Buffer {
  const source = Math.floor(Math.random() * 2 ** 32);
  let sequence = Math.floor(Math.random() * 2 ** 16);
  return () => {
    const head = Buffer.alloc(12);
    head[0] = 0x80;
    head[1] = RTP_TYPE;
    head.writeUInt16BE(sequence, 2);
    head.writeUInt32BE(Math.floor(performance.now() * TICKS_PER_MS) % 2 ** 32, 4);
    head.writeUInt32BE(source, 8);
    sequence = (sequence + 1) & 0xffff;
    return head;
  };
}

/**
 * Starts a program that reads the stream and sends it. It runs in a separate process group, so that Ctrl-C reaches only
 * this process.
 */
function program(name: string, args: readonly string[], debianPackage: string): LiveOutput {
  // The option makes the program end with this process in any case, since srt-live-transmit continues when its input
  // has ended.
  const words = ['--pdeathsig', 'KILL', name, ...args];
  const child: ChildProcess = spawn('setpriv', words, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const { stdin, stderr } = child;
  if (stdin === null || stderr === null) throw new OutputError(`${name} was started without pipes`);
  let messages = '';
  let failure: string | null = null;
  let isClosing = false;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    messages = (messages + text).slice(-RETAINED_MESSAGES);
  });
  // `close` reports the program's end.
  stdin.on('error', () => undefined);
  const notFound = `${name} was not found. Install it (Debian: apt-get install ${debianPackage})`;
  child.once('error', () => {
    failure = notFound;
  });
  const closed = new Promise<void>((resolve) =>
    child.once('close', () => {
      const isMissing = messages.includes('failed to execute');
      if (!isClosing) failure ??= isMissing ? notFound : `${name} ended: ${messages.trim() || 'no message'}`;
      resolve();
    }),
  );
  return {
    write(bytes) {
      if (failure !== null) throw new OutputError(failure);
      if (stdin.writableLength < LYING_MAX) stdin.write(Uint8Array.from(bytes));
    },
    flush: () => undefined,
    async close() {
      isClosing = true;
      stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

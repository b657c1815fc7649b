import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { PACKET_SIZE } from '../../packages/mpegts/src/packet.ts';
import { endlessStream, scheduleOf } from './endless-stream.ts';

const PACKETS_A_DATAGRAM = 7;
const TICKS_PER_MS = 90;
/** Interval between checks for packets that are due, in milliseconds. */
const STEP_MS = 5;
const RTP_HEAD = 12;
const RTP_TYPE = 33;

export type PacedSenderOptions = {
  /** A stream of 188-byte packets. */
  bytes: Uint8Array;
  port: number;
  /** Address of the receiver. Default 127.0.0.1. */
  host?: string;
  /** Whether to put an RTP header before each datagram. */
  rtp?: boolean;
  /** Number of times that the file is sent, with continuous clocks and counters. Default 1. */
  rounds?: number;
  /** Factor relative to real time; 2 is twice as fast. */
  speed?: number;
  /** Address of the network interface for a multicast group. */
  interface?: string;
};

/** Counts of data sent so far; `bytes` excludes RTP headers. */
export type Sent = { datagrams: number; packets: number; bytes: number };

export type PacedSender = {
  sent(): Sent;
  /** Settles when everything has been sent, or when sending was stopped. */
  done: Promise<void>;
  stop(): Promise<void>;
};

/** Sends a recording in real time, according to its program clock, in datagrams of seven packets. */
export async function sendPaced(options: PacedSenderOptions): Promise<PacedSender> {
  const { bytes, port, host = '127.0.0.1', rtp = false, rounds = 1, speed = 1 } = options;
  const schedule = scheduleOf(bytes);
  const roundAt = endlessStream(bytes, schedule);
  const packets = Math.floor(bytes.length / PACKET_SIZE);
  const sent: Sent = { datagrams: 0, packets: 0, bytes: 0 };
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0);
  await once(socket, 'listening');
  if (options.interface !== undefined) socket.setMulticastInterface(options.interface);
  const begun = performance.now();
  let stopped = false;

  const pass = (datagram: Uint8Array) =>
    // Ignore errors: loopback reports a missing receiver, which a real radio sender would not notice.
    new Promise<void>((resolve) => socket.send(datagram, port, host, () => resolve()));

  async function sendAll(): Promise<void> {
    for (let round = 0; round < rounds && !stopped; round += 1) await sendRound(roundAt(round), round);
    await new Promise<void>((resolve) => socket.close(resolve));
  }

  async function sendRound(stream: Uint8Array, round: number): Promise<void> {
    for (let first = 0; first < packets && !stopped; first += PACKETS_A_DATAGRAM) {
      const ticks = round * schedule.ticks + schedule.dueTicks[first]!;
      await until(begun + ticks / TICKS_PER_MS / speed);
      if (stopped) return;
      const payload = stream.subarray(first * PACKET_SIZE, Math.min(packets, first + PACKETS_A_DATAGRAM) * PACKET_SIZE);
      await pass(rtp ? withHead(payload, sent.datagrams, ticks) : payload);
      sent.datagrams += 1;
      sent.packets += payload.length / PACKET_SIZE;
      sent.bytes += payload.length;
    }
  }

  const done = sendAll();
  return {
    sent: () => ({ ...sent }),
    done,
    async stop() {
      stopped = true;
      await done;
    },
  };
}

async function until(dueMs: number): Promise<void> {
  const wait = dueMs - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.max(STEP_MS, wait)));
}

function withHead(payload: Uint8Array, sequence: number, ticks: number): Uint8Array {
  const packet = Buffer.alloc(RTP_HEAD + payload.length);
  packet[0] = 0x80;
  packet[1] = RTP_TYPE;
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(Math.round(ticks) % 2 ** 32, 4);
  packet.writeUInt32BE(0x05c9_4e1d, 8);
  packet.set(payload, RTP_HEAD);
  return packet;
}

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { OpenedSource, OpenSource, SourceSink } from '../components.ts';
import { bindProblem } from './bind-problem.ts';
import { continuityMeter } from './continuity.ts';
import { datagramSender } from './datagram-sender.ts';
import { mixedSenders } from './mixed-senders.ts';
import { isTransport, packetBatch } from './packet-batch.ts';
import { rateLimit } from './rate-limit.ts';
import { jitterMeter, type RtpPacket } from './rtp.ts';
import { rtpFlows } from './rtp-flows.ts';
import { WAIT_MS } from './rtp-order.ts';
import { type SenderList, senderList } from './sender-list.ts';
import { senderTable } from './sender-table.ts';
import { SourceError } from './source-error.ts';
import { type UdpBinding, udpBinding } from './udp-binding.ts';

/** Requested size of the socket's receive buffer; the kernel grants at most net.core.rmem_max. */
const SOCKET_BUFFER_BYTES = 8 * 1024 * 1024;
/**
 * Number of datagrams without a transport stream, received before the first one with it, after which the operator is
 * notified.
 */
const JUNK_REPORTED = 20;

/** Receives a transport stream in datagrams, bare or in RTP, at one address or multicast group. */
export const openUdp: OpenSource = async ({ url, senders }, sink) => {
  const binding = udpBinding(url);
  const socket = createSocket({
    type: binding.type,
    reuseAddr: binding.group !== null,
    recvBufferSize: SOCKET_BUFFER_BYTES,
  });
  await bindUdp(socket, binding);
  return receive(socket, senderList(senders), sink);
};

/** @throws SourceError when the port cannot be bound */
export async function bindUdp(socket: Socket, { host, port, group }: UdpBinding): Promise<void> {
  try {
    socket.bind({ address: host, port });
    await once(socket, 'listening');
    if (group !== null) socket.addMembership(group.address, group.interface);
  } catch (error) {
    socket.close();
    throw new SourceError(bindProblem(error, host, port), { cause: error });
  }
}

function receive(socket: Socket, maySend: SenderList, sink: SourceSink): OpenedSource {
  const counts = { refused: 0, cut: 0 };
  const order = { lost: 0, reordered: 0 };
  const batch = packetBatch();
  const jitter = jitterMeter();
  const continuity = continuityMeter();
  const limit = rateLimit();
  const junk = junkWatch(sink);
  const mixed = mixedSenders(sink);
  // Cut packets are not counted here: for bare packets, the continuity counters count all losses, including these.
  const senders = senderTable(() => datagramSender({ release: takeBare, cut: () => undefined }, takeRtp));
  const flows = rtpFlows({ release, cut }, order);
  let isFlushing = false;
  let wait: NodeJS.Timeout | null = null;
  let isClosed = false;
  /** Number of datagrams accepted as part of a stream. */
  let taken = 0;
  let takenAtWait = 0;

  function receiveFrom(bytes: Uint8Array, address: string, port: number): void {
    const nowMs = performance.now();
    if (!maySend(address)) {
      counts.refused += 1;
      return;
    }
    const sender = senders.find(address, port);
    if (!limit.accepts(bytes.length, nowMs)) {
      counts.refused += 1;
      sender?.gap();
      return;
    }
    // No state is kept for a sender whose datagrams hold only complete packets.
    if (sender === null && isTransport(bytes)) {
      takeBare(bytes);
      mixed.bare(address, port, nowMs);
      onDatagram();
      return;
    }
    const { junk: refused, isStream, isRtp } = (sender ?? senders.add(address, port)).read(bytes, nowMs);
    counts.refused += refused;
    for (let n = 0; n < refused; n += 1) junk.saw(isRtp);
    if (isStream && !isRtp) mixed.bare(address, port, nowMs);
    if (isStream) onDatagram();
    waitForMissing(WAIT_MS);
  }

  function onDatagram(): void {
    taken += 1;
    junk.isOver();
    flushSoon();
  }

  function takeRtp(packet: RtpPacket, nowMs: number) {
    jitter.arrived(packet, nowMs);
    const read = flows.take(packet, nowMs);
    if (read.isStream) mixed.rtp(packet.ssrc, nowMs);
    return read;
  }

  function takeBare(packets: Uint8Array): void {
    continuity.read(packets, performance.now());
    release(packets);
  }

  function release(packets: Uint8Array): void {
    counts.refused += batch.add(packets);
  }

  function cut(packets: number): void {
    counts.cut += packets;
  }

  function waitForMissing(ms: number): void {
    if (wait !== null || !(senders.isWaiting() || flows.isWaiting())) return;
    takenAtWait = taken;
    wait = setTimeout(giveUp, ms);
  }

  /**
   * Gives up missing packets. If the process was delayed, they may still be in the socket's buffer, so the buffer is
   * read first.
   */
  function giveUp(): void {
    const before = taken;
    setImmediate(() => {
      if (isClosed) return;
      if (taken > before) return giveUp();
      wait = null;
      flows.giveUp(performance.now());
      if (taken === takenAtWait) {
        flows.settle();
        senders.settle();
      }
      flush();
      waitForMissing(WAIT_MS / 4);
    });
  }

  /**
   * Flushes received datagrams once per batch: Node runs `setImmediate` after it has handed over everything in the
   * socket's buffer.
   */
  function flushSoon(): void {
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(() => {
      isFlushing = false;
      flush();
    });
  }

  function flush(): void {
    if (!batch.isEmpty()) sink.packets(batch.take(), Date.now() * 1000);
  }

  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const read = sink.reading(receiveFrom);
  socket.on('message', (bytes, { address, port }) => read(bytes, address, port));
  socket.on('error', () => socket.close());

  return {
    counts: () => ({
      lost: order.lost + counts.cut + continuity.lost(),
      reordered: order.reordered,
      refused: counts.refused,
      jitterMs: jitter.ms(),
    }),
    ended,
    async close() {
      socket.removeAllListeners('message');
      isClosed = true;
      if (wait !== null) clearTimeout(wait);
      flows.flush();
      senders.settle();
      flush();
      // Closing also leaves the multicast groups. The socket may already be closed by an error.
      try {
        socket.close();
      } catch {
        return;
      }
      await ended;
    },
  };
}

/** Notifies the operator when bytes arrive that are no transport stream. */
function junkWatch(sink: SourceSink) {
  let seen = 0;
  return {
    saw(rtp: boolean): void {
      seen += 1;
      if (seen !== JUNK_REPORTED) return;
      sink.problem(
        rtp
          ? 'RTP packets arrive, but they carry no MPEG transport stream'
          : 'Datagrams arrive, but they are not an MPEG transport stream',
      );
    },
    isOver(): void {
      seen = 0;
    },
  };
}

import type { TakeRtp } from './datagram-sender.ts';
import { type JoinerOut, type PacketJoiner, packetJoiner } from './packet-joiner.ts';
import { type OrderCounts, type RtpOrder, rtpOrder } from './rtp-order.ts';

/** Maximum number of simultaneous RTP streams to one port; only one is expected. */
const FLOWS_MAX = 32;

type Flow = { order: RtpOrder; joiner: PacketJoiner };

/**
 * Distinguishes the RTP streams received at one socket by SSRC, since the SSRC stays the same when a stream arrives
 * over two paths or when the sender's port changes.
 */
export function rtpFlows(out: JoinerOut, counts: OrderCounts) {
  const flows = new Map<number, Flow>();
  let junk = 0;

  function flowOf(ssrc: number): Flow {
    const existing = flows.get(ssrc);
    if (existing !== undefined) return existing;
    for (const [oldest, flow] of flows) {
      if (flows.size < FLOWS_MAX) break;
      end(flow);
      flows.delete(oldest);
    }
    const joiner = packetJoiner(out);
    const order = rtpOrder((payload, follows) => {
      if (!follows) joiner.gap();
      junk += joiner.push(payload);
    }, counts);
    flows.set(ssrc, { order, joiner });
    return { order, joiner };
  }

  function end({ order, joiner }: Flow): void {
    order.flush();
    joiner.settle();
  }

  const receive: TakeRtp = (packet, nowMs) => {
    const { order, joiner } = flowOf(packet.ssrc);
    junk = 0;
    order.push(packet, nowMs);
    return { junk, isStream: joiner.isInStep() };
  };

  return {
    take: receive,
    isWaiting(): boolean {
      for (const { order, joiner } of flows.values()) if (order.isWaiting() || joiner.isWaiting()) return true;
      return false;
    },
    /** Gives up missing packets for which later packets have waited long enough. */
    giveUp(nowMs: number): void {
      for (const { order } of flows.values()) order.tick(nowMs);
    },
    /** Called when no further packet followed for a while: releases the packets that wait to be confirmed. */
    settle(): void {
      for (const { order, joiner } of flows.values()) if (!order.isWaiting()) joiner.settle();
    },
    /** Gives up all missing packets and releases what is waiting. */
    flush(): void {
      for (const flow of flows.values()) end(flow);
    },
  };
}

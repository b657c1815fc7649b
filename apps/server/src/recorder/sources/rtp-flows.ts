import type { TakeRtp } from './datagram-sender.ts';
import { type JoinerOut, type PacketJoiner, packetJoiner } from './packet-joiner.ts';
import { type OrderCounts, type RtpOrder, rtpOrder } from './rtp-order.ts';

/** Limit of simultaneous RTP streams to one port; one is expected. */
const FLOWS_MAX = 32;

type Flow = { order: RtpOrder; joiner: PacketJoiner };

/**
 * Distinguishes RTP streams at one socket by SSRC: it stays the same when a stream comes over two paths, or when the
 * sender's port changes.
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

  const take: TakeRtp = (packet, nowMs) => {
    const { order, joiner } = flowOf(packet.ssrc);
    junk = 0;
    order.push(packet, nowMs);
    return { junk, isStream: joiner.isInStep() };
  };

  return {
    take,
    isWaiting(): boolean {
      for (const { order, joiner } of flows.values()) if (order.isWaiting() || joiner.isWaiting()) return true;
      return false;
    },
    /** Gives up packets that have been waited for long enough. */
    giveUp(nowMs: number): void {
      for (const { order } of flows.values()) order.tick(nowMs);
    },
    /** Called when no packet followed. */
    settle(): void {
      for (const { order, joiner } of flows.values()) if (!order.isWaiting()) joiner.settle();
    },
    /** Gives up all missing packets. */
    flush(): void {
      for (const flow of flows.values()) end(flow);
    },
  };
}

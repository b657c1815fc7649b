import type { DatagramSender } from './datagram-sender.ts';

/** Maximum number of senders to one port whose state is kept; only one is expected. */
const SENDERS_MAX = 32;

/**
 * States of the senders to one socket, by address and port. If there are too many, a sender that sends no stream is
 * dropped.
 */
export function senderTable(create: () => DatagramSender) {
  const senders = new Map<string, DatagramSender>();
  let last: { address: string; port: number; sender: DatagramSender | null } | null = null;

  function makeRoom(): void {
    if (senders.size < SENDERS_MAX) return;
    const [gone] = [...senders].find(([, sender]) => !sender.isInStep()) ?? [...senders][0] ?? [];
    if (gone === undefined) return;
    senders.get(gone)?.settle();
    senders.delete(gone);
  }

  return {
    find(address: string, port: number): DatagramSender | null {
      if (last === null || last.port !== port || last.address !== address) {
        last = { address, port, sender: senders.get(`${address} ${port}`) ?? null };
      }
      return last.sender;
    },
    add(address: string, port: number): DatagramSender {
      makeRoom();
      const sender = create();
      senders.set(`${address} ${port}`, sender);
      last = { address, port, sender };
      return sender;
    },
    isWaiting(): boolean {
      for (const sender of senders.values()) if (sender.isWaiting()) return true;
      return false;
    },
    settle(): void {
      for (const sender of senders.values()) sender.settle();
    },
  };
}

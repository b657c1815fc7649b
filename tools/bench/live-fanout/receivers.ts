import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { ROOM_BYTES } from './room.ts';
import { transportCheck } from './transport-check.ts';

// Runs the receivers of the peer in a separate process. argv: number of receivers by SRTP, number by UDP.

const [srtp = 0, udp = 0] = process.argv.slice(2).map(Number);
const missing: (() => number)[] = [];

async function receiver(onDatagram: (bytes: Buffer) => void): Promise<number> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: ROOM_BYTES });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('message', onDatagram);
  return socket.address().port;
}

/** The check uses sequence numbers, which are not encrypted. */
function rtpCheck() {
  let last: number | null = null;
  let lost = 0;
  return {
    push(packet: Buffer): void {
      // Skip RTCP (RFC 5761 section 4).
      if (packet[1]! >= 192 && packet[1]! <= 223) return;
      const sequence = packet.readUInt16BE(2);
      if (last !== null) lost += (sequence - last - 1 + 2 ** 16) % 2 ** 16;
      last = sequence;
    },
    missing: () => lost,
  };
}

const ports: number[] = [];
for (let n = 0; n < srtp + udp; n += 1) {
  const check = n < srtp ? rtpCheck() : transportCheck();
  missing.push(check.missing);
  ports.push(await receiver(check.push));
}
// Find a free port, on which the peer will then listen.
const input = createSocket('udp4');
input.bind(0, '127.0.0.1');
await once(input, 'listening');
const { port } = input.address();
input.close();
await once(input, 'close');
process.send?.([port, ...ports]);
process.on('message', () => process.send?.(missing.reduce((sum, one) => sum + one(), 0)));
process.on('disconnect', () => process.exit());

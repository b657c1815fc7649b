import { LIVE_SOCKET_PATH, type LiveSocketMessage } from '@osprey/contract';
import type { Client, Visit } from './client.ts';
import { pictureGaps } from './picture-gaps.ts';

const TFDT = Buffer.from('tfdt');

/** Watches with the mode lowLatency. */
export async function socketClient({ address, sensorId, headers, seam }: Visit): Promise<Client> {
  const answer = await fetch(`${address}/api/tickets`, { method: 'POST', headers });
  const { ticket } = (await answer.json()) as { ticket: string };
  const socket = new WebSocket(`${address.replace('http', 'ws')}${LIVE_SOCKET_PATH}`);
  socket.binaryType = 'arraybuffer';
  const gaps = pictureGaps(seam);
  let dropped = 0;
  let ended: string | null = null;
  let isInit = false;
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      if (!isInit) gaps.add(decodeTicks(Buffer.from(data)));
      isInit = false;
      return;
    }
    const message = JSON.parse(data) as LiveSocketMessage;
    if (message.kind === 'video') isInit = true;
    if (message.kind === 'dropped') dropped += message.pictures;
    if (message.kind === 'end') ended = message.text;
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('The live socket did not open'));
  });
  socket.send(JSON.stringify({ ticket, sensor: sensorId, video: true }));
  return {
    pictures: gaps.count,
    // Pictures that the server dropped for a slow reader also appear as gaps in the times.
    missed: () => Math.max(gaps.missing(), dropped) + (ended === null ? 0 : 1),
    close: async () => socket.close(),
  };
}

/** Returns the decode time of a fragment with one picture (ISO/IEC 14496-12, 8.8.12, in 64 bits). */
function decodeTicks(fragment: Buffer): number {
  const at = fragment.indexOf(TFDT);
  if (at < 0) throw new Error('A fragment without tfdt');
  return Number(fragment.readBigUInt64BE(at + 8));
}

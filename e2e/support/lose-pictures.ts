import { readFile, writeFile } from 'node:fs/promises';

const PACKET_SIZE = 188;

/**
 * Removes the last picture but one before each key frame from a recording, like a camera that had no time for it. The
 * continuity counters are adjusted, so that they do not reveal the loss.
 */
export async function losePictures(path: string): Promise<void> {
  const bytes = await readFile(path);
  const packets = Array.from({ length: bytes.length / PACKET_SIZE }, (_, i) =>
    bytes.subarray(i * PACKET_SIZE, (i + 1) * PACKET_SIZE),
  );
  // The first packet of a key frame has the random_access_indicator, and belongs to the video.
  const videoPid = pidOf(packets.find(isKeyFrame)!);
  const pictures: Buffer[][] = [];
  for (const packet of packets.filter((one) => pidOf(one) === videoPid)) {
    if (beginsUnit(packet)) pictures.push([]);
    // A packet with only a clock reference may come before the first picture.
    pictures.at(-1)?.push(packet);
  }
  const lost = new Set(pictures.filter((_, i) => i > 0 && isKeyFrame(pictures[i + 2]?.[0])).flat());
  const retained = packets.filter((packet) => !lost.has(packet));
  let counter = 0;
  for (const packet of retained) {
    if (pidOf(packet) !== videoPid || (packet[3]! & 0x10) === 0) continue;
    packet[3] = (packet[3]! & 0xf0) | (counter & 0x0f);
    counter += 1;
  }
  await writeFile(path, Buffer.concat(retained));
}

const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff;
const beginsUnit = (packet: Buffer): boolean => (packet[1]! & 0x40) !== 0;
const isKeyFrame = (packet: Buffer | undefined): boolean =>
  packet !== undefined &&
  beginsUnit(packet) &&
  (packet[3]! & 0x20) !== 0 &&
  packet[4]! > 0 &&
  (packet[5]! & 0x40) !== 0;

import type { Storage, StoredFile } from '../../base/storage/storage.ts';

/** Number of bytes at the beginning of a video that are expected to contain its first picture. */
const BEGINNING_BYTES = 16 * 1024 * 1024;
/** Maximum size of the tables (`moov`); those of a video of many hours fit. */
const TABLES_MAX_BYTES = 16 * 1024 * 1024;
const BOX_HEADER = 8;

/** Returns the bytes of a video that hold its first picture, in an order that a decoder can read from a pipe. */
export async function firstVideoBytes(storage: Storage, key: string, content: 'mp4' | 'ts'): Promise<Buffer> {
  const file = await storage.open(key);
  try {
    const beginning = await readAt(file, 0, BEGINNING_BYTES);
    return content === 'ts' ? beginning : await moveMoovFirst(file, beginning);
  } finally {
    await file.close();
  }
}

/**
 * Moves the box `moov` (ISO/IEC 14496-12) to the front. Cameras write it last, but a decoder that reads from a pipe
 * needs it first.
 */
async function moveMoovFirst(file: StoredFile, beginning: Buffer): Promise<Buffer> {
  const boxes = await topBoxes(file);
  const tables = boxes.find(({ type }) => type === 'moov');
  const media = boxes.find(({ type }) => type === 'mdat');
  if (!tables || !media || tables.start < media.start || tables.sizeBytes > TABLES_MAX_BYTES) return beginning;
  const moov = await readAt(file, tables.start, tables.sizeBytes);
  shiftOffsets(moov, tables.sizeBytes);
  return Buffer.concat([beginning.subarray(0, media.start), moov, beginning.subarray(media.start)]);
}

type Box = { type: string; start: number; sizeBytes: number };

async function topBoxes(file: StoredFile): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let start = 0; start + BOX_HEADER <= file.sizeBytes && boxes.length < 64; ) {
    const header = await readAt(file, start, 16);
    if (header.byteLength < BOX_HEADER) break;
    const short = header.readUInt32BE(0);
    // A size of 1 means that the 64-bit length follows the type; 0 means that the box extends to the end of the file.
    const long = short === 1 && header.byteLength === 16 ? Number(header.readBigUInt64BE(8)) : short;
    const sizeBytes = short === 0 ? file.sizeBytes - start : long;
    if (sizeBytes < BOX_HEADER) break;
    boxes.push({ type: header.toString('latin1', 4, 8), start, sizeBytes });
    start += sizeBytes;
  }
  return boxes;
}

/**
 * Adjusts all chunk offsets to the media's new position, which is further back by the size of the tables inserted
 * before it.
 */
function shiftOffsets(box: Buffer, shift: number, from = BOX_HEADER, to = box.byteLength, depth = 0): void {
  const containers = new Set(['trak', 'mdia', 'minf', 'stbl']);
  for (let at = from; at + BOX_HEADER <= to && depth < 8; ) {
    const sizeBytes = box.readUInt32BE(at);
    const type = box.toString('latin1', at + 4, at + 8);
    const end = at + sizeBytes;
    if (sizeBytes < BOX_HEADER || end > to) return;
    if (containers.has(type)) shiftOffsets(box, shift, at + BOX_HEADER, end, depth + 1);
    if (type === 'stco') {
      for (let entry = at + 16; entry + 4 <= end; entry += 4) {
        box.writeUInt32BE((box.readUInt32BE(entry) + shift) >>> 0, entry);
      }
    }
    if (type === 'co64') {
      for (let entry = at + 16; entry + 8 <= end; entry += 8) {
        box.writeBigUInt64BE(BigInt.asUintN(64, box.readBigUInt64BE(entry) + BigInt(shift)), entry);
      }
    }
    at = end;
  }
}

async function readAt(file: StoredFile, start: number, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(sizeBytes, file.sizeBytes - start)));
  const filled = await file.read(bytes, start);
  return bytes.subarray(0, filled);
}

/** An element of Matroska: its id in hex digits, and its length in eight bytes. */
function element(id: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(body.length, 4);
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

type Frame = { ms: number; bytes: Uint8Array; isGroup?: boolean; isLaced?: boolean };

/** A track of metadata, which ffmpeg does not write. */
export type AddedFrames = { number: number; type: number; codec: string; frames: readonly Frame[] };

/**
 * A Matroska file as ffmpeg writes it, with more tracks: their frames are in clusters of their own before its clusters, and
 * the segment has no length, as that of a live recording.
 */
export function withFrames(file: Buffer, tracks: readonly AddedFrames[]): Buffer {
  const [head, segment] = childrenOf(file, 0, file.length);
  const parts = childrenOf(file, segment!.bodyAt, segment!.end);
  const raw = (id: string) => parts.filter((part) => part.id === id).map(({ at, end }) => file.subarray(at, end));
  const known = parts.find(({ id }) => id === '1654ae6b')!;
  const entries = tracks.map(({ number, type, codec }) =>
    element(
      'ae',
      element('d7', Buffer.of(number)),
      element('73c5', Buffer.of(number)),
      element('83', Buffer.of(type)),
      element('86', Buffer.from(codec)),
    ),
  );
  const clusters = tracks.flatMap(({ number, frames }) => frames.map((frame) => clusterOf(number, frame)));
  return Buffer.concat([
    file.subarray(head!.at, head!.end),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    ...raw('1549a966'),
    element('1654ae6b', file.subarray(known.bodyAt, known.end), ...entries),
    ...clusters,
    ...raw('1f43b675'),
  ]);
}

/** Each frame half a second after the time of its cluster. */
function clusterOf(number: number, { ms, bytes, isGroup = false, isLaced = false }: Frame): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(ms + 500);
  const head = Buffer.of(0x80 | number, 0, 0, isLaced ? 0x04 : 0);
  head.writeInt16BE(-500, 1);
  const block = isGroup ? element('a0', element('a1', head, bytes)) : element('a3', head, bytes);
  return element('1f43b675', element('e7', time), block);
}

function childrenOf(file: Buffer, start: number, end: number) {
  const found: { id: string; at: number; bodyAt: number; end: number }[] = [];
  for (let at = start; at < end; ) {
    const idLength = Math.clz32(file[at]!) - 23;
    const sizeLength = Math.clz32(file[at + idLength]!) - 23;
    const bodyAt = at + idLength + sizeLength;
    let size = file[at + idLength]! & (0xff >> sizeLength);
    for (let k = 1; k < sizeLength; k += 1) size = size * 256 + file[at + idLength + k]!;
    found.push({ id: file.toString('hex', at, at + idLength), at, bodyAt, end: bodyAt + size });
    at = bodyAt + size;
  }
  return found;
}

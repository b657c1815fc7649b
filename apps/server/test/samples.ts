import { execFileSync } from 'node:child_process';
import { eachNalUnit } from '@osprey/mpegts';

/** A sample of a track, in coding order: its PTS in seconds, and its bytes as hexadecimal digits, one text for each NAL unit. */
export type Sample = { seconds: number; units: string[] };

/** Parameter sets and delimiters of H.264, which a container keeps apart and a transport stream repeats. */
const BESIDE_PICTURES = [7, 8, 9];

/**
 * Samples of the first track of pictures (H.264) or sound (AAC), with the bytes that lie in the file: ffmpeg only finds
 * them, and changes none.
 */
export function samplesOf(path: string, kind: 'v' | 'a', ...options: string[]): Sample[] {
  const input = ['-v', 'error', ...options, '-i', path];
  const asked = ['-select_streams', `${kind}:0`, '-show_entries', 'packet=pts_time,size', '-of', 'json'];
  const { packets } = JSON.parse(execFileSync('ffprobe', [...input, ...asked], LARGE).toString()) as {
    packets: { pts_time: string; size: string }[];
  };
  const bytes = execFileSync('ffmpeg', [...input, '-map', `0:${kind}:0`, '-c', 'copy', '-f', 'data', '-'], LARGE);
  let end = 0;
  const samples = packets.map(({ pts_time, size }) => {
    const start = end;
    end += Number(size);
    const sample = bytes.subarray(start, end);
    return { seconds: Number(pts_time), units: unitsOf(sample, kind, path.endsWith('.ts')) };
  });
  if (end !== bytes.length) throw new Error(`${end} bytes of samples are listed and ${bytes.length} were read`);
  return samples;
}

const LARGE = { maxBuffer: 1 << 28 };

function unitsOf(sample: Buffer, kind: 'v' | 'a', isStream: boolean): string[] {
  if (kind === 'a') {
    // An ADTS header has 7 bytes, and 9 with a checksum (ISO/IEC 13818-7 6.2).
    return [sample.subarray(!isStream ? 0 : (sample[1]! & 1) === 1 ? 7 : 9).toString('hex')];
  }
  const units: Buffer[] = [];
  if (isStream) eachNalUnit(sample, 0, sample.length, (start, end) => units.push(sample.subarray(start, end)));
  else {
    for (let at = 0; at < sample.length; at += 4 + sample.readUInt32BE(at)) {
      units.push(sample.subarray(at + 4, at + 4 + sample.readUInt32BE(at)));
    }
  }
  return units.filter((unit) => !BESIDE_PICTURES.includes(unit[0]! & 0x1f)).map((unit) => unit.toString('hex'));
}

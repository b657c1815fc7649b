import { type Classification, timeStamp } from '@osprey/contract';

type Named = { label: Classification; mission: string; sensor: string; inUs: number; outUs: number };

/** Name of a clip, such as osprey_SECRET_Kea_EO-IR_20260601-090010_20s. It has the label, so that a copy shows it. */
export function clipName({ label, mission, sensor, inUs, outUs }: Named): string {
  const seconds = Math.max(1, Math.round((outUs - inUs) / 1e6));
  return ['osprey', label.replace(' ', '-'), plain(mission), plain(sensor), timeStamp(inUs), `${seconds}s`].join('_');
}

/** UTC microseconds as ISO 8601. */
export const iso = (us: number): string => new Date(us / 1000).toISOString();

/** Names the folder of one mission's clips in a zip of several missions. */
export const folderName = ({ label, mission }: Pick<Named, 'label' | 'mission'>): string =>
  ['osprey', label.replace(' ', '-'), plain(mission)].join('_');

/** Returns the name of a zip with clips of several missions; `label` is the highest of their labels. */
export const severalName = ({ label, clips, nowUs }: { label: Classification; clips: number; nowUs: number }): string =>
  ['osprey', label.replace(' ', '-'), `${clips}-clips`, timeStamp(nowUs)].join('_');

/** Converts a text to a part of a name that every file system accepts. */
const plain = (text: string): string =>
  Array.from(
    text
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}.-]+/gu, '-')
      .replace(/^[.-]+|[.-]+$/g, ''),
  )
    .slice(0, 40)
    .join('') || 'x';

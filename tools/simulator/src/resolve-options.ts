import {
  classifications,
  OptionError,
  type ResolvedOptions,
  type SimulationOptions,
  spectra,
  type TrackName,
  tracks,
} from './options.ts';
import { circle, type PlanePoint } from './track.ts';

/** A place off the north-west coast of Kea. */
const DEFAULT_ORIGIN = [24.295, 37.672] as const;

const SHAPES: Record<TrackName, readonly PlanePoint[]> = {
  orbit: circle(700, 0, 2000, 1800),
  racetrack: [
    [-2600, 2400],
    [0, 2900],
    [2600, 2400],
    [3300, 1700],
    [2400, 1100],
    [0, 1000],
    [-2400, 1100],
    [-3300, 1700],
  ],
  eight: Array.from({ length: 24 }, (_, index): PlanePoint => {
    const angle = (index / 24) * 2 * Math.PI;
    return [3000 * Math.sin(angle), 1500 + 1200 * Math.sin(2 * angle)];
  }),
};

type Numeric = { min: number; max: number; integer?: boolean };

/** Fills in defaults. @throws OptionError for the first option outside its range */
export function resolveOptions(options: SimulationOptions): ResolvedOptions {
  const { number, word, text } = readers(options);
  const fps = number('fps', 25, { min: 1, max: 60 });
  const width = number('width', 640, { min: 320, max: 3840, integer: true });
  const height = number('height', 360, { min: 180, max: 2160, integer: true });
  if (width % 2 !== 0) throw new OptionError('width', width, 'even');
  if (height % 2 !== 0) throw new OptionError('height', height, 'even');
  const sensor = number('sensor', 1, { min: 1, max: 8, integer: true });
  const seconds = number('seconds', 60, { min: 1 / fps, max: 86_400 });
  const spectrum = word('spectrum', sensor % 2 === 1 ? 'EO' : 'IR', spectra);
  // Each further pair of sensors has a field of view 1.5 times as wide; the IR camera of a pair has a wider view than
  // the EO camera.
  const fovDeg = Math.min(40, (spectrum === 'EO' ? 12 : 17) * 1.5 ** Math.floor((sensor - 1) / 2));
  return {
    seconds,
    startUs: number('startUs', Date.UTC(2026, 5, 1, 9) * 1000, { min: 0, max: LATEST_US, integer: true }),
    seed: number('seed', 1, { min: 0, max: 2 ** 31, integer: true }),
    width,
    height,
    fps,
    gop: number('gop', Math.max(1, Math.round(fps * 2)), { min: 1, max: 600, integer: true }),
    bFrames: number('bFrames', 0, { min: 0, max: 3, integer: true }),
    kbps: number('kbps', Math.round(((width * height * fps) / 1000) * 0.28 + 200), { min: 50, max: 100_000 }),
    sensor,
    spectrum,
    fovDeg: number('fovDeg', fovDeg, { min: 0.5, max: 60 }),
    origin: toOrigin(options.origin ?? DEFAULT_ORIGIN, 'origin'),
    course: courseOf(options.track ?? 'orbit'),
    altitudeM: number('altitudeM', 1400, { min: 100, max: 18_000 }),
    speedMps: number('speedMps', 52, { min: 1, max: 200 }),
    ships: number('ships', 6, { min: 0, max: 24, integer: true }),
    classification: word('classification', 'UNCLASSIFIED', classifications),
    mission: text('mission', 'KEA PATROL'),
    platform: text('platform', 'OSP-21'),
    klv: word('klv', 'async', ['sync', 'async']),
    klvRate: options.klvRate === 'frame' ? 'frame' : number('klvRate', 10, { min: 0.1, max: 60 }),
    footprint: word('footprint', 'corners', ['corners', 'offsets', 'angles']),
    overlay: options.overlay ?? true,
    // The program clock is half a second earlier than the PTS and must not begin below zero.
    firstPtsTicks: number('firstPtsTicks', 126_000, { min: 90_000, max: 2 ** 33 - 1, integer: true }),
    frames: Math.max(1, Math.round(seconds * fps)),
  };
}

/** The year 2100, far below the maximum of the time code. */
const LATEST_US = Date.UTC(2100, 0, 1) * 1000;

/** Returns readers for single options, each with a default and the allowed values. */
function readers(options: SimulationOptions) {
  type Name = keyof SimulationOptions;
  return {
    number(name: Name, fallback: number, { min, max, integer = false }: Numeric): number {
      const value = options[name] ?? fallback;
      if (typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value)))
        return value;
      throw new OptionError(name, value, `a ${integer ? 'whole ' : ''}number from ${min} to ${max}`);
    },
    word<Word extends string>(name: Name, fallback: Word, words: readonly Word[]): Word {
      const value = options[name] ?? fallback;
      const found = words.find((known) => known === value);
      if (found !== undefined) return found;
      throw new OptionError(name, value, `one of ${words.join(', ')}`);
    },
    text(name: 'mission' | 'platform', fallback: string): string {
      const value = options[name] ?? fallback;
      if (/^[\x20-\x7e]{1,64}$/.test(value)) return value;
      throw new OptionError(name, value, '1 to 64 printable ASCII characters');
    },
  };
}

function toOrigin([lon, lat]: readonly [number, number], option: 'origin' | 'track'): { lon: number; lat: number } {
  if (Math.abs(lon) <= 180 && Math.abs(lat) <= 80) return { lon, lat };
  throw new OptionError(option, `${lon},${lat}`, 'a longitude within 180 and a latitude within 80 degrees');
}

function courseOf(track: NonNullable<SimulationOptions['track']>): ResolvedOptions['course'] {
  if (typeof track === 'string') {
    const shape = tracks.find((known) => known === track);
    if (shape) return { plane: SHAPES[shape] };
    throw new OptionError('track', track, `one of ${tracks.join(', ')}, or at least 3 places`);
  }
  if (track.length < 3) throw new OptionError('track', `${track.length} places`, 'at least 3 places');
  for (const place of track) toOrigin(place, 'track');
  return { places: track };
}

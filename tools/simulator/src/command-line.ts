import { parseArgs } from 'node:util';
import type { TrafficSettings } from './ais/options.ts';
import { isAddress } from './ais/traffic-output.ts';
import type { OptionError, SimulationOptions } from './options.ts';

/** Target of the traffic, and its settings in addition to the options of the flight. */
export type AisCommand = { to: string; settings: Pick<TrafficSettings, 'lanes' | 'noiseM' | 'sart' | 'source'> };

type Flight = {
  options: SimulationOptions;
  sensors: number;
  ffmpeg: string | undefined;
  ais: AisCommand | undefined;
};

/** The parsed command. */
export type Command =
  | { kind: 'help' }
  | ({ kind: 'simulate'; out: string } & Flight)
  | ({ kind: 'live'; url: string } & Flight)
  /** Traffic without a flight. */
  | { kind: 'ais'; options: SimulationOptions; ais: AisCommand };

/** Thrown for a command line that cannot be executed; the message names the option. */
export class CommandError extends Error {
  override name = 'CommandError';
}

type Flag = {
  /** Option that the flag sets; absent for flags of the command itself. */
  option?: keyof SimulationOptions;
  /** Notation of the value in the help text. */
  value: string;
  help: string;
  read(text: string): unknown;
};

const word = (text: string): string => text;

const FLAGS: Record<string, Flag> = {
  seconds: { option: 'seconds', value: 'S', help: 'length (60)', read: number },
  start: {
    option: 'startUs',
    value: 'TIME',
    help: 'first frame, ISO 8601 with zone (2026-06-01T09:00:00Z)',
    read: micros,
  },
  seed: { option: 'seed', value: 'N', help: 'where ships and aircraft begin, and the wind (1)', read: number },
  fps: { option: 'fps', value: 'N', help: 'frames a second, 1 to 60 (25)', read: number },
  gop: { option: 'gop', value: 'N', help: 'frames from keyframe to keyframe (two seconds)', read: number },
  'b-frames': { option: 'bFrames', value: 'N', help: 'consecutive B-frames, 0 to 3 (0)', read: number },
  kbps: { option: 'kbps', value: 'N', help: 'highest video rate in kbit/s (by size and rate)', read: number },
  spectrum: { option: 'spectrum', value: 'EO|IR', help: 'colour look, for one sensor (EO)', read: word },
  fov: {
    option: 'fovDeg',
    value: 'DEG',
    help: 'widest horizontal field of view, 0.5 to 60 (EO 12, IR 17)',
    read: number,
  },
  track: {
    option: 'track',
    value: 'SHAPE',
    help: 'orbit, racetrack, eight, or places "LAT,LON LAT,LON LAT,LON" (orbit)',
    read: (text) => (text.includes(',') ? text.trim().split(/\s+/).map(place) : word(text)),
  },
  origin: { option: 'origin', value: 'LAT,LON', help: 'middle of the scene (37.672,24.295, off Kea)', read: place },
  altitude: { option: 'altitudeM', value: 'M', help: 'metres above the sea (1400)', read: number },
  speed: { option: 'speedMps', value: 'M/S', help: 'metres a second over ground (52)', read: number },
  ships: { option: 'ships', value: 'N', help: '0 to 24 (6)', read: number },
  classification: {
    option: 'classification',
    value: 'LABEL',
    help: 'in picture and metadata (UNCLASSIFIED)',
    read: word,
  },
  mission: { option: 'mission', value: 'TEXT', help: 'mission id, tag 3 (KEA PATROL)', read: word },
  platform: { option: 'platform', value: 'TEXT', help: 'platform designation, tag 10 (OSP-21)', read: word },
  klv: { option: 'klv', value: 'sync|async', help: 'how metadata are carried (async)', read: word },
  'klv-rate': {
    option: 'klvRate',
    value: 'HZ|frame',
    help: 'metadata packets a second, or one a frame (10)',
    read: (text) => (text === 'frame' ? text : number(text)),
  },
  footprint: { option: 'footprint', value: 'HOW', help: 'corners, offsets or angles (corners)', read: word },
  'first-pts': {
    option: 'firstPtsTicks',
    value: 'TICKS',
    help: 'PTS of the first frame, 90 kHz (126000)',
    read: number,
  },
};

/** Traffic flags other than --ais itself, with the setting that each one gives. */
const AIS_FLAGS: Record<
  string,
  { setting: keyof AisCommand['settings']; value: string; help: string; read: typeof word | typeof number }
> = {
  'ais-ships': {
    setting: 'lanes',
    value: 'N',
    help: 'ships on the lanes around the flight, 0 to 5000 (60)',
    read: number,
  },
  'ais-noise': {
    setting: 'noiseM',
    value: 'M',
    help: 'standard deviation of positions, 0 to 1000 m (4)',
    read: number,
  },
  'ais-source': {
    setting: 'source',
    value: 'NAME',
    help: 'source and time in a tag block (file: sim; else none)',
    read: word,
  },
};

const HELP = `Simulates the flight of a camera aircraft into MPEG transport streams with ST 0601 metadata.

  npm run simulate -- --out flight.ts [options]
  npm run simulate -- --live udp://127.0.0.1:5000 [options]
  npm run simulate -- --ais udp://127.0.0.1:10110 [options]

  --live ADDRESS         fly now and send it, until Ctrl-C or for --seconds: udp://HOST:PORT, rtp://HOST:PORT,
                         srt://HOST:PORT?mode=caller&passphrase=..., rtmp://HOST/APP/KEY (without metadata);
                         further sensors go to the next ports; the time code is the clock of this machine
  --ais TO               traffic of ships as AIS, alone or together with --live and --out: udp://HOST:PORT,
                         tcp://HOST:PORT (calls), tcp://HOST:PORT?mode=listener, or a file; the ships of the flight
                         are among them, with --origin, --seed and --ships as given
  --ais-sart             a search and rescue transmitter is active
  --out FILE             where to write; several sensors write FILE-EO.ts, FILE-IR.ts, ... (flight.ts)
  --sensors N            recordings of one flight, sharing its clock, 1 to 8 (1)
  --size WxH             picture, even numbers (640x360)
  --no-overlay           leave out burnt-in text, crosshair and grid; the code for machines stays
  --ffmpeg PATH          the encoder (ffmpeg)
  --help                 this text
`;

/** Returns the text of --help. */
export function helpText(): string {
  const lines = [...Object.entries(FLAGS), ...Object.entries(AIS_FLAGS)].map(
    ([name, { value, help }]) => `  ${`--${name} ${value}`.padEnd(22)} ${help}`,
  );
  return `${HELP}${lines.join('\n')}\n`;
}

/**
 * Options that are not possible for a live flight, since they need a different clock, or pictures that wait for later
 * ones.
 */
const NOT_LIVE = ['out', 'start', 'b-frames'];

/** Reads the arguments after the command. @throws CommandError with a message that names the fault */
export function readCommand(args: readonly string[]): Command {
  const values = parsed(args);
  if (values.help) return { kind: 'help' };
  const options: Record<string, unknown> = {};
  for (const [name, { option, read }] of Object.entries(FLAGS)) {
    const text = values[name];
    if (option && typeof text === 'string') options[option] = named(name, text, read);
  }
  if (typeof values.size === 'string') Object.assign(options, named('size', values.size, size));
  if (values['no-overlay']) options.overlay = false;
  const sensors = typeof values.sensors === 'string' ? named('sensors', values.sensors, number) : 1;
  if (sensors !== 1 && options.spectrum !== undefined) {
    throw new CommandError('--spectrum goes with one sensor: of several, the first is EO, the second IR, and so on');
  }
  if (!Number.isInteger(sensors) || sensors < 1 || sensors > 8) {
    throw new CommandError(`--sensors is ${values.sensors}: it must be a whole number from 1 to 8`);
  }
  const ffmpeg = typeof values.ffmpeg === 'string' ? values.ffmpeg : undefined;
  const ais = aisOf(values);
  if (typeof values.live === 'string') {
    for (const name of NOT_LIVE) {
      if (values[name] !== undefined) throw new CommandError(`--${name} does not go with --live`);
    }
    return { kind: 'live', options, sensors, url: values.live, ffmpeg, ais };
  }
  if (ais !== undefined && isAddress(ais.to)) {
    for (const name of ['out', 'start']) {
      if (values[name] !== undefined) throw new CommandError(`--${name} goes with --ais to a file`);
    }
  }
  if (ais !== undefined && values.out === undefined) return { kind: 'ais', options, ais };
  const out = typeof values.out === 'string' ? values.out : 'flight.ts';
  return { kind: 'simulate', options, sensors, out, ffmpeg, ais };
}

function aisOf(values: ReturnType<typeof parsed>): AisCommand | undefined {
  const settings: Record<string, unknown> = values['ais-sart'] ? { sart: true } : {};
  for (const [name, { setting, read }] of Object.entries(AIS_FLAGS)) {
    const text = values[name];
    if (typeof text === 'string') settings[setting] = named<unknown>(name, text, read);
  }
  if (typeof values.ais === 'string') return { to: values.ais, settings };
  if (Object.keys(settings).length > 0) throw new CommandError('--ais-… goes with --ais, which says where to');
  return undefined;
}

/** Returns the message of an option error in terms of command-line flags. */
export function inFlags(error: OptionError): string {
  const isSize = error.option === 'width' || error.option === 'height';
  const flag = Object.entries(FLAGS).find(([, { option }]) => option === error.option)?.[0];
  return isSize ? `--size: ${error.message}` : `--${flag ?? error.option} ${error.reason}`;
}

function parsed(args: readonly string[]): Record<string, string | boolean | undefined> {
  const text = { type: 'string' } as const;
  const names = [...Object.keys(FLAGS), ...Object.keys(AIS_FLAGS), 'ais', 'out', 'live', 'sensors', 'size', 'ffmpeg'];
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(names.map((name) => [name, text])),
        help: { type: 'boolean' },
        'no-overlay': { type: 'boolean' },
        'ais-sart': { type: 'boolean' },
      },
    });
    return values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}. --help lists all options`);
  }
}

function named<Value>(name: string, text: string, read: (text: string) => Value): Value {
  try {
    return read(text);
  } catch (error) {
    throw new CommandError(
      `--${name} is ${text}: it must be ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function number(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value)) throw new Error('a number');
  return value;
}

function micros(text: string): number {
  const milliseconds = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new Error('a time with its zone, as 2026-06-01T09:00:00Z');
  return milliseconds * 1000;
}

function place(text: string): [lon: number, lat: number] {
  const [lat, lon, ...more] = text.split(',').map(number);
  if (lat === undefined || lon === undefined || more.length > 0) throw new Error('LAT,LON in degrees');
  return [lon, lat];
}

function size(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (!width || !height) throw new Error('WIDTHxHEIGHT, as 1280x720');
  return { width: Number(width), height: Number(height) };
}

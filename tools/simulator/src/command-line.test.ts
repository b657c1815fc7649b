import { describe, expect, it } from 'vitest';
import { helpText, inFlags, readCommand } from './command-line.ts';
import { OptionError, type SimulationOptions } from './options.ts';
import { resolveOptions } from './resolve-options.ts';

const read = (line: string) => readCommand(line === '' ? [] : line.split(' '));

describe('the command line', () => {
  it('simulates one sensor to flight.ts when nothing is said', () => {
    expect(read('')).toEqual({ kind: 'simulate', options: {}, sensors: 1, out: 'flight.ts', ffmpeg: undefined });
  });

  it('reads every kind of value', () => {
    const line =
      '--seconds 5 --start 2026-01-02T03:04:05Z --size 1280x720 --origin 10.5,-20 --klv-rate frame --no-overlay';

    expect(read(`${line} --sensors 2 --out /tmp/a.ts --klv sync --b-frames=2`)).toMatchObject({
      sensors: 2,
      out: '/tmp/a.ts',
      options: {
        seconds: 5,
        startUs: Date.UTC(2026, 0, 2, 3, 4, 5) * 1000,
        width: 1280,
        height: 720,
        origin: [-20, 10.5],
        klvRate: 'frame',
        overlay: false,
        klv: 'sync',
        bFrames: 2,
      },
    });
    expect(readCommand(['--track', '1,2 3,4 5,6'])).toMatchObject({
      options: {
        track: [
          [2, 1],
          [4, 3],
          [6, 5],
        ],
      },
    });
  });

  it('sends traffic alone, with a live flight, or writes that of a recorded one', () => {
    const to = 'udp://127.0.0.1:10110';
    expect(read(`--ais ${to} --ais-ships 200 --ais-sart --seed 4`)).toEqual({
      kind: 'ais',
      options: { seed: 4 },
      ais: { to, settings: { lanes: 200, sart: true } },
    });
    expect(read(`--ais ${to} --live udp://127.0.0.1:5000`)).toMatchObject({ kind: 'live', ais: { to, settings: {} } });
    expect(read('--ais a.nmea --out a.ts --start 2026-01-02T03:04:05Z')).toMatchObject({
      kind: 'simulate',
      ais: { to: 'a.nmea', settings: {} },
    });
  });

  it.each([
    ['--ais-ships 5', '--ais-… goes with --ais'],
    ['--ais udp://127.0.0.1:1 --out a.ts', '--out goes with --ais to a file'],
    ['--ais udp://127.0.0.1:1 --ais-ships x', '--ais-ships is x: it must be a number'],
    ['--fps x', '--fps is x: it must be a number'],
    ['--size 1280', '--size is 1280: it must be WIDTHxHEIGHT, as 1280x720'],
    ['--start yesterday', '--start is yesterday: it must be a time with its zone'],
    ['--start 2026-01-01T00:00:00', 'it must be a time with its zone'],
    ['--origin 5', '--origin is 5: it must be LAT,LON in degrees'],
    ['--sensors 9', '--sensors is 9: it must be a whole number from 1 to 8'],
    ['--sensors 2 --spectrum IR', '--spectrum goes with one sensor'],
    ['--bogus 1', "Unknown option '--bogus'"],
  ])('refuses %s by name', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it.each<[SimulationOptions, string]>([
    [{ fps: 99 }, '--fps is 99: it must be a number from 1 to 60'],
    [{ seconds: 0 }, '--seconds is 0: it must be a number from'],
    [{ width: 641 }, '--size: width is 641: it must be even'],
    [{ bFrames: 1.5 }, '--b-frames is 1.5: it must be a whole number from 0 to 3'],
    [{ klv: 'both' as 'sync' }, '--klv is both: it must be one of sync, async'],
    [{ track: 'loop' as 'orbit' }, '--track is loop: it must be one of orbit, racetrack, eight, or at least 3 places'],
    [{ track: [[1, 2]] }, '--track is 1 places: it must be at least 3 places'],
    [{ origin: [0, 85] }, '--origin is 0,85: it must be a longitude within 180 and a latitude within 80 degrees'],
    [{ mission: '' }, '--mission is : it must be 1 to 64 printable ASCII characters'],
    [{ seed: Number.NaN }, '--seed is NaN: it must be a whole number from 0'],
  ])('names the flag of an option out of range: %o', (options, message) => {
    let reported = '';
    try {
      resolveOptions(options);
    } catch (error) {
      reported = error instanceof OptionError ? inFlags(error) : String(error);
    }

    expect(reported).toContain(message);
  });

  it('lists in its help every option that it reads', () => {
    const { resolved } = { resolved: Object.keys(resolveOptions({})) };

    expect(read('--help')).toEqual({ kind: 'help' });
    expect(helpText().match(/^ {2}--[a-z-]+/gm)!.length).toBeGreaterThanOrEqual(resolved.length - 3);
  });
});

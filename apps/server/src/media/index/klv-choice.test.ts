import type { KlvPayload, Program } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { createKlvChoice, type KlvWorth } from './klv-choice.ts';
import { isShownKlv, shownKlv } from './shown-program.ts';

/** Takes packets one after the other, and gives the PIDs of those that were taken. */
function accepted(
  choice: ReturnType<typeof createKlvChoice>,
  packets: readonly (readonly [pid: number, worth: KlvWorth])[],
) {
  return packets.filter(([pid, worth], n) => choice.accepts(pid, worth, n * 3600)).map(([pid]) => pid);
}

describe('the choice of a KLV stream', () => {
  it('leaves a stream without positions for one that has them, and not the other way round', () => {
    const choice = createKlvChoice();
    choice.listed([257, 258]);

    expect(
      accepted(choice, [
        [257, 2],
        [258, 4],
        [257, 2],
        [258, 2],
        [257, 4],
      ]),
    ).toEqual([257, 258, 258]);
    expect(choice.isCertain()).toBe(true);
  });

  it('takes the stream that the tables assign to the video before one with positions', () => {
    const choice = createKlvChoice();
    choice.listed([257, 258], 258);

    expect(
      accepted(choice, [
        [257, 4],
        [258, 2],
        [257, 4],
        [258, 2],
      ]),
    ).toEqual([257, 258, 258]);
    expect(choice.chosen()).toEqual({ pid: 258, worth: 5 });
  });

  it('takes the stream that a user chose, also while it is silent', () => {
    const choice = createKlvChoice(257);
    choice.listed([257, 258], 258);
    const silent = Array.from({ length: 400 }, () => [258, 4] as const);

    expect(accepted(choice, [[257, 1], ...silent, [257, 1]])).toEqual([257, 257]);
  });
});

const stream = (pid: number, kind: 'h264' | 'klvAsync', metadataService?: number) => {
  return { pid, streamType: 6, kind, registration: null, ...(metadataService !== undefined && { metadataService }) };
};
const program = (number: number, streams: Program['streams'], fields: Partial<Program> = {}): Program => {
  return { number, pmtPid: 4096 + number, pcrPid: 256, version: 0, streams, ...fields };
};

describe('the KLV that belongs to a video', () => {
  const shown = program(1, [stream(256, 'h264'), stream(257, 'klvAsync')]);

  it('is that of its program and of programs without a video, distinguished by their clock', () => {
    const sameClock = program(2, [stream(258, 'klvAsync')]);
    const ownClock = program(3, [stream(259, 'klvAsync')], { pcrPid: 259 });
    const withVideo = program(4, [stream(300, 'h264'), stream(301, 'klvAsync')]);

    expect(shownKlv(shown, [shown, sameClock, ownClock, withVideo])).toEqual({
      pids: [257, 258, 259],
      programs: [1, 2, 3],
      companions: [2],
      strangers: [3],
      assigned: null,
    });
  });

  it.each([
    ['its service', [{ service: 7, program: null }], 258],
    ['its service and program', [{ service: 7, program: 2 }], 258],
    ['another program', [{ service: 7, program: 5 }], null],
    ['a service of several', [{ service: 1, program: null }], null],
  ])('is assigned by a metadata pointer to %s', (_what, metadataPointers, assigned) => {
    const video = program(1, [stream(256, 'h264'), stream(257, 'klvAsync', 1)], { metadataPointers });
    const beside = program(2, [stream(258, 'klvAsync', 7), stream(259, 'klvAsync', 1)]);

    expect(shownKlv(video, [video, beside]).assigned).toBe(assigned);
  });

  it('is that of another clock only next to the pictures', () => {
    const streams = shownKlv(shown, [shown, program(3, [stream(259, 'klvAsync')], { pcrPid: 259 })]);
    const last = { program: 1, ticks: 900_000, run: 2 };
    const payload = { pid: 259, programNumber: 3, ptsTicks: 900_000, run: 2 } as KlvPayload;
    const isShown = (fields: Partial<KlvPayload>) => isShownKlv({ ...payload, ...fields }, streams, last);

    expect(isShown({ ptsTicks: 1_800_000 })).toBe(true);
    expect(isShown({ ptsTicks: 1_800_001 })).toBe(false);
    expect([isShown({ run: 1 }), isShown({ ptsTicks: null }), isShown({ programNumber: 4 })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is none of another program where the shown one has no video', () => {
    const [one, other] = [program(1, [stream(257, 'klvAsync')]), program(2, [stream(258, 'klvAsync')])];

    expect(shownKlv(one, [one, other]).pids).toEqual([257]);
  });
});

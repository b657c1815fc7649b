import { describe, expect, it } from 'vitest';
import { createPictureScanner } from './picture-scanner.ts';
import { readPictureStamp } from './picture-stamp.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
/** 2023-11-14T22:13:20 Z is 00060a24181e4000 in microseconds. */
const TIME_US = 1_700_000_000_000_000;
const H264 = Buffer.from('MISPmicrosectime').toString('hex');
const H265 = 'a8687dd4d7593758a5cef0338b6545f1';
const H265_NANO = 'cf848278ee23306c9265e8fef22fb8b8';
const message = (uuid: string, status = '1f', time = '0006ff0a24ff181eff4000') => `051c${uuid}${status}${time}`;

const read = (text: string) => readPictureStamp(hex(text), 0, hex(text).length);

describe('the time stamp of a picture', () => {
  it.each([
    ['H.264', H264],
    ['H.265', H265],
  ])('of %s is read in microseconds', (_, uuid) => {
    expect(read(`${message(uuid)}80`)).toEqual({
      timeUs: TIME_US,
      isLocked: true,
      isDiscontinuous: false,
      isReversed: false,
    });
  });

  it('in nanoseconds is cut to microseconds', () => {
    const ns = (BigInt(TIME_US) * 1000n + 999n).toString(16).padStart(16, '0').match(/..../g)!.join('ff');
    expect(read(`${message(H265_NANO, '1f', ns)}80`)?.timeUs).toBe(TIME_US);
  });

  it.each([
    ['9f', false, false, false],
    ['5f', true, true, false],
    ['df', false, true, false],
    ['7f', true, true, true],
    // Without a discontinuity there is nothing that could go back.
    ['3f', true, false, false],
  ])(
    'says by its status %s whether its clock is locked, has jumped, and back',
    (status, isLocked, isDiscontinuous, isReversed) => {
      expect(read(`${message(H264, status)}80`)).toMatchObject({ isLocked, isDiscontinuous, isReversed });
    },
  );

  it('is found after other messages, and emulation prevention bytes are none of it', () => {
    const recoveryPoint = '060184';
    const other = `051c${'00'.repeat(2)}03${'11'.repeat(26)}`;
    expect(read(`${recoveryPoint}${other}${message(H264)}80`)?.timeUs).toBe(TIME_US);
  });

  it.each([
    ['of another kind', message('00112233445566778899aabbccddeeff')],
    ['cut short', message(H264).slice(0, 40)],
    ['of another length', `051b${message(H264).slice(4, -2)}`],
    ['without its filling bytes', message(H264, '1f', '0006000a2400181e004000')],
    ['that is empty', ''],
  ])('is none in a message %s', (_, text) => {
    expect(read(`${text}80`)).toBeNull();
  });

  it('is known with its picture, and not with the next one', () => {
    for (const [kind, sei, slice] of [
      ['h264', '06', '6588843fff'],
      ['h265', '4e01', '2601af0978'],
    ] as const) {
      const scanner = createPictureScanner(kind);
      const uuid = kind === 'h264' ? H264 : H265;
      const stamped = hex(`00000001${sei}${message(uuid)}80 00000001${slice}`);
      scanner.begin();
      expect(scanner.scan(stamped, 0, stamped.length, false)).toBe(true);
      expect(scanner.stamp()?.timeUs).toBe(TIME_US);
      const bare = hex(`00000001${slice}`);
      scanner.begin();
      scanner.scan(bare, 0, bare.length, true);
      expect(scanner.stamp()).toBeNull();
    }
  });
});

import { expect, it } from 'vitest';
import { hasAisSentence } from './ais-text.ts';
import { createDemuxer } from './demuxer.ts';
import { createMuxer } from './muxer.ts';

const SENTENCE = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n';
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The text that comes out of a stream with these PES packets on PID 300 next to KLV. */
function textOf(packets: readonly string[], { streamType = 0x06, cut = 1000, wants = true } = {}) {
  const parts: Uint8Array[] = [];
  const muxer = createMuxer({
    write: (bytes) => parts.push(bytes.slice()),
    streams: [
      { pid: 200, kind: 'klvAsync' },
      { pid: 300, kind: 'other', streamType },
    ],
    pcrPid: 200,
  });
  for (const [n, text] of packets.entries())
    muxer.unit({ pid: 300, ptsTicks: null, dtsTicks: n, bytes: bytesOf(text) });
  muxer.end();
  const stream = Buffer.concat(parts);
  let text = '';
  const demuxer = createDemuxer({
    ...(wants && {
      text({ pid, bytes, start, end }) {
        expect(pid).toBe(300);
        text += Buffer.from(bytes.subarray(start, end)).toString('latin1');
      },
    }),
  });
  for (let at = 0; at < stream.length; at += cut) demuxer.push(stream.subarray(at, at + cut));
  demuxer.end();
  return text;
}

it('AIS sentences on a private data PID come out as they were sent, however packets cut them', () => {
  const long = `\\s:mast,c:1732809600*5A\\${SENTENCE}`.repeat(20);
  for (const cut of [100, 188, 1000, 100_000])
    expect(textOf([SENTENCE, long, '!AIVDM,1,', '1,,B,x,0*00\r\n'], { cut })).toBe(
      `${SENTENCE}${long}!AIVDM,1,1,,B,x,0*00\r\n`,
    );
  expect(textOf([SENTENCE], { streamType: 0x15 })).toBe('');
});

it('Other text and other stream types give nothing, nor does AIS that is not asked for', () => {
  expect(textOf(['$GPGGA,1,2*00\r\n', 'hello !WORLD, there'])).toBe('');
  expect(textOf([SENTENCE], { streamType: 0x80 })).toBe('');
  expect(textOf([SENTENCE], { wants: false })).toBe('');
  // From the first sentence on.
  expect(textOf(['$GPGGA,1,2*00\r\n', SENTENCE, '$GPGGA,1,2*00\r\n'])).toBe(`${SENTENCE}$GPGGA,1,2*00\r\n`);
});

it('A sentence is known by talker and formatter', () => {
  const has = (text: string) => hasAisSentence(bytesOf(text), 0, text.length);
  for (const text of ['!AIVDM,1', '!ABVDO,1', '12:00:01 !BSVDM,2', '!x!AIVDM,1']) expect(has(text), text).toBe(true);
  for (const text of ['', '!', '!AIVDM', '!aivdm,1', '$AIVDM,1', '!AIVDX,1']) expect(has(text), text).toBe(false);
  expect(hasAisSentence(bytesOf(SENTENCE), 0, 5)).toBe(false);
});

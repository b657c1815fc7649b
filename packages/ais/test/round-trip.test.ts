import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { type AisMessage, createAisReader, encodeMessage, encodeSentences } from '../src/index.ts';

const FILES = [
  'gpsd/sample.aivdm',
  'gpsd/ais-nmea-type6-fid55.log',
  'gpsd/ais-18-27.log',
  'libais/typeexamples.nmea',
  'libais/test.aivdm',
  'dma/decode_encode_messages.txt',
  'pyais/nmea_data_sample.txt',
  'risky/exact-earth-with-tag-block.txt',
];

function readAll(text: string | Uint8Array): AisMessage[] {
  const messages: AisMessage[] = [];
  const reader = createAisReader({ onMessage: (message) => messages.push(message) });
  reader.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  reader.end();
  return messages;
}

describe('encoding', () => {
  for (const file of FILES) {
    itWithData(`${file}: every message reads the same after it was written`, () => {
      const messages = readAll(readFileSync(testData(`ais/${file}`)));
      expect(messages.length).toBeGreaterThan(20);
      for (const message of messages) {
        const lines = encodeSentences(message, { sequence: 3 });
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
        expect(readAll(`${lines.join('\r\n')}\r\n`)).toEqual([message]);
      }
    });
  }

  itWithData('position reports of a real receiver are written bit by bit as they came', () => {
    const lines = readFileSync(testData('ais/dma/decode_encode_messages.txt'), 'latin1').split('\n');
    let same = 0;
    for (const line of lines.filter((text) => /^!AIVDM,1,1,,[AB],1/.test(text))) {
      const [message] = readAll(line);
      const payload = line.split(',')[5]!;
      // Spare bits and impossible values are not kept: a payload that differs must decode to the same message.
      if (encodeMessage(message!).payload === payload) same++;
      else expect(readAll(encodeSentences(message!).join('\n'))).toEqual([message]);
    }
    expect(same).toBeGreaterThan(200);
  });

  it('tag blocks carry the source and the time, in milliseconds where they are needed', () => {
    const message: AisMessage = { type: 10, repeat: 0, mmsi: 211000001, destination: 2110001 };
    expect(encodeSentences(message, { timeUs: 1_700_000_000_000_000, source: 'west' })[0]).toMatch(
      /^\\s:west,c:1700000000\*[\dA-F]{2}\\!AIVDM,1,1,,A,/,
    );
    expect(encodeSentences(message, { timeUs: 1_700_000_000_250_000 })[0]).toContain('c:1700000000250*');
  });

  it('a value that does not fit is refused by its name', () => {
    const message: AisMessage = { type: 10, repeat: 0, mmsi: 2 ** 30, destination: 1 };
    expect(() => encodeMessage(message)).toThrow('mmsi 1073741824 does not fit into 30 bits');
    expect(() => encodeMessage({ type: 14, repeat: 0, mmsi: 1, text: 'ä' })).toThrow('text is no text');
  });
});

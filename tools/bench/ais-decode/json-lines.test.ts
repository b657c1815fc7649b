import { readFileSync } from 'node:fs';
import { type AisMessage, createAisReader, positionMessage } from '@osprey/ais';
import { expect } from 'vitest';
import { itWithData, testData } from '../../test-support/test-data.ts';
import { JsonLines } from './json-lines.ts';

itWithData('a line of the bench has the numbers of the message', () => {
  let text = '';
  const messages: AisMessage[] = [];
  const json = new JsonLines(8192, (bytes) => {
    text += Buffer.from(bytes).toString('latin1');
  });
  const reader = createAisReader({
    onMessage(message) {
      messages.push(message);
      json.message(message);
    },
    onPosition(report) {
      messages.push(positionMessage(report));
      json.position(report);
    },
  });
  reader.push(readFileSync(testData('ais/gpsd/ais-nmea-type6-fid55.log')));
  reader.end();
  json.flush();
  const lines = text.trim().split('\n');
  expect(lines).toHaveLength(messages.length);
  const close = (value: number | null) => (value === null ? null : expect.closeTo(value, 7));
  for (const [index, message] of messages.entries()) {
    const line = JSON.parse(lines[index]!);
    expect(line.mmsi).toBe(message.mmsi);
    if (message.type === 4) expect(line).toMatchObject({ timeUs: message.timeUs, lon: close(message.longitude) });
    if (message.type !== 1) continue;
    const { sog, cog, longitude, latitude, heading, turn, radio } = message;
    expect(line).toMatchObject({
      speed: sog,
      course: cog,
      lon: close(longitude),
      lat: close(latitude),
      heading,
      turn,
      radio,
    });
  }
});

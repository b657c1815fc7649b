import { expect, it } from 'vitest';
import { isAccepted } from './files.ts';

it.each(['flight.ts', 'FLIGHT.MP4', 'track.gpx', 'harbour.nmea', 'harbour.ais', 'receiver.log', 'ais.txt.gz'])(
  'takes %s, which the server reads by its content',
  (name) => expect(isAccepted({ name, type: '' })).toBe(true),
);

it.each(['report.pdf', 'setup.exe', 'README'])('takes no %s', (name) =>
  expect(isAccepted({ name, type: '' })).toBe(false),
);

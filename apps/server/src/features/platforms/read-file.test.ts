import { expect, it } from 'vitest';
import { readPlatformsFile } from './read-file.ts';

const file = (more: string) => Buffer.from(`platforms:\n  - name: K\n    sensors: []\n${more}`);
const SECOND = { errors: [expect.objectContaining({ text: 'The file holds a second document: one is taken' })] };

it.each(['---\nplatforms: []\n', '--- # nothing\n', '...\nplatforms: []\n', '...\n---\nplatforms: []\n'])(
  'a second document is refused: %j',
  (more) => {
    expect(readPlatformsFile(file(more))).toEqual(SECOND);
  },
);

it('a second document is refused also where the first is empty', () => {
  expect(readPlatformsFile(Buffer.from('---\n---\nplatforms: []\n'))).toEqual({
    errors: [{ line: 2, text: 'The file holds a second document: one is taken' }],
  });
});

it.each(['', '...\n', '# --- no document\n', '...\n# the end\n'])('one document is taken: %j', (more) => {
  expect(readPlatformsFile(file(more))).not.toEqual(SECOND);
  expect(readPlatformsFile(Buffer.concat([Buffer.from('# first\n---\n'), file(more)]))).not.toEqual(SECOND);
});

import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scenes } from './scenes.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const folder = join(docs, 'manual/pictures');

it('each picture of the manual has its scene, and each scene its picture', async () => {
  const made = ['login', ...scenes.map(({ name }) => name)];

  expect((await readdir(folder)).sort()).toEqual(made.map((name) => `${name}.png`).sort());
});

it('the picture of the README is that of the mission view', async () => {
  const [ofReadme, ofManual] = await Promise.all([
    readFile(join(docs, 'mission-view.png')),
    readFile(join(folder, 'mission.png')),
  ]);

  expect(ofReadme.equals(ofManual)).toBe(true);
});

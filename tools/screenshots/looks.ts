/// <reference lib="dom" />
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type Scene, type Stage, scenes, WIDTH } from './scenes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'dist/looks');
/** Folder of the design mock-ups, which are not part of the project. */
const MOCKUPS = resolve(process.env.OSPREY_MOCKUPS ?? join(ROOT, '../shared/design/look'));
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
] as const;
const SCHEMES = ['dark', 'light'] as const;
/**
 * Maximum number of attempts: responsive parts and map tiles need several rounds of drawing after the size or the
 * colour scheme has changed.
 */
const MAX_ROUNDS = 12;

/** Pages that have no picture in the manual, by address. */
const ADDRESSES: readonly [name: string, address: string][] = [
  ['map-at-a-time', '/map'],
  ['find-empty', '/find'],
  ['cases-list', '/cases'],
  ['storage-bin', '/storage'],
  ['storage-watched-folders', '/storage?tab=folders'],
  ['platform-info', '/platforminfo'],
  ['supervisor', '/stsupervisor'],
  ['about', '/about'],
  ['help', '/help/'],
  ['not-found', '/nowhere'],
];

/** Numbers of the mock-ups with which a scene is compared. */
const MOCKUP_OF: Readonly<Record<string, readonly string[]>> = {
  mission: ['01', '02', '11'],
  missions: ['03'],
  'new-mission': ['04'],
  live: ['05', '12'],
  documents: ['06'],
  admin: ['07'],
  users: ['08'],
  'klv-health': ['09'],
  login: ['10'],
  annotations: ['15'],
  ships: ['16'],
};

export type Looks = { take: (name: string, page: Page) => Promise<void>; finish: () => Promise<void> };

/** All scenes, followed by all other addresses. */
export const lookScenes: readonly Scene[] = [
  ...scenes,
  ...ADDRESSES.map(([name, address]) => ({
    name,
    async show({ page }: Stage) {
      await page.goto(address);
      await page.locator('h1, h2, main, nav').first().waitFor();
      return null;
    },
  })),
];

/**
 * Replaces the folder dist/looks: each screen in three sizes and both colour schemes, and an index that shows them next
 * to the mock-ups.
 */
export async function openLooks(): Promise<Looks> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const mockups = (await readdir(MOCKUPS).catch(() => [])).filter((name) => name.endsWith('.png'));
  await Promise.all(mockups.map((name) => copyFile(join(MOCKUPS, name), join(FOLDER, `mockup-${name}`))));
  const rows: string[] = [];
  return {
    async take(name, page) {
      const pictures: string[] = [];
      for (const { width, height } of SIZES) {
        for (const scheme of SCHEMES) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
          const file = `${name}-${width}x${height}-${scheme}.png`;
          await writeFile(join(FOLDER, file), await restingPicture(page));
          pictures.push(file);
        }
      }
      await page.setViewportSize({ width: WIDTH, height: 800 });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const beside = mockups.filter((mockup) => MOCKUP_OF[name]?.some((number) => mockup.startsWith(number)));
      rows.push(rowOf(name, pictures, beside));
      process.stdout.write(`${name}: ${pictures.length} pictures\n`);
    },
    async finish() {
      const style = 'body{font:14px sans-serif;background:#888}img{width:440px;vertical-align:top;margin:4px}';
      const page = `<!doctype html><meta charset="utf-8"><title>Looks</title><style>${style}</style>${rows.join('')}`;
      await writeFile(join(FOLDER, 'index.html'), page);
      process.stdout.write(`${join(FOLDER, 'index.html')}\n`);
    },
  };
}

/**
 * Takes pictures until two consecutive ones are equal, and returns the last; if the page keeps changing, returns the
 * last one taken.
 */
async function restingPicture(page: Page): Promise<Buffer> {
  let before = await picture(page);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const now = await picture(page);
    if (now.equals(before)) break;
    before = now;
  }
  return before;
}

const picture = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide' });

function rowOf(name: string, pictures: readonly string[], mockups: readonly string[]): string {
  const images = [...pictures, ...mockups.map((mockup) => `mockup-${mockup}`)].map(
    (file) => `<a href="${file}"><img src="${file}" alt="${basename(file, '.png')}" loading="lazy"></a>`,
  );
  return `<h2>${name}</h2>${images.join('')}`;
}

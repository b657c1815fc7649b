/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BLOCK_BYTES } from '@osprey/case-package';
import { manifestIn, signed, type TestPackage, testKey, testPackage, zipOf } from '@osprey/case-package/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../tools/test-support/browser/browser.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';

const PAGE = pathToFileURL(resolve(import.meta.dirname, '../dist/web/check.html')).href;
/** The browser takes this address as another machine. */
const PLAIN = 'http://check.test/';
const GB = 1_000_000_000;
const MAX_SECONDS = 20;

const key = testKey();
const clip = Uint8Array.from({ length: 2 * BLOCK_BYTES + 9 }, (_, at) => at % 251);
const made = testPackage({ 'parts/1-clip.ts': clip, 'report.html': new TextEncoder().encode('<!doctype html>') });

let folder: string;
let browser: Browser;
let page: Page;
const asked: string[] = [];
const refused: string[] = [];

const result = () => page.getByRole('status');
const outcome = (name: string, options: { timeout?: number } = {}) =>
  result().getByRole('heading', { name }).waitFor(options);
const chooseZip = (path: string) => page.getByLabel('Choose the zip').setInputFiles(path);

/** Returns how many times longer work takes than its CPU time, because of other work on the machine; at least 1. */
function slowdown(): number {
  const [beganMs, began] = [performance.now(), process.cpuUsage()];
  const hash = createHash('sha256');
  for (let at = 0; at < 64; at += 1) hash.update(clip);
  hash.digest();
  const { user, system } = process.cpuUsage(began);
  return Math.max(1, (performance.now() - beganMs) / ((user + system) / 1000));
}

async function saved(name: string, files: TestPackage): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, zipOf(files));
  return path;
}

async function unpacked(name: string, files: TestPackage): Promise<string> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true });
    await writeFile(join(folder, name, path), bytes);
  }
  return join(folder, name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-check-'));
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
  await page.goto(PAGE);
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the page that checks the package of a case', () => {
  it('opens from a disk, and says whether each file is what was signed and by whom', async () => {
    await chooseZip(await saved('good.zip', made));
    await outcome('Unchanged since it was signed');
    expect(await result().textContent()).toContain('7: Kea');

    const field = page.getByLabel('Fingerprint of the key');
    await field.fill(key.fingerprint.toUpperCase().replace(/.{4}/g, '$& '));
    await outcome('This package is unchanged');
    await field.fill(testKey(2).fingerprint);
    await outcome('Signed by another key');
    await field.fill('');

    await page.getByRole('heading', { name: 'Take the checker from elsewhere' }).waitFor();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  });

  it('names a changed byte with file and block, and what is missing or was added', async () => {
    const other = clip.slice();
    other[BLOCK_BYTES + 5]! ^= 1;
    await chooseZip(await saved('changed.zip', new Map(made).set('parts/1-clip.ts', other)));
    await outcome('This package was changed');
    await result().getByText('parts/1-clip.ts was changed: block 2 of 3').waitFor();

    const more = new Map(made).set('parts/2-more.ts', clip);
    more.delete('report.html');
    await page.getByLabel('Choose the folder').setInputFiles(await unpacked('copied', more));
    await result().getByText('parts/2-more.ts was added').waitFor();
    await result().getByText('report.html is missing').waitFor();

    const text = new TextDecoder().decode(made.get('manifest.json')).replace('"kea"', '"rea"');
    await chooseZip(await saved('manifest.zip', new Map(made).set('manifest.json', new TextEncoder().encode(text))));
    await result().getByText('The manifest was changed after it was signed').waitFor();

    await chooseZip(join(folder, 'copied/parts/1-clip.ts'));
    await outcome('This could not be checked');
    expect(await result().textContent()).toContain('This is no whole zip');
  });

  it('has no way to send anything', async () => {
    const sent = await page.evaluate(() => fetch('https://127.0.0.1:9/').then(String, () => 'refused'));

    expect(sent).toBe('refused');
    expect(refused.join()).toContain('connect-src');
    expect(asked.filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
  });

  it(`checks 1 GB in at most ${MAX_SECONDS} s, also where the browser gives the page no hash of its own`, {
    tags: 'long',
  }, async () => {
    const path = join(folder, 'large/parts/2-long.ts');
    const small = await unpacked('large', made);
    const block = new Uint8Array(BLOCK_BYTES);
    const [whole, blocks, file] = [createHash('sha256'), [] as string[], await open(path, 'w')];
    const count = Math.ceil(GB / BLOCK_BYTES);
    for (let at = 0; at < count; at += 1) {
      block.fill(at);
      whole.update(block);
      blocks.push(createHash('sha256').update(block).digest('hex'));
      await file.write(block);
    }
    await file.close();
    const listed = { path: 'parts/2-long.ts', sizeBytes: count * BLOCK_BYTES, sha256: whole.digest('hex'), blocks };
    const manifest = manifestIn(made);
    await unpacked('large', signed(made, { ...manifest, files: [...manifest.files, listed] }));

    // A browser has crypto.subtle on its own disk, and not on a page that came over plain HTTP from another machine.
    await page.route(`${PLAIN}*`, (route) => route.fulfill({ path: fileURLToPath(PAGE), contentType: 'text/html' }));
    const seconds: number[] = [];
    for (const [address, hasHash] of [
      [PAGE, true],
      [`${PLAIN}check.html`, false],
    ] as const) {
      await page.goto(address);
      expect(await page.evaluate(() => window.crypto.subtle !== undefined)).toBe(hasHash);
      const startedMs = performance.now();
      await page.getByLabel('Choose the folder').setInputFiles(small);
      const slowed = slowdown();
      await outcome('Unchanged since it was signed', { timeout: 240_000 });
      seconds.push((performance.now() - startedMs) / 1000 / Math.max(slowed, slowdown()));
    }

    expect(Math.max(...seconds), `with and without: ${seconds.join(', ')} s`).toBeLessThan(MAX_SECONDS);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanup.ts';

/**
 * A volume of so many mebibytes of its own; null if this account may not mount one, which is printed with the name of
 * the check.
 */
export function smallVolume(mebibytes: number, check: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-full-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stdout.write(`${check} was not tested: mounting is not permitted here (${stderr?.trim()})\n`);
    return null;
  }
  atEnd(async () => {
    execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallVolume } from '../../../test/small-volume.ts';
import { checkExportRoom } from './export-room.ts';
import { folderStorage } from './folder.ts';
import { exportReserve, recordingReserve, spaceLevel, uploadReserve } from './space-rule.ts';

const GIB = 1024 ** 3;

it.each([
  [100, 50, 'fine'],
  [100, 9.9, 'warn'],
  [100, 4.9, 'noUploads'],
  [100, 1.9, 'noExports'],
  [100, 0.49, 'noRecording'],
  [10, 0.9, 'noUploads'],
  [4000, 21, 'warn'],
  [4000, 19, 'noUploads'],
  [4000, 7.9, 'noExports'],
  [4000, 1.9, 'noRecording'],
])('of %d GiB, %d free is %s', (total, free, level) => {
  expect(spaceLevel({ totalBytes: total * GIB, freeBytes: free * GIB })).toBe(level);
});

it('keeps at least 1 GiB and at most 20 GiB from uploads', () => {
  expect(uploadReserve(10 * GIB)).toBe(GIB);
  expect(uploadReserve(100 * GIB)).toBe(5 * GIB);
  expect(uploadReserve(4000 * GIB)).toBe(20 * GIB);
});

it('ends uploads before exports, and exports before recording, on a disk of any size', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), (powers) => {
      const totalBytes = Math.round(GIB * 2 ** powers);
      const [uploads, exports, recording] = [uploadReserve, exportReserve, recordingReserve].map((of) =>
        of(totalBytes),
      );
      expect(recording).toBeLessThan(exports!);
      expect(exports).toBeLessThan(uploads!);
      const levels = [uploads!, exports!, recording!].map((free) => spaceLevel({ totalBytes, freeBytes: free - 1 }));
      expect(levels).toEqual(['noUploads', 'noExports', 'noRecording']);
    }),
  );
});

it('refuses in this order on a volume of 1.5 GiB that fills', async () => {
  const root = smallVolume(1536, 'the order of refusals on a small disk');
  if (root === null) return;
  const storage = folderStorage({ root });
  const fillTo = async (mebibytes: number) => {
    const { freeBytes } = await storage.space();
    const bytes = Math.round(freeBytes - mebibytes * 1024 ** 2);
    execFileSync('fallocate', ['-l', String(bytes), join(root, `filler-${mebibytes}`)]);
  };
  const refused = async () => {
    const space = await storage.space();
    const room = await checkExportRoom(storage).then(
      () => [],
      () => ['exports'],
    );
    const uploads = space.freeBytes < uploadReserve(space.totalBytes) ? ['uploads'] : [];
    return [...uploads, ...room, ...(spaceLevel(space) === 'noRecording' ? ['recording'] : [])];
  };

  expect(await refused()).toEqual([]);
  await fillTo(900);
  expect(await refused()).toEqual(['uploads']);
  await fillTo(700);
  expect(await refused()).toEqual(['uploads', 'exports']);
  await fillTo(480);
  expect(await refused()).toEqual(['uploads', 'exports', 'recording']);
});

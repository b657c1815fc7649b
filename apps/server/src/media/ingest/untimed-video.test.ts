import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { recorded } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { takeApart, written } from '../../../test/remux.ts';

const server = await recordingServer({ jobs: ['ingest', 'transcode'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-untimed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const VIDEO = { pid: 256, kind: 'h264' } as const;
const KLV = { pid: 257, kind: 'klvAsync' } as const;

/** The osh recording with pictures whose PES have no PTS. */
async function untimed(streams: (typeof VIDEO | typeof KLV)[]): Promise<Buffer> {
  const taken = takeApart(await readFile(testData('ts/osh/sample-stream.ts')));
  const units = taken.map((unit) =>
    unit.isVideo ? { ...unit, pid: VIDEO.pid, ptsTicks: null, dtsTicks: null } : { ...unit, pid: KLV.pid },
  );
  return written(
    { streams },
    units.filter(({ pid }) => streams.some((stream) => stream.pid === pid)),
  );
}

describe('a recording none of whose pictures has a time', () => {
  itWithData('shows its telemetry, says so and is not waited for', async () => {
    const { mission, health, time } = await recorded(server, folder, await untimed([VIDEO, KLV]));

    expect(mission.state).toBe('Ready');
    expect(time).toHaveLength(277);
    expect(health.findings.map(({ text }) => text).join(' ')).toContain('none of the pictures has a time');
  });

  itWithData('is refused with the reason where it has no telemetry', async () => {
    const { mission, failures } = await recorded(server, folder, await untimed([VIDEO]));

    expect(mission.state).toBe('Stopped');
    expect(failures[0]).toContain('none of its pictures has a time');
  });
});

import { AppError } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { judgeFile } from '../../src/uploads/sniff.ts';
import { dataflashFile, type LogContent, tlogFile, ulogFile } from '../flight-logs.ts';
import { rowsOf } from '../sidecar-rows.ts';
import { mutated, randomNumbers } from './mutations.ts';

/** 2 s each in every run, 60 s in the soak. */
const FUZZ_MS = Number(process.env.OSPREY_FUZZ_MS ?? 2000);
const SEED = Number(process.env.OSPREY_SEED ?? 20601);
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Processor time of one log, in milliseconds. Its wall time includes what other processes of the machine take. */
const LONGEST_MS = 1000;
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const content: LogContent = {
  startMs: Date.UTC(2024, 4, 6),
  moments: Array.from({ length: 20 }, (_, seconds) => ({
    ...{ seconds, latitude: 47.5, longitude: -8.25, altitude: 432.5, speed: 12.5, fix: 3 },
    ...{ roll: 3, pitch: -4, yaw: 269.5 },
  })),
};

describe(`T-042 hostile flight logs, seed ${SEED},`, { timeout: 4 * FUZZ_MS + 60_000 }, () => {
  it.each([
    ['PX4', [ulogFile(content), ulogFile(content, { isOld: true })]],
    ['ArduPilot', [dataflashFile(content)]],
    ['MAVLink', [tlogFile(content), tlogFile(content, { version: 1 })]],
  ])('of %s give rows that can be, or are refused', async (_, logs) => {
    // A slice of a Buffer shares its memory, so changes would add up.
    const sources = logs.map((log) => new Uint8Array(log));
    const random = randomNumbers(SEED);
    const before = process.memoryUsage().rss;
    const strange: unknown[] = [];
    let [inputs, read, slowestMs] = [0, 0, 0];
    for (const end = performance.now() + FUZZ_MS; performance.now() < end; inputs += 1) {
      const bytes = mutated(sources[random(sources.length)]!, random);
      const reading = async () => {
        const begun = cpuMs();
        try {
          judgeFile(bytes, { complete: true });
          const { rows } = await rowsOf(bytes);
          read += 1;
          for (const { timeUs, values } of rows) {
            const numbers = [timeUs, ...Object.values(values)];
            if (!numbers.every(Number.isFinite) || Math.abs(Number(values[13] ?? 0)) > 90) strange.push(values);
          }
        } catch (error) {
          if (!(error instanceof AppError)) strange.push(error);
        }
        return cpuMs() - begun;
      };
      const tookMs = await reading();
      // A collection of the memory that other tests of this process left behind counts only once.
      slowestMs = Math.max(slowestMs, tookMs < LONGEST_MS ? tookMs : Math.min(tookMs, await reading()));
    }

    expect(strange).toEqual([]);
    expect(inputs).toBeGreaterThan(50);
    // Most changes leave most of a log as it was.
    expect(read).toBeGreaterThan(inputs / 4);
    expect(slowestMs).toBeLessThan(LONGEST_MS);
    expect(process.memoryUsage().rss - before).toBeLessThan(MEMORY_BYTES);
  });
});

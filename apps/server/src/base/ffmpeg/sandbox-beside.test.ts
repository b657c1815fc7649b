import { expect, it } from 'vitest';
import { percentile } from '../../../../../tools/test-support/statistics.ts';
import { addMission } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';
import { findSandbox } from './sandbox.ts';

it('T-059 a program with limits that loops, or fills its memory, leaves the API as fast as it was', {
  timeout: 120_000,
}, async () => {
  const sandbox = await findSandbox('auto');
  const { db, listen, headersOf } = await testServer();
  for (let n = 0; n < 50; n++) await addMission(db, { state: 'Ready' });
  const address = await listen();
  const called = async (times: number) => {
    const took: number[] = [];
    for (let n = 0; n < times; n++) {
      const begun = performance.now();
      const answer = await fetch(`${address}/api/missions/brief`, { headers: headersOf('SA') });
      expect(await answer.json()).toHaveLength(50);
      took.push(performance.now() - begun);
    }
    return took;
  };
  const programs = ['while (1) {}', 'my @x; push @x, "a" x 1048576 while 1;', 'while (1) {}'];
  // As the worker starts them, which gives way to the API (processes/child.ts).
  const begin = (script: string) =>
    sandbox.start('/usr/bin/nice', ['-n', '5', '/usr/bin/perl', '-e', script], {
      memoryBytes: 2 ** 30,
      wallMs: 60_000,
    });
  const [alone, beside]: [number[], number[]] = [[], []];
  await called(10);

  // In turns, so that other load of this machine affects both.
  for (let round = 0; round < 4; round++) {
    alone.push(...(await called(15)));
    const running = programs.map(begin);
    beside.push(...(await called(15)));
    for (const { kill, stdin, stdout } of running) {
      stdout.resume();
      stdin.end();
      kill();
    }
    await Promise.all(running.map(({ finished }) => finished));
  }

  // Three times as long as without them where the machine is too busy for the figure itself.
  expect(percentile(beside, 0.95)).toBeLessThan(Math.max(300, 3 * percentile(alone, 0.95)));
});

import { vi } from 'vitest';

/** A busy machine takes its time: what is waited for fails late, and within the time of its test. */
const PATIENCE_MS = 60_000;
const SCREEN_PATIENCE_MS = 30_000;

const { waitFor, waitUntil } = vi;
type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };

vi.waitFor = (work, options) => waitFor(work, patient(options));
vi.waitUntil = (work, options) => waitUntil(work, patient(options));

if ('document' in globalThis) {
  // Read once by each worker, while this file runs again for each test file.
  await import('./light-styles.ts');
  const { act, configure } = await import('@testing-library/react');
  configure({
    asyncUtilTimeout: SCREEN_PATIENCE_MS,
    // Effects of a press or a key are drawn before the test looks.
    async asyncWrapper(work) {
      const result = await work();
      await act(async () => undefined);
      return result;
    },
  });
}

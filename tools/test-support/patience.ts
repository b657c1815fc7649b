import { vi } from 'vitest';

/**
 * Timeouts for waiting, in milliseconds. They are long, since a busy machine is slow, but shorter than the time limit
 * of a test.
 */
const PATIENCE_MS = 60_000;
const SCREEN_PATIENCE_MS = 30_000;

const { waitFor, waitUntil } = vi;
type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };

vi.waitFor = (work, options) => waitFor(work, patient(options));
vi.waitUntil = (work, options) => waitUntil(work, patient(options));

if ('document' in globalThis) {
  // Imported as a module, which each worker evaluates only once, whereas this file runs for each test file.
  await import('./light-styles.ts');
  const { act, configure } = await import('@testing-library/react');
  configure({
    asyncUtilTimeout: SCREEN_PATIENCE_MS,
    // Wait until the effects of a click or a key press have been drawn before the test continues.
    async asyncWrapper(work) {
      const result = await work();
      await act(async () => undefined);
      return result;
    },
  });
}

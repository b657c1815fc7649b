import { afterAll, onTestFinished } from 'vitest';

/** Runs at the end of the test that asked, or of its file where no test was running; what was asked last runs first. */
export function atEnd(work: () => unknown): void {
  try {
    onTestFinished(async () => void (await work()));
  } catch {
    afterAll(async () => void (await work()));
  }
}

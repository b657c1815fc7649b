import { flushSync } from 'react-dom';
import { isIdle } from './scheduler.ts';

/**
 * Replacement for `act`, which is missing in the production build of React that the component tests use: immediately
 * draws what a test has started. A caller that awaits it continues once React has nothing left to do, including
 * transitions and effects; a caller that does not await it continues immediately.
 */
export function act(work: () => unknown): PromiseLike<unknown> {
  const result = flushSync(work);
  flush();
  return {
    // biome-ignore lint/suspicious/noThenProperty: as with React's own, whoever calls it waits for it or not.
    then: (onDone, onFailure) => settled(result).then(onDone, onFailure),
  };
}

/** The real timer, even if a test has replaced the global one. */
const nextTurn = setImmediate;

async function settled<Result>(result: Result | PromiseLike<Result>): Promise<Result> {
  const value = await result;
  do await new Promise((resolve) => nextTurn(resolve));
  while (!isIdle());
  flush();
  return value;
}

const flush = () => flushSync(() => undefined);

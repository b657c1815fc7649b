import { flushSync } from 'react-dom';
import { isIdle } from './scheduler.ts';

/**
 * `act` for React's production build, in which components are tested and which has none: draws at once what a test has
 * set going. A caller that awaits it goes on when React has nothing left to do, including transitions and effects; one
 * that does not goes on at once.
 */
export function act(work: () => unknown): PromiseLike<unknown> {
  const result = flushSync(work);
  flush();
  return {
    // biome-ignore lint/suspicious/noThenProperty: as with React's own, whoever calls it waits for it or not.
    then: (onDone, onFailure) => settled(result).then(onDone, onFailure),
  };
}

/** The real timer, also if a test has replaced the global one. */
const nextTurn = setImmediate;

async function settled<Result>(result: Result | PromiseLike<Result>): Promise<Result> {
  const value = await result;
  do await new Promise((resolve) => nextTurn(resolve));
  while (!isIdle());
  flush();
  return value;
}

const flush = () => flushSync(() => undefined);

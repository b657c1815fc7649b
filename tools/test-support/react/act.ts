import { flushSync } from 'react-dom';
import { isIdle } from './scheduler.ts';

/**
 * What React's production build, in which components are tested, has no own one of: draws at once what a test has set
 * going. Who awaits it goes on when React has nothing left to do, transitions and what effects set going included; who
 * does not goes on at once.
 */
export function act(work: () => unknown): PromiseLike<unknown> {
  const result = flushSync(work);
  flush();
  return {
    // biome-ignore lint/suspicious/noThenProperty: as with React's own, whoever calls it waits for it or not.
    then: (onDone, onFailure) => settled(result).then(onDone, onFailure),
  };
}

/** Of the machine, also where a test has put a clock of its own in place of this one. */
const nextTurn = setImmediate;

async function settled<Result>(result: Result | PromiseLike<Result>): Promise<Result> {
  const value = await result;
  do await new Promise((resolve) => nextTurn(resolve));
  while (!isIdle());
  flush();
  return value;
}

const flush = () => flushSync(() => undefined);

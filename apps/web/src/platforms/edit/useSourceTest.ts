import { type SourceTested, testSource } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { errorText } from '../../base/transport-error.ts';

export type SourceTestState =
  | { kind: 'idle' }
  | { kind: 'waiting' }
  | { kind: 'refused'; text: string }
  | { kind: 'tested'; tested: SourceTested };

export type TestedAddress = {
  url: string;
  from: string[];
  /** Saved sensor whose password *** stands for. */
  stored?: { platform: string; sensor: string };
};

const IDLE: SourceTestState = { kind: 'idle' };

/**
 * Tests the address of a source before it is saved. The result is of this address alone, so it is dropped with the next
 * change of the address, and the test ends with the form.
 */
export function useSourceTest(address: TestedAddress, onTested: (tested: SourceTested) => void) {
  const api = useApi();
  const key = JSON.stringify(address);
  const [shown, setShown] = useState<{ key: string; state: SourceTestState }>({ key, state: IDLE });
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), [key]);

  async function start(): Promise<void> {
    const asked = new AbortController();
    running.current?.abort();
    running.current = asked;
    setShown({ key, state: { kind: 'waiting' } });
    const show = (state: SourceTestState) => {
      if (!asked.signal.aborted) setShown({ key, state });
    };
    try {
      const tested = await api.call(testSource, { body: address }, { signal: asked.signal });
      show({ kind: 'tested', tested });
      if (!asked.signal.aborted) onTested(tested);
    } catch (error) {
      show({ kind: 'refused', text: errorText(error) });
    }
  }

  function stop(): void {
    running.current?.abort();
    setShown({ key, state: IDLE });
  }

  return { state: shown.key === key ? shown.state : IDLE, start, stop };
}

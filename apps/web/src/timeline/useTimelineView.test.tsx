// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type ViewServices, ViewServicesContext } from '../onscreen/view-services.ts';
import { SECOND } from '../testing/timeline.tsx';
import { viewServices } from '../testing/view-services.ts';
import { useTimelineView } from './useTimelineView.ts';

afterEach(cleanup);

/** A view of a stream whose clock states its ends later than its time. */
function liveView() {
  const services = viewServices();
  const state = { ...services.clock.get(), startUs: 0, endUs: SECOND / 2 };
  let passed = (_timeUs: number, _by: 'playing') => {};
  const clock = {
    ...services.clock,
    get: () => state,
    timeUs: () => state.endUs,
    onTime: (listener: typeof passed) => {
      passed = listener;
      return () => undefined;
    },
  };
  const hook = renderHook(useTimelineView, {
    wrapper: ({ children }) => (
      <ViewServicesContext value={{ ...services, clock } as unknown as ViewServices}>{children}</ViewServicesContext>
    ),
  });
  return { ...hook, state, pass: (timeUs: number) => act(() => passed(timeUs, 'playing')) };
}

it('shows all that is kept of a stream, also after pictures that came before its end was stated', () => {
  const { result, rerender, state, pass } = liveView();
  pass(2 * SECOND);
  Object.assign(state, { endUs: 12 * SECOND });
  rerender();
  expect(result.current.span).toEqual({ fromUs: 0, toUs: 12 * SECOND });
});

it('follows playing out of the part that was chosen', () => {
  const { result, rerender, state, pass } = liveView();
  Object.assign(state, { endUs: 60 * SECOND });
  rerender();
  act(() => result.current.setSpan({ fromUs: 50 * SECOND, toUs: 60 * SECOND }));
  Object.assign(state, { endUs: 80 * SECOND });
  rerender();
  pass(60 * SECOND);
  pass(62 * SECOND);
  expect(result.current.span).toEqual({ fromUs: 61 * SECOND, toUs: 71 * SECOND });
});

// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fullScreen, leaveFullScreen, toggleFullScreen } from '../player/picture/full-screen.ts';
import { viewServices } from '../testing/view-services.ts';
import { useViewKeys } from './useViewKeys.ts';

afterEach(() => {
  cleanup();
  leaveFullScreen();
});

const panels = { map: true, telemetry: false };

/** Actions of the keys, in order. */
function keysOfView(): string[] {
  const order: string[] = [];
  const nothing = () => undefined;
  renderHook(() =>
    useViewKeys({
      clock: viewServices().clock,
      lead: nothing,
      fullScreen: toggleFullScreen,
      panels,
      changePanels: (fields) => void order.push(JSON.stringify(fields)),
      showKeys: () => void order.push('keys'),
      noMaster: nothing,
    }),
  );
  return order;
}

it('shows map, telemetry and keys over a picture that fills the screen, and switches the panels elsewhere', async () => {
  const order = keysOfView();

  await userEvent.keyboard('fmt?');
  expect(fullScreen()).toEqual({ on: true, map: true, telemetry: true });
  expect(order.splice(0)).toEqual(['keys']);

  await userEvent.keyboard('m');
  expect(fullScreen()).toEqual({ on: true, map: false, telemetry: true });

  await userEvent.keyboard('fmt');
  expect(fullScreen()).toEqual({ on: false, map: false, telemetry: false });
  expect(order).toEqual(['{"map":false}', '{"telemetry":true}']);
});

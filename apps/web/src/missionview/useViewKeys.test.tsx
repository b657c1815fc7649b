// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { viewParts } from '../player/test-parts.ts';
import { useViewKeys } from './useViewKeys.ts';

afterEach(cleanup);

it('leaves the full screen for the list of keys, which would stand behind the picture', async () => {
  const order: string[] = [];
  const exitFullscreen = async () => void order.push('leaves');
  Object.assign(document, { fullscreenElement: document.body, exitFullscreen });
  const nothing = () => undefined;
  renderHook(() =>
    useViewKeys({
      clock: viewParts().clock,
      lead: nothing,
      fullScreen: nothing,
      toggleMap: nothing,
      toggleTelemetry: nothing,
      showKeys: () => void order.push('shows'),
      noMaster: nothing,
    }),
  );

  await userEvent.keyboard('?');

  expect(order).toEqual(['leaves', 'shows']);
});

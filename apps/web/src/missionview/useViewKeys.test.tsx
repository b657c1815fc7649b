// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { viewParts } from '../onscreen/test-parts.ts';
import { useViewKeys } from './useViewKeys.ts';

afterEach(cleanup);

/** What happens by the keys, in its order. */
function viewInFullScreen(panels: { map: boolean; telemetry: boolean }): string[] {
  const order: string[] = [];
  const exitFullscreen = async () => {
    order.push('leaves');
    Object.assign(document, { fullscreenElement: null });
  };
  Object.assign(document, { fullscreenElement: document.body, exitFullscreen });
  const nothing = () => undefined;
  renderHook(() =>
    useViewKeys({
      clock: viewParts().clock,
      lead: nothing,
      fullScreen: nothing,
      panels,
      changePanels: (fields) => void order.push(JSON.stringify(fields)),
      showKeys: () => void order.push('keys'),
      noMaster: nothing,
    }),
  );
  return order;
}

it('leaves the full screen for the list of keys, which would stand behind the picture', async () => {
  const order = viewInFullScreen({ map: true, telemetry: true });

  await userEvent.keyboard('?');

  expect(order).toEqual(['leaves', 'keys']);
});

it('shows map and telemetry to who asks for them in full screen, and switches them elsewhere', async () => {
  const order = viewInFullScreen({ map: true, telemetry: false });

  await userEvent.keyboard('m');
  expect(order.splice(0)).toEqual(['{"map":true}', 'leaves']);
  await userEvent.keyboard('mt');

  expect(order).toEqual(['{"map":false}', '{"telemetry":true}']);
});

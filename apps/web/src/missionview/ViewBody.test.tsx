// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { missionRow, sensorRow, viewServices } from '../testing/view-services.ts';
import type { ViewChoice } from './address.ts';
import { ViewBody } from './ViewBody.tsx';

const [EO, IR] = ['00000000-0000-4000-8000-0000000000e0', '00000000-0000-4000-8000-0000000000f1'];
const MOMENT_US = 1_234_000_000;

// Players need a browser; the report of IR has a moment to be shown.
vi.mock('./Stage.tsx', () => ({ Stage: () => null }));
vi.mock('../health/HealthPanel.tsx', () => ({
  HealthPanel: ({ onShow }: { onShow: (sensorId: string, timeUs: number) => void }) => (
    <button type="button" onClick={() => onShow(IR, MOMENT_US)}>
      Show
    </button>
  ),
}));

afterEach(cleanup);

/** The view of EO and IR, or of a mission without video. */
function shown(
  first: ViewChoice,
  sensors = [sensorRow({ _id: EO, name: 'EO' }), sensorRow({ _id: IR, name: 'IR' })],
  { width = 1200, name = missionRow(sensors).name } = {},
) {
  const services = viewServices();
  services.clock.lead(EO);
  const seen: ViewChoice[] = [];
  function View() {
    const [choice, setChoice] = useState<ViewChoice>(first);
    seen.push(choice);
    return (
      <ViewServicesContext value={services}>
        <ViewBody
          mission={{ ...missionRow(sensors), name }}
          entries={sensors.map((sensor) => ({ sensor, timeline: null, failed: false }))}
          address={{
            visit: { sensorId: EO, timeUs: null },
            choice,
            onChoice: (fields) => setChoice((before) => ({ ...before, ...fields })),
          }}
          width={width}
          collapsed={false}
          onCollapse={() => undefined}
          actions={null}
          below={null}
        />
      </ViewServicesContext>
    );
  }
  show(<View />, fakeApi({}));
  return { services, seen };
}

it('shows a moment of the health report in its own sensor, also where that was not on screen', async () => {
  const { services, seen } = shown({ sensorId: EO, shownIds: [EO], healthOf: IR });

  await userEvent.click(screen.getByRole('button', { name: 'Show' }));

  expect(seen.at(-1)).toMatchObject({ healthOf: null, shownIds: null });
  expect(services.clock.get().leader).toBe(IR);
  expect(services.clock.timeUs()).toBe(MOMENT_US);
});

const lit = () =>
  screen.queryAllByRole('button', { pressed: true }).map((button) => button.getAttribute('aria-label') ?? '');

it('lights the toggles of the panels that are shown, and none of those that the health report takes the place of', async () => {
  shown({ sensorId: EO, shownIds: null, healthOf: null });
  await waitFor(() => expect(lit()).toEqual(['Timeline', 'Map', 'Telemetry']));

  await userEvent.click(screen.getByRole('button', { name: 'KLV health' }));
  expect(lit()).toEqual(['KLV health']);

  await userEvent.click(screen.getByRole('button', { name: 'Map' }));
  expect(lit()).toEqual(['Timeline', 'Map', 'Telemetry']);
});

it('lights no toggle where there is no video to show panels of', async () => {
  shown({ sensorId: EO, shownIds: null, healthOf: null }, []);
  await screen.findByRole('button', { name: 'KLV health' });

  expect(lit()).toEqual([]);
});

it('cuts a long name on a phone in the middle, and says it whole', async () => {
  shown({ sensorId: EO, shownIds: null, healthOf: null }, [sensorRow()], { width: 390, name: 'Sample-Coast-Patrol' });

  const head = await screen.findByRole('heading', { name: 'Sample-Coast-Patrol' });
  expect([...head.querySelectorAll('span > span')].map(({ textContent }) => textContent)).toEqual([
    'Sample-Coas',
    't-Patrol',
  ]);
});

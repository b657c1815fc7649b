// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { missionRow, sensorRow, timelineOf, viewServices } from '../testing/view-services.ts';
import { type TimelineExtras, TimelineExtrasContext } from '../timeline/marks.ts';
import { Stage } from './Stage.tsx';

let players = 0;

// Players and maps need a browser.
vi.mock('../player/Player.tsx', () => ({
  Player: () => {
    players += 1;
    return null;
  },
}));
vi.mock('./MissionMap.tsx', () => ({ MissionMap: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const panels = {
  ...{ timeline: true, map: false, floatingMap: false, telemetry: false, telemetryDocked: false, sideBySide: false },
};
let mark: (id: string) => void;

class WideElements {
  readonly notify: (entries: { contentRect: DOMRect; target: Element }[]) => void;
  constructor(notify: (entries: { contentRect: DOMRect; target: Element }[]) => void) {
    this.notify = notify;
  }
  observe(target: Element) {
    this.notify([{ contentRect: new DOMRect(0, 0, 1000, 500), target }]);
  }
  disconnect() {}
}

/** A page that puts marks around its mission view. */
function Marks({ children }: { children: ReactNode }) {
  const [extras, setExtras] = useState<TimelineExtras>({});
  mark = (id) => setExtras({ marks: [{ id, timeUs: 600_000_000, ink: 'gold', label: 'Take-off' }] });
  return <TimelineExtrasContext value={extras}>{children}</TimelineExtrasContext>;
}

it('shows the marks of the page on its timeline, and draws no player again for them', async () => {
  vi.stubGlobal('ResizeObserver', WideElements);
  const sensor = sensorRow({ name: 'EO' });
  const entry = { sensor, timeline: timelineOf(sensor), failed: false };
  show(
    <ViewServicesContext value={viewServices()}>
      <Marks>
        <Stage
          mission={missionRow([sensor])}
          sensors={[sensor]}
          onSensor={() => undefined}
          players={[entry]}
          first={null}
          width={1200}
          panels={panels}
          onPanels={() => undefined}
          mapLeads={false}
          onExchange={() => undefined}
          below={null}
        />
      </Marks>
    </ViewServicesContext>,
    fakeApi({}),
  );
  await screen.findByRole('slider', { name: 'Mission timeline' });
  const before = players;

  act(() => mark('first'));

  expect(screen.getByRole('button', { name: 'Take-off, 00:10:00 Z' })).toBeDefined();
  expect(before).toBeGreaterThan(0);
  expect(players).toBe(before);
});

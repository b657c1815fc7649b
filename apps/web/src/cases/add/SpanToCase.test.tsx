// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ViewServicesContext } from '../../onscreen/view-services.ts';
import { caseOf, casePartOf } from '../../testing/cases.ts';
import { fakeApi, missionOf, sensorOf } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { viewServices } from '../../testing/view-services.ts';
import { type Selection, TimelineExtrasContext } from '../../timeline/marks.ts';
import { SpanToCase } from './SpanToCase.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const START = Date.UTC(2026, 5, 1, 9) * 1000;
const sensor = sensorOf({ name: 'EO/IR' });
const mission = missionOf({ securityClassification: 'SECRET' });

function button(selection: Selection) {
  const fake = fakeApi({ 'GET /cases': () => [caseOf()], 'POST /cases/:id/parts': () => [casePartOf()] });
  const extras = { selection: { ...selection, onChange: () => undefined } };
  show(
    <ViewServicesContext value={viewServices()}>
      <TimelineExtrasContext value={extras}>
        <SpanToCase mission={mission} sensors={[sensor]} />
      </TimelineExtrasContext>
    </ViewServicesContext>,
    { api: fake.api },
  );
  return fake;
}

it('puts the track between In and Out into a case', async () => {
  const { inputsOf } = button({ inUs: START + 10e6, outUs: START + 22e6 });
  await userEvent.click(screen.getByRole('button', { name: 'Add the span to a case' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add to case' });
  expect(within(dialog).getByText('EO/IR, 09:00:10 to 09:00:22 Z')).toBeDefined();
  await userEvent.click(await screen.findByRole('option', { name: /Slick off Kea/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));

  await screen.findByText('Added to case 7.');
  expect(inputsOf('POST /cases/:id/parts')).toMatchObject([
    {
      body: {
        parts: [{ kind: 'track', sensorId: sensor._id, startTime: START + 10e6, endTime: START + 22e6 }],
      },
    },
  ]);
});

it('says that In and Out are missing', async () => {
  button({ inUs: START, outUs: null });
  await userEvent.click(screen.getByRole('button', { name: 'Add the span to a case' }));
  await screen.findByText('Set In and Out first, with the keys I and O.');
  expect(screen.queryByRole('dialog')).toBeNull();
});

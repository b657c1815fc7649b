// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Answer, fakeApi, missionOf, refusing } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { show } from '../testing/show.tsx';
import { ServerCard } from './ServerCard.tsx';

afterEach(cleanup);

// A mission may be above its platform.
const mission = missionOf({ name: 'Night watch', securityClassification: 'SECRET' });
const recording = livePlatformOf({ name: 'KEA-1', live: true, mission: mission._id, missionName: mission.name });

/** The card after its first question was answered with yes. */
async function confirmed(platforms: Answer) {
  const fake = fakeApi({
    'GET /systeminfo': () => ({ systemUptime: 10 }),
    'GET /platforms': platforms,
    'GET /missions/brief': ({ query }) => (query?.ids === mission._id ? [mission] : []),
    'POST /shutdown': () => ({ message: 'Restarting the server...' }),
  });
  show(<ServerCard figures={null} backups={undefined} />, { api: fake.api });
  fireEvent.click(screen.getByRole('button', { name: 'Restart' }));
  const question = await screen.findByRole('alertdialog', { name: 'Restart' });
  fireEvent.click(within(question).getByRole('button', { name: 'Restart' }));
  return { restarts: () => fake.inputsOf('POST /shutdown') };
}

const second = () => screen.findByRole('alertdialog', { name: 'Restart the recorder too?' });

it('restarts after one question while nothing is being recorded, and leaves the recorder alone', async () => {
  const { restarts } = await confirmed(() => [livePlatformOf()]);

  await screen.findByText('Restarting the server...');
  expect(restarts()).toEqual([{ query: { restart: '1' } }]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('says in a second question what is being recorded, and restarts the recorder only where that is answered', async () => {
  const { restarts } = await confirmed(() => [recording, livePlatformOf({ name: 'KEA-2' })]);

  const question = await second();
  expect(within(question).getByText('KEA-1, into Night watch')).toBeDefined();
  expect(within(question).getByText('SECRET')).toBeDefined();
  expect(within(question).queryByText(/KEA-2/)).toBeNull();
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' }));
  expect(restarts()).toEqual([]);
  fireEvent.click(within(question).getByRole('button', { name: 'Recorder too' }));

  await screen.findByText('Restarting the server...');
  expect(restarts()).toEqual([{ query: { restart: '1', force: 'true' } }]);
});

it('restarts the server alone where the second question is answered so', async () => {
  const { restarts } = await confirmed(() => [recording]);

  fireEvent.click(within(await second()).getByRole('button', { name: 'Server only' }));

  await screen.findByText('Restarting the server...');
  expect(restarts()).toEqual([{ query: { restart: '1' } }]);
});

it('leaves the recorder alone where it is unknown what is being recorded', async () => {
  const { restarts } = await confirmed(refusing('unavailable'));

  await screen.findByText('Restarting the server...');
  expect(restarts()).toEqual([{ query: { restart: '1' } }]);
});

// @vitest-environment jsdom
import type { LiveSensor } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show } from '../testing/show.tsx';
import { KlvStreamMenu } from './KlvStreamMenu.tsx';

afterEach(cleanup);

const CALL = 'PUT /live/:sensor/klv';
type Streams = NonNullable<LiveSensor['klvStreams']>;

const several = (fields: Partial<Streams> = {}): Streams => ({
  ...{ chosen: 257, by: 'positions', wanted: null },
  streams: [
    { pid: 257, program: 1, sets: 1204, positions: 1204 },
    { pid: 258, program: 1, sets: 75, positions: 0, filled: [10, 26] },
    { pid: 300, program: 1, sets: 75, positions: 75 },
  ],
  ...fields,
});

type Open = { klvStreams?: Streams | null; role?: 'superAdmin' | 'user'; fails?: boolean };

function open({ klvStreams = several(), role = 'superAdmin', fails = false }: Open = {}) {
  const platform = livePlatformOf({ sensors: [liveSensorOf({ klvStreams })] });
  const message = 'The telemetry of EO is KLV stream PID 300.';
  const fake = fakeApi({ [CALL]: fails ? refusing('forbidden') : () => ({ message }) });
  const { container } = show(<KlvStreamMenu platform={platform} sensor={platform.sensors[0]!} />, {
    ...{ api: fake.api, session: { actor: { ...admin, role } } },
  });
  return { container, bodies: () => fake.inputsOf(CALL).map(({ body }) => body) };
}

const openMenu = async () => {
  await userEvent.click(screen.getByRole('button', { name: /KLV/ }));
  return screen.findAllByRole('menuitemradio');
};
const textsOf = (items: readonly HTMLElement[]) => items.map(({ textContent }) => textContent);

it('names all KLV streams of a sensor, shows another one by key, and undoes that', async () => {
  const { container, bodies } = open();
  expect(screen.getByRole('button', { name: 'KLV PID 257, 1 of 3 streams' })).toBeDefined();
  expect(await seriousFindings(container)).toEqual([]);

  const items = await openMenu();
  expect(textsOf(items).slice(1)).toEqual([
    'PID 257Shown, it has positions. 1\u202f204 packets, 1\u202f204 with a position.',
    'PID 25875 packets, 0 with a position. Adds tags 10, 26.',
    'PID 30075 packets, 75 with a position.',
  ]);
  expect(items[0]?.getAttribute('aria-checked')).toBe('true');
  await userEvent.keyboard('{End}{Enter}');
  expect(bodies()).toEqual([{ pid: 300 }]);
  expect(await screen.findByText('The telemetry of EO is KLV stream PID 300.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(bodies()).toEqual([{ pid: 300 }, { pid: null }]));
});

it('says so where the chosen stream does not come, and names programs where there are several', async () => {
  const [first, second] = several().streams;
  open({ klvStreams: several({ wanted: 258, streams: [first!, { ...second!, program: 2, filled: [] }] }) });

  const button = screen.getByRole('button', { name: 'KLV PID 257, 1 of 2 streams' });
  expect(button.title).toBe('PID 258 was chosen and does not come; another stream is shown.');
  expect(textsOf(await openMenu())[2]).toBe(
    'PID 258, program 2Chosen, and shown as soon as it comes. 75 packets, 0 with a position.',
  );
});

it('lets only those choose who control the platform, and says why a choice was not kept', async () => {
  const { bodies } = open({ role: 'user' });
  const items = await openMenu();
  expect(items[0]?.textContent).toContain('To choose a stream takes the right to control the platform.');
  expect(items.every((item) => item.getAttribute('aria-disabled') === 'true')).toBe(true);
  await userEvent.click(items[3]!);
  expect(bodies()).toEqual([]);

  cleanup();
  open({ fails: true });
  await userEvent.click((await openMenu())[3]!);
  expect(await screen.findByText(/The KLV stream of EO could not be chosen/)).toBeDefined();
});

it('is not there for a sensor with one KLV stream', () => {
  open({ klvStreams: null });

  expect(screen.queryByRole('button')).toBeNull();
});

// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { sensorRow } from '../testing/view-services.ts';
import { SensorsMenu } from './SensorsMenu.tsx';
import { useKeysWithoutMission } from './useKeysWithoutMission.ts';

afterEach(cleanup);

it('keeps one sensor on screen, and says that none would be left', async () => {
  const sensor = sensorRow({ name: 'EO' });
  const onShown = vi.fn();
  show(<SensorsMenu sensors={[sensor]} shown={[sensor._id]} onShown={onShown} />, fakeApi({}));

  await userEvent.click(screen.getByRole('button', { name: '1 sensor' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'EO' }));

  expect(await screen.findByText('No sensors selected.')).toBeDefined();
  expect(onShown).not.toHaveBeenCalled();
});

it('counts the sensors of the mission', () => {
  const sensors = ['EO', 'IR', 'SAR'].map((name) => sensorRow({ name }));
  show(<SensorsMenu sensors={sensors} shown={[sensors[0]!._id]} onShown={() => undefined} />, fakeApi({}));

  expect(screen.getByRole('button').textContent).toBe('3 sensors'); // S2-085
});

function Page({ nothingOpen }: { nothingOpen: boolean }) {
  useKeysWithoutMission(nothingOpen);
  return <input aria-label="Search" />;
}

it('says that no mission is selected where a key would play one, but not to who types', async () => {
  show(<Page nothingOpen />, fakeApi({}));

  await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'l');
  expect(screen.queryByText('No mission selected.')).toBeNull();
  screen.getByRole('textbox').blur();
  await userEvent.keyboard('l');

  expect(await screen.findByText('No mission selected.')).toBeDefined();
});

it('leaves the keys to the mission that is open', async () => {
  show(<Page nothingOpen={false} />, fakeApi({}));

  await userEvent.keyboard('l');

  expect(screen.queryByText('No mission selected.')).toBeNull();
});

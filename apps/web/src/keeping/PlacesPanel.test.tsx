// @vitest-environment jsdom
import type { SitePlaceList } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { PlacesPanel } from './PlacesPanel.tsx';

// Shows the dialog keeping/PlacesPanel.tsx ConfirmDialog

afterEach(cleanup);

const LIST: SitePlaceList = { count: 2, fileName: 'towns.csv', uploaded: 0, by: 'ana' };

it('takes a list, shows by line what is wrong with another, and deletes it after a question', async () => {
  let list: SitePlaceList | null = null;
  let problems = [{ line: 3, text: 'The name is missing.' }];
  const fake = fakeApi({
    'GET /places/list': () => ({ list }),
    'PUT /places/list': () => {
      if (problems.length > 0) return { list: null, problems, count: 5 };
      list = LIST;
      return { list, problems, count: 0 };
    },
    'DELETE /places/list': () => {
      list = null;
      return { message: 'Deleted' };
    },
  });
  const { container } = show(<PlacesPanel />, { api: fake.api });
  await screen.findByText('The site has no list of places');
  const drop = screen.getByTestId('files-list of places');
  const file = (content: BlobPart) => new File([content], 'towns.csv', { type: 'text/csv' });

  await userEvent.upload(drop, file('name,latitude,longitude'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Line 3: The name is missing.');
  expect(alert.textContent).toContain('4 more lines');

  await userEvent.upload(drop, file(new Uint8Array([0xff, 0xfe, 0x41])));
  await screen.findByText(/is not UTF-8/);
  expect(fake.inputsOf('PUT /places/list')).toHaveLength(1);

  problems = [];
  await userEvent.upload(drop, file('name,latitude,longitude\nKea,1,2\n'));
  await screen.findByText('2 places');
  expect(screen.queryByText(/Line 3/)).toBeNull();
  expect(await seriousFindings(container)).toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Delete the list' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(fake.inputsOf('DELETE /places/list')).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Delete the list' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(dialog.querySelectorAll('button')[1]!);
  await screen.findByText('The site has no list of places');
});

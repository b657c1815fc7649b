// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useHighestLabel, useShownLabels } from '../base/shown-labels.ts';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { MovableContent, MovablePlace, useMovable } from '../ui/Movable.tsx';
import { TableDock } from './TableDock.tsx';

afterEach(cleanup);

/** As the rows of the tables are. */
const rowOfTable = { role: 'row', tabIndex: 0 };

function Rows() {
  useShownLabels(['SECRET']);
  return (
    <table>
      <tbody>
        <tr {...rowOfTable}>
          <td>M1</td>
        </tr>
      </tbody>
    </table>
  );
}

const Highest = () => <output>{useHighestLabel()}</output>;

/** A view with its table, which opens in the view itself if `elsewhere`. */
function open({ elsewhere = false } = {}) {
  const onTab = vi.fn();
  function Page() {
    const table = useMovable();
    const [isOpen, setOpen] = useState(false);
    const below = {
      content: (shown: boolean) => <MovablePlace movable={table} hidden={!shown} />,
      tabs: [
        { id: 'vod', label: 'VOD', count: 41 },
        { id: 'clips', label: 'Clips', count: null },
      ],
      onTab,
    };
    return (
      <section data-part="mission-view" aria-label="Mission M1" tabIndex={-1}>
        <Highest />
        <MovableContent movable={table}>
          <Rows />
        </MovableContent>
        {isOpen && elsewhere && below.content(true)}
        <TableDock below={below} open={isOpen} onOpen={setOpen} elsewhere={isOpen && elsewhere} />
      </section>
    );
  }
  show(<Page />, fakeApi({}));
  return { onTab };
}

const view = () => screen.getByRole('region', { name: 'Mission M1' });
const isOpen = () => document.querySelector('[data-part="table-drawer"]')?.getAttribute('data-open') === 'true';
const label = () => screen.getByRole('status').textContent;
const ctrlDown = () => userEvent.keyboard('{Control>}{ArrowDown}{/Control}');

it('is a bar with its tabs, and the labels of its rows count only while they are in sight', async () => {
  const { onTab } = open();
  expect([isOpen(), label()]).toEqual([false, 'UNCLASSIFIED']);
  expect(screen.getByRole('button', { name: 'VOD 41, open the table' }).textContent).toBe('VOD 41');
  expect(await seriousFindings(document.body)).toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Clips, open the table' }));
  expect(onTab).toHaveBeenCalledWith('clips');
  expect([isOpen(), label()]).toEqual([true, 'SECRET']);

  await userEvent.click(screen.getByRole('button', { name: 'Close table' }));
  expect([isOpen(), label()]).toEqual([false, 'UNCLASSIFIED']);
});

it('opens by Ctrl+Down with the focus in its rows, and gives it back by Escape', async () => {
  open();
  view().focus();

  await ctrlDown();
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('row')));
  await userEvent.keyboard('{Escape}');

  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(view());
});

it('stays open for Escape where it covers nothing', async () => {
  open({ elsewhere: true });
  await ctrlDown();
  expect(isOpen()).toBe(true);

  await userEvent.keyboard('{Escape}');
  expect(isOpen()).toBe(true);
  await ctrlDown();
  expect(isOpen()).toBe(false);
});

// @vitest-environment jsdom
import { AppError, type Bookmark, changedEvents, type Mission } from '@osprey/contract';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useContext } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { BookmarksPanel } from '../bookmarks/BookmarksPanel.tsx';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { useViewKeys } from '../missionview/useViewKeys.ts';
import { emptyFrame } from '../onscreen/frames.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { bookmarkOf } from '../testing/bookmarks.ts';
import { type Answers, fakeApi, missionOf } from '../testing/fake-api.ts';
import { show as draw } from '../testing/show.tsx';
import { sensorRow, viewServices } from '../testing/view-services.ts';
import { TimelineExtrasContext } from '../timeline/marks.ts';
import { MissionHost } from './MissionHost.tsx';
import { loadViewFeatures } from './view-features.ts';

beforeAll(loadViewFeatures);
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const SECOND = 1_000_000;
const sensor = sensorRow();
const mission: Mission = missionOf({ name: 'Kea', sensors: [sensor], startTime: 0, audience: 'everyone' });

/** A server that keeps bookmarks. */
function server(first: readonly Bookmark[] = []) {
  const stored = { rows: [...first] as Bookmark[] };
  const answers: Answers = {
    'GET /bookmarks': () => stored.rows,
    'POST /bookmarks': ({ body }) => {
      const { title, startTime, text, color, tags } = body as unknown as Bookmark;
      const made = bookmarkOf({ missionId: mission._id, title, time: startTime, text, color, tags });
      stored.rows = [...stored.rows, made];
      return { ...made, message: `Bookmark ${title} added.` };
    },
    'PUT /bookmarks/:id': ({ params, body }) => {
      const before = stored.rows.find(({ _id }) => _id === params!.id)!;
      if ((body as unknown as Bookmark).revision !== before.revision) throw new AppError('revisionConflict');
      const changed = { ...before, ...(body as unknown as object), revision: before.revision + 1, editor: 'ben' };
      stored.rows = stored.rows.map((one) => (one === before ? changed : one));
      return changed;
    },
    'DELETE /bookmarks': ({ body }) => {
      const { bookmarks } = body as unknown as { bookmarks: string[] };
      const gone = stored.rows.filter(({ _id }) => bookmarks.includes(_id));
      stored.rows = stored.rows.filter((one) => !gone.includes(one));
      return { message: `Bookmark(s) ${gone.map(({ title }) => title).join(', ')} deleted.` };
    },
  };
  return { answers, stored };
}

/** The view of a mission that shows a picture of ten seconds. */
function show(
  { answers }: { answers: Answers },
  { at = '/missions', role = 'user' as const as 'user' | 'guest' } = {},
) {
  const services = viewServices();
  const fake = fakeApi(answers);
  const counts = { drawn: 0 };
  function View() {
    counts.drawn += 1;
    const nothing = () => undefined;
    useViewKeys({
      ...{ clock: services.clock, lead: nothing, fullScreen: nothing, showKeys: nothing, noMaster: nothing },
      ...{
        panels: { map: true, telemetry: true },
        changePanels: nothing,
        features: useContext(FeatureCommandsContext),
      },
    });
    return <Shown />;
  }
  function Shown() {
    const { marks = [], selection } = useContext(TimelineExtrasContext);
    return (
      <>
        <output aria-label="selection">{JSON.stringify([selection?.inUs, selection?.outUs])}</output>
        <output aria-label="pins">{JSON.stringify(marks.map(({ timeUs, label }) => [label, timeUs / SECOND]))}</output>
      </>
    );
  }
  const view = <View />;
  const actor = {
    id: crypto.randomUUID(),
    username: 'ben',
    role,
    clearance: 'SECRET' as const,
    groups: [],
    administered: [],
  };
  const address = { choice: { sensorId: null, shownIds: null, healthOf: null }, onChoice: () => undefined };
  const page = draw(
    <ViewServicesContext value={services}>
      <MissionHost calm mission={mission} sensors={[sensor]} address={address}>
        {view}
      </MissionHost>
      <BookmarksPanel tabs={null} panel={{ role: 'tabpanel', id: 'p', 'aria-labelledby': 't' }} />
    </ViewServicesContext>,
    { api: fake.api, at, session: { actor } },
  );
  const goTo = (seconds: number) =>
    act(() => {
      services.clock.seek(seconds * SECOND);
      services.frames.publish(emptyFrame(sensor._id, seconds * SECOND));
    });
  goTo(10);
  return { ...fake, ...page, services, counts, goTo };
}

const text = (name: string) => screen.getByRole('status', { name }).textContent;
const pins = async (requested: [string, number][]) =>
  waitFor(() => expect(text('pins')).toBe(JSON.stringify(requested)));

it("sets In and Out by their keys at the clock's time, and draws no player for it", async () => {
  const { goTo, counts } = show(server());

  await userEvent.keyboard('i');
  goTo(20);
  await userEvent.keyboard('o');

  expect(text('selection')).toBe('[10000000,20000000]');
  expect(counts.drawn).toBe(1);
});

it('B asks for a title, Enter makes a bookmark of the frame on screen, and its pin is there at once', async () => {
  const { inputsOf } = show(server());
  await pins([]);

  await userEvent.keyboard('b');
  const dialog = await screen.findByRole('dialog', { name: /Create Bookmark/ });
  await userEvent.keyboard('{Enter}');
  expect(await within(dialog).findByText('Empty title')).toBeTruthy();
  await userEvent.keyboard('Take-off');
  expect(within(dialog).queryByText('Empty title')).toBeNull();
  await userEvent.keyboard('{Enter}');

  await pins([['Take-off', 10]]);
  expect(await screen.findByText('Bookmark Take-off added.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(inputsOf('POST /bookmarks')).toMatchObject([
    { body: { missionIdOrName: mission._id, sensorIdOrName: sensor._id, startTime: 10 * SECOND, position: 0 } },
  ]);
});

it('says what the server said where a bookmark is refused, and keeps what was typed', async () => {
  const { answers } = server();
  answers['POST /bookmarks'] = () => {
    throw new AppError('ruleRefused', { reason: 'The sensor shows nothing at this time.' });
  };
  show({ answers });

  await userEvent.keyboard('b');
  await screen.findByRole('dialog');
  await userEvent.keyboard('Take-off{Enter}');

  const alert = await screen.findByRole('alertdialog');
  expect(alert.textContent).toContain('Error creating bookmark: The sensor shows nothing at this time.');
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  expect(await screen.findByDisplayValue('Take-off')).toBeTruthy();
});

it('Shift+B marks without a dialog, numbered after the last, and the title is typed in its place', async () => {
  const { stored, ...own } = server([bookmarkOf({ missionId: mission._id, title: 'Mark 2', time: 5 * SECOND })]);
  show(own);
  await pins([['Mark 2', 5]]);

  await userEvent.keyboard('{Shift>}B{/Shift}');
  const field = await screen.findByDisplayValue('Mark 3');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard('Small craft{Enter}');

  await waitFor(() => expect(stored.rows.map(({ title }) => title)).toEqual(['Mark 2', 'Small craft']));
  await pins([
    ['Mark 2', 5],
    ['Small craft', 10],
  ]);
  expect(screen.queryByRole('form', { name: 'Title of the mark' })).toBeNull();
});

it('brackets, and Alt with arrows, go to the previous and the next pin, and say where there is none', async () => {
  const own = server([2, 30].map((at) => bookmarkOf({ missionId: mission._id, title: `At ${at}`, time: at * SECOND })));
  const { services } = show(own);
  await pins([
    ['At 2', 2],
    ['At 30', 30],
  ]);

  await userEvent.keyboard(']');
  expect(services.clock.timeUs()).toBe(30 * SECOND);
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(services.clock.timeUs()).toBe(2 * SECOND);
  await userEvent.keyboard('[[');
  expect(services.clock.timeUs()).toBe(2 * SECOND);
  expect(await screen.findByText('There is no bookmark before this moment.')).toBeTruthy();
});

it('reads the list 200 to 500 ms after another user changed it, once for several changes', async () => {
  const { stored, ...own } = server();
  const { bus, calls } = show(own);
  await pins([]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = () => calls.filter(({ name }) => name === 'GET /bookmarks').length;
  const before = asked();

  stored.rows = [bookmarkOf({ missionId: mission._id, time: 7 * SECOND })];
  for (let n = 0; n < 3; n += 1) act(() => bus.emit(changedEvents.bookmark.name, { ids: [mission._id] }));
  act(() => bus.emit(changedEvents.bookmark.name, { ids: [crypto.randomUUID()] }));
  await act(async () => void (await vi.advanceTimersByTimeAsync(199)));
  expect(asked()).toBe(before);
  await act(async () => void (await vi.advanceTimersByTimeAsync(301)));

  expect(asked()).toBeGreaterThan(before);
  expect(text('pins')).toBe('[["Take-off",7]]');
});

it('T-036 shows neither pin nor row of a mission that was revoked', async () => {
  const own = server([bookmarkOf({ missionId: mission._id })]);
  const { bus, queries } = show(own);
  await pins([['Take-off', 10]]);
  own.answers['GET /bookmarks'] = () => {
    throw new AppError('notFound');
  };

  act(() => bus.emit('revoked', { noun: 'missions', ids: [mission._id] }));

  await pins([]);
  expect(queries.getQueryData(['bookmarks', mission._id])).toBeUndefined();
  await waitFor(() => expect(screen.queryByText('Take-off')).toBeNull());
});

it('a guest sees pins and list, and the reason why marking is not possible', async () => {
  const own = server([bookmarkOf({ missionId: mission._id, editable: false })]);
  show(own, { role: 'guest' });
  await pins([['Take-off', 10]]);

  await userEvent.keyboard('b');

  expect(await screen.findByText('Guest users cannot add bookmarks. Please log in with an account.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('E opens the export of the selection, and gives a guest the reason why there is none', async () => {
  const own = server();
  own.answers['GET /sensors/clipPlan/:mission/:sensor'] = () => {
    throw new AppError('ruleRefused', { reason: 'Nothing there.' });
  };
  show(own);
  await userEvent.keyboard('e');
  expect(await screen.findByRole('dialog', { name: 'Export clip' })).toBeTruthy();
  cleanup();

  show(own, { role: 'guest' });
  await userEvent.keyboard('e');

  expect(await screen.findByText('Guest users do not have permission to download the video.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('the panel sorts, searches, leads to a bookmark by click and arrow keys, and deletes chosen ones with Undo', async () => {
  const titles = ['Take-off', 'Search area', 'Hand-over'];
  const own = server(
    titles.map((title, n) => bookmarkOf({ missionId: mission._id, title, time: (n + 1) * 100 * SECOND })),
  );
  const { stored } = own;
  own.answers['POST /bookmarks/restore'] = () => {
    stored.rows = all;
    return { message: 'restored' };
  };
  const all = stored.rows;
  const { services } = show(own);
  const panel = await screen.findByRole('treegrid', { name: 'Bookmarks' });
  const rows = () => within(panel).getAllByRole('row').slice(1);
  await waitFor(() => expect(rows()).toHaveLength(3));

  await userEvent.click(within(panel).getByText('Search area'));
  expect(services.clock.timeUs()).toBe(200 * SECOND);
  rows()[1]!.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(services.clock.timeUs()).toBe(300 * SECOND);

  await userEvent.click(within(panel).getByRole('button', { name: /Title/ }));
  expect(rows().map((row) => titles.find((title) => row.textContent?.includes(title)))).toEqual([
    'Hand-over',
    'Search area',
    'Take-off',
  ]);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search' }), 'hand');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await userEvent.click(within(panel).getByRole('checkbox', { name: 'Choose Hand-over' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(stored.rows).toHaveLength(2));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await pins(titles.map((title, n) => [title, (n + 1) * 100]));
});

it('puts back what could not be deleted, with what the server said', async () => {
  const own = server([bookmarkOf({ missionId: mission._id })]);
  own.answers['DELETE /bookmarks'] = () => {
    throw new AppError('forbidden');
  };
  show(own);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Take-off' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));

  expect(await screen.findByText('Error deleting bookmarks You do not have the rights for this.')).toBeTruthy();
  await pins([['Take-off', 10]]);
});

it('a change of an old version shows the new one and is saved over it only when asked again', async () => {
  const own = server([bookmarkOf({ missionId: mission._id })]);
  const { stored } = own;
  const { queries } = show(own);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Take-off' }));
  const dialog = await screen.findByRole('dialog', { name: /Edit Bookmark/ });
  stored.rows = stored.rows.map((row) => ({ ...row, revision: 5, text: 'by somebody else' }));
  // The list follows the other user while the dialog is open.
  await act(() => queries.invalidateQueries({ queryKey: ['bookmarks'] }));
  await userEvent.type(within(dialog).getByLabelText(/Title/), ' 2');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText(/Somebody else changed this bookmark meanwhile/)).toBeTruthy();
  await waitFor(async () => {
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(stored.rows[0]).toMatchObject({ title: 'Take-off 2', revision: 6 });
  });
});

it('a link leads to the frame of its bookmark; of one that is gone it says so', async () => {
  const own = server([bookmarkOf({ missionId: mission._id, time: 1234 * SECOND })]);
  const id = own.stored.rows[0]!._id;
  const { services } = show(own, { at: `/missions?mission=${mission._id}&bookmark=${id}` });
  await waitFor(() => expect(services.clock.timeUs()).toBe(1234 * SECOND));
  cleanup();

  show(own, { at: `/missions?bookmark=${crypto.randomUUID()}` });
  expect(await screen.findByText('This bookmark was deleted, or you may not see it.')).toBeTruthy();
});

// @vitest-environment jsdom
import { type Actor, roles } from '@osprey/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepQuiet } from '../base/quiet.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { texts } from '../base/texts.ts';
import { menuOf } from '../pages/menu.ts';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, info, show } from '../testing/show.tsx';
import { Shell } from './Shell.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

function Labelled({ label }: { label: 'RESTRICTED' | 'SECRET' }) {
  useShownLabels([label]);
  return <p>{label} things</p>;
}

const open = (content: React.ReactNode = null, state: 'Online' | 'Offline' = 'Online', actor: Actor = admin) =>
  show(
    <Shell menuOf={menuOf} activity={null} account={null}>
      {content}
    </Shell>,
    { api: fakeApi({}).api, state, session: { actor, info: { ...info, company: 'Coastal Authority' } } },
  );

it('shows product, company, server state and the entries of pages that exist', () => {
  open(null, 'Online', { ...admin, role: 'user' });

  expect(screen.getByText('Coastal Authority')).toBeDefined();
  expect(screen.getByRole('status', { name: 'Server state: Online' })).toBeDefined();
  const [rail] = screen.getAllByRole('navigation', { name: 'Main menu' });
  expect([...rail!.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual([
    'VOD',
    'Live',
    'Docs',
    'Cases',
    'Map',
    'Find',
    'Help',
    'About',
  ]);
});

it.each(roles)('leads a %s to recordings, live streams and documents', (role) => {
  open(null, 'Online', { ...admin, role });

  const [rail] = screen.getAllByRole('navigation', { name: 'Main menu' });
  const addresses = new Map([...rail!.querySelectorAll('a')].map((link) => [link.textContent, link.pathname]));
  expect([addresses.get('VOD'), addresses.get('Live'), addresses.get('Docs')]).toEqual([
    '/missions',
    '/live',
    '/documents',
  ]); // S1-001
});

it.each(roles)('shows a %s the entries Platforms and Admin only where that is an admin role', (role) => {
  open(null, 'Online', { ...admin, role });

  const [rail] = screen.getAllByRole('navigation', { name: 'Main menu' });
  const addresses = [...rail!.querySelectorAll('a')].map(({ pathname }) => pathname);
  const isAdminRole = ['superAdmin', 'admin', 'groupAdmin'].includes(role);
  expect([addresses.includes('/platforms'), addresses.includes('/admin')]).toEqual([isAdminRole, isAdminRole]);
  expect(addresses.includes('/usergroups')).toBe(['superAdmin', 'admin'].includes(role));
});

it('names the roles', () => {
  expect(roles.map((role) => texts.roles[role])).toEqual(['Super admin', 'Admin', 'Group admin', 'User', 'Guest']);
});

it('remembers whether the menu is open', async () => {
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Open the menu' }));
  expect(screen.getByRole('heading', { name: 'Misc' })).toBeDefined();
  expect(localStorage.getItem('sideMenuOpened')).toBe('true');
  cleanup();

  open();
  expect(screen.getByRole('button', { name: 'Close the menu' })).toBeDefined();
});

it('marks the page with the highest label on screen, and lowers it when that goes', () => {
  const { rerender } = open(
    <>
      <Labelled label="RESTRICTED" />
      <Labelled label="SECRET" />
    </>,
  );
  expect(screen.getAllByRole('note', { name: 'Highest classification on screen: SECRET' })).toHaveLength(2);

  rerender(
    <Shell menuOf={menuOf} activity={null} account={null}>
      <Labelled label="RESTRICTED" />
    </Shell>,
  );
  expect(screen.getAllByRole('note', { name: 'Highest classification on screen: RESTRICTED' })).toHaveLength(2);
});

it('does not leave for a file that is dropped outside its place, and takes nothing else away', () => {
  open(<p onDragOver={(event) => event.preventDefault()}>Drop here</p>);
  const files = { dataTransfer: { types: ['Files'], dropEffect: 'copy' } };
  const text = { dataTransfer: { types: ['text/plain'], dropEffect: 'copy' } };
  const goesOn = (over: typeof files) => fireEvent.dragOver(screen.getByRole('main'), over);

  expect(goesOn(files)).toBe(false);
  expect(files.dataTransfer.dropEffect).toBe('none');
  expect(fireEvent.drop(screen.getByRole('main'), files)).toBe(false);
  expect(goesOn(text)).toBe(true);
  files.dataTransfer.dropEffect = 'copy';
  fireEvent.dragOver(screen.getByText('Drop here'), files);
  expect(files.dataTransfer.dropEffect).toBe('copy');
});

it('prints in the light scheme, and goes back to that of the user', () => {
  const root = document.documentElement;
  root.dataset.scheme = 'dark';
  open();

  fireEvent(window, new Event('beforeprint'));
  expect(root.dataset.scheme).toBe('light');
  fireEvent(window, new Event('afterprint'));

  expect(root.dataset.scheme).toBe('dark');
});

it('keeps standing when a page meets a fault', () => {
  const Broken = () => {
    throw new Error('broken');
  };

  open(<Broken />);

  expect(screen.getByRole('alert').textContent).toContain('Something went wrong on this page');
  expect(screen.getByRole('banner')).toBeDefined();
});

it('asks again for a part of the page that could not be fetched, without loading the page', async () => {
  let isThere = false;
  const Part = () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module: /assets/Part.js');
    return <p>Part</p>;
  };
  open(<Part />);
  expect(screen.getByRole('alert').textContent).toContain('This could not be loaded');

  isThere = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));

  expect(screen.getByText('Part')).toBeDefined();
});

it('has no serious accessibility finding', async () => {
  const { container } = open(<h1>Page</h1>);

  expect(await seriousFindings(container)).toEqual([]);
});

it('shows the menus of the link of a mission after its first picture', async () => {
  history.replaceState(null, '', '/missions?mission=m1');
  const firstPicture = keepQuiet();
  show(
    <Shell menuOf={menuOf} activity={<p>Uploads</p>} account={<p>Account</p>}>
      <p>Picture</p>
    </Shell>,
    { api: fakeApi({}).api, state: 'Online', session: { actor: admin, info } },
  );
  const [rail] = screen.getAllByRole('navigation', { name: 'Main menu' });
  expect([rail!.querySelector('a'), screen.queryByText('Uploads'), screen.queryByText('Account')]).toEqual([
    null,
    null,
    null,
  ]);

  firstPicture();

  await screen.findByText('Uploads');
  expect(rail!.querySelector('a')).not.toBeNull();
  expect(screen.getByText('Account')).toBeDefined();
  history.replaceState(null, '', '/');
});

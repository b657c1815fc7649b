// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storageKeys } from '../base/keys.ts';
import type { ViewTab } from '../missionview/feature.ts';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { TabHost } from './TabHost.tsx';
import { viewTabs } from './view-features.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const life: string[] = [];

function Content({ name }: { name: string }) {
  useEffect(() => {
    life.push(`${name} comes`);
    return () => void life.push(`${name} goes`);
  }, [name]);
  return <p>Content of {name}</p>;
}

const tabOf = (label: string, fields: Partial<ViewTab> = {}): ViewTab => ({
  id: label.toLowerCase(),
  label,
  content: ({ strip, panel }) => (
    <TablePanel label={label} tabs={strip} tools={<button type="button">Tool of {label}</button>}>
      <div {...panel}>
        <Content name={label} />
      </div>
    </TablePanel>
  ),
  ...fields,
});

const [vod, live, toy] = [tabOf('VOD', { stays: true }), tabOf('Live'), tabOf('Toy')];
const broken = tabOf('Broken', {
  content: () => {
    throw new Error('does not draw');
  },
});

function open(tabs: ViewTab[]) {
  life.length = 0;
  return show(<TabHost label="Missions" tabs={tabs} storageKey={storageKeys.missionsTabValue} />, fakeApi({}));
}

const tabs = () => screen.getAllByRole('tab');
const tab = (name: string) => screen.getByRole('tab', { name });
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;
const stored = () => localStorage.getItem('missionsTabValue');

it('has one tab, as a page without further tabs has it', () => {
  open([vod]);

  expect(tabs().map(({ textContent }) => textContent)).toEqual(['VOD']);
  expect(screen.getByRole('tabpanel', { name: 'VOD' }).textContent).toBe('Content of VOD');
});

it('goes to a further tab and back, and takes away what is not chosen', async () => {
  open([live, toy]);
  expect(tabs().map(({ textContent }) => textContent)).toEqual(['Live', 'Toy']);

  await userEvent.click(tab('Toy'));
  expect(chosen()).toBe('Toy');
  expect(screen.getByRole('tabpanel', { name: 'Toy' }).id).toBe(tab('Toy').getAttribute('aria-controls'));
  expect(screen.queryByText('Content of Live')).toBeNull();
  await userEvent.click(tab('Live'));

  expect(life).toEqual(['Live comes', 'Live goes', 'Toy comes', 'Toy goes', 'Live comes']);
  expect(screen.getByText('Tool of Live')).toBeDefined();
});

it('has the tab AIS only where the server shows ships', () => {
  const tabsOfPage = [live, ...viewTabs.filter(({ id }) => id === 'ais')];
  const Offered = () => <TabHost label="Missions" tabs={tabsOfPage} storageKey={storageKeys.missionsTabValue} />;
  const labelsWith = (useAis?: boolean) => {
    show(<Offered />, { ...fakeApi({}), session: { info: { ...info, ...(useAis !== undefined && { useAis }) } } });
    const labels = tabs().map(({ textContent }) => textContent);
    cleanup();
    return labels;
  };
  expect(labelsWith(true)).toEqual(['Live', 'AIS']);
  expect(labelsWith(false)).toEqual(['Live']);
  expect(labelsWith()).toEqual(['Live']);
});

it('keeps a panel that the page needs, hidden and without a strip of its own', async () => {
  open([vod, toy]);

  await userEvent.click(tab('Toy'));

  expect(life).toEqual(['VOD comes', 'Toy comes']);
  expect(screen.getAllByRole('tablist', { hidden: true })).toHaveLength(1);
  expect(screen.getAllByRole('tabpanel').map(({ textContent }) => textContent)).toEqual(['Content of Toy']);
});

it('is walked by arrows, with one tab in the tab order, and chosen by Enter and Space with the focus kept', async () => {
  open([vod, live, toy]);
  expect(tabs().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);

  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(tab('Toy'));
  expect(chosen()).toBe('VOD');
  await userEvent.keyboard('{Enter}');
  expect(chosen()).toBe('Toy');
  expect(document.activeElement).toBe(tab('Toy'));
  expect(tabs().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);

  await userEvent.keyboard('{Home} ');
  expect(chosen()).toBe('VOD');
  expect(document.activeElement).toBe(tab('VOD'));
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Tool of VOD');
});

it('remembers the index of the chosen tab under the name of the specification', async () => {
  open([vod, toy]);
  expect(stored()).toBe('0');

  await userEvent.click(tab('Toy'));
  expect(stored()).toBe('1');
  cleanup();

  open([live, toy]);
  expect(chosen()).toBe('Toy');
  cleanup();

  // Where that tab is not there, the first one is shown, and the memory stays.
  open([vod]);
  expect(chosen()).toBe('VOD');
  expect(stored()).toBe('1');
});

it.each(['-1', '1.5', 'Toy', '{}', '99999999999999999999'])('takes the first tab where %s is remembered', (text) => {
  localStorage.setItem('missionsTabValue', text);

  open([vod, toy]);

  expect(chosen()).toBe('VOD');
});

it('shows a notice in place of a panel that fails, and the other tabs still work', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  open([vod, broken, toy]);

  await userEvent.click(tab('Broken'));
  expect(screen.getByRole('tabpanel', { name: 'Broken' }).textContent).toContain('Something went wrong on this page');
  await userEvent.click(tab('Toy'));

  expect(screen.getByRole('tabpanel', { name: 'Toy' }).textContent).toBe('Content of Toy');
  await userEvent.click(tab('VOD'));
  expect(screen.getByText('Content of VOD')).toBeDefined();
});

it('has no serious accessibility finding', async () => {
  const { container } = open([vod, live, toy]);
  await userEvent.click(tab('Live'));

  expect(await seriousFindings(container)).toEqual([]);
});

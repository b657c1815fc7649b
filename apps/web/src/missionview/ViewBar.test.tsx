// @vitest-environment jsdom
import { mdiMapOutline, mdiSpeedometer } from '@mdi/js';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { PanelToggles } from './ViewBar.tsx';

afterEach(cleanup);

const toggles = [
  { toggle: 'map', icon: mdiMapOutline, label: 'Map' },
  { toggle: 'telemetry', icon: mdiSpeedometer, label: 'Telemetry' },
] as const;

function View() {
  const [on, setOn] = useState({ map: true, telemetry: true });
  const flip = (toggle: 'map' | 'telemetry') => setOn({ ...on, [toggle]: !on[toggle] });
  return (
    <>
      <PanelToggles toggles={toggles} on={on} onToggle={flip} onKeys={null} />
      {on.telemetry && (
        <button type="button" onClick={() => flip('telemetry')}>
          Close telemetry
        </button>
      )}
      <button type="button" onKeyDown={() => flip('map')}>
        Play
      </button>
    </>
  );
}

const focused = () => document.activeElement;

it('takes the focus of a panel that was closed from within', async () => {
  render(<View />);

  await userEvent.click(screen.getByRole('button', { name: 'Close telemetry' }));

  expect(focused()).toBe(screen.getByRole('button', { name: 'Telemetry' }));
});

it('leaves the focus where it is when a panel is closed from elsewhere', async () => {
  render(<View />);
  screen.getByRole('button', { name: 'Play' }).focus();

  await userEvent.keyboard('m');

  expect(screen.getByRole('button', { name: 'Map' }).getAttribute('aria-pressed')).toBe('false');
  expect(focused()).toBe(screen.getByRole('button', { name: 'Play' }));
});

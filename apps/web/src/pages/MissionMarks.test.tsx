// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useContext } from 'react';
import { afterEach, expect, it } from 'vitest';
import { MarkCommandsContext } from '../missionview/mark-commands.ts';
import { useViewKeys } from '../missionview/useViewKeys.ts';
import { PartsContext } from '../onscreen/parts.ts';
import { viewParts } from '../onscreen/test-parts.ts';
import { useSelection } from '../timeline/marks.ts';
import { MissionMarks } from './MissionMarks.tsx';

afterEach(cleanup);

const SECOND = 1_000_000;

it('sets In and Out by their keys where the clock stands, and draws no player for it', async () => {
  const parts = viewParts();
  let drawn = 0;
  function View() {
    drawn += 1;
    const nothing = () => undefined;
    useViewKeys({
      ...{ clock: parts.clock, lead: nothing, fullScreen: nothing, showKeys: nothing, noMaster: nothing },
      ...{ panels: { map: true, telemetry: true }, changePanels: nothing, mark: useContext(MarkCommandsContext) },
    });
    return <Shown />;
  }
  function Shown() {
    const { inUs = null, outUs = null } = useSelection() ?? {};
    return <output>{JSON.stringify([inUs, outUs])}</output>;
  }
  const view = <View />;
  render(
    <PartsContext value={parts}>
      <MissionMarks>{view}</MissionMarks>
    </PartsContext>,
  );

  parts.clock.seek(10 * SECOND);
  await userEvent.keyboard('i');
  parts.clock.seek(20 * SECOND);
  await userEvent.keyboard('o');

  expect(screen.getByRole('status').textContent).toBe('[10000000,20000000]');
  expect(drawn).toBe(1);
});

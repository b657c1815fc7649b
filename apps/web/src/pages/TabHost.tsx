import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.ts';
import { readStored, writeStored } from '../base/keys.ts';
import type { TabParts, ViewTab } from '../missionview/feature.ts';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { TabStrip, tabPanelProps } from '../ui/TabStrip.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';

type Props = {
  /** Names the strip. */
  label: string;
  /**
   * At least one. The choice is stored as an index, so a tab that only some users have comes after those that all have.
   */
  tabs: readonly ViewTab[];
  /** Local storage key of the index of the chosen tab; null: it is not remembered. */
  storageKey: string | null;
  /** The mission that is open. */
  mission?: Mission | null;
};

/** Shows one of several panels that this installation has. A panel that fails is replaced by a notice, and the other tabs still work. */
export function TabHost({ label, tabs: all, storageKey, mission = null }: Props) {
  const { info } = useSession();
  const tabs = all.filter(({ isOffered }) => isOffered === undefined || (info !== null && isOffered(info)));
  const [requested, setRequested] = useState(() => storedIndex(storageKey));
  const focus = useRef(false);
  const chosen = tabs[requested] ?? tabs[0]!;

  useEffect(() => {
    if (storageKey !== null && readStored(storageKey) === null) writeStored(storageKey, '0');
  }, [storageKey]);

  function choose(id: string) {
    const index = tabs.findIndex((tab) => tab.id === id);
    focus.current = true;
    setRequested(index);
    if (storageKey !== null) writeStored(storageKey, String(index));
  }

  const strip = <TabStrip label={label} tabs={tabs} chosen={chosen.id} onChoose={choose} focus={focus} />;
  return tabs.map((tab) => {
    const isChosen = tab === chosen;
    if (!isChosen && !tab.stays) return null;
    return (
      <div key={tab.id} hidden={!isChosen} style={isChosen ? { display: 'contents' } : undefined}>
        <Hosted tab={tab} strip={isChosen ? strip : null} mission={mission} />
      </div>
    );
  });
}

function Hosted({ tab, strip, mission }: { tab: ViewTab; strip: ReactNode; mission: Mission | null }) {
  const panel = tabPanelProps(tab.id);
  const inFrame = (notice: ReactNode) => (
    <TablePanel label={tab.label} tabs={strip} tools={null}>
      <Box {...panel} sx={{ height: '100%', overflowY: 'auto' }}>
        {notice}
      </Box>
    </TablePanel>
  );
  return (
    <ErrorBoundary frame={inFrame}>
      <Content {...{ tab, strip, panel, mission }} />
    </ErrorBoundary>
  );
}

/** Inside the boundary: what fails while it draws itself is caught too. */
const Content = ({ tab, ...parts }: TabParts & { tab: ViewTab }) => tab.content(parts);

function storedIndex(storageKey: string | null): number {
  const stored = storageKey === null ? null : readStored(storageKey);
  return stored !== null && /^\d+$/.test(stored) ? Number(stored) : 0;
}

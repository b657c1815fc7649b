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
  /** Accessible name of the tab strip. */
  label: string;
  /**
   * One tab or more. The choice is stored as an index, so tabs that only some users have must come after those that all
   * have.
   */
  tabs: readonly ViewTab[];
  /** Local storage key for the index of the chosen tab; null if it is not remembered. */
  storageKey: string | null;
  /** Index of the chosen tab, where the page has other controls that choose one. */
  choice?: TabChoice;
  /** The open mission. */
  mission?: Mission | null;
};

type TabChoice = readonly [index: number, choose: (index: number) => void];

/** Returns the tabs that this installation offers. */
export function useOfferedTabs(tabs: readonly ViewTab[]): readonly ViewTab[] {
  const { info } = useSession();
  return tabs.filter(({ isOffered }) => isOffered === undefined || (info !== null && isOffered(info)));
}

/** State of the chosen tab, remembered by its index. */
export function useTabChoice(storageKey: string | null): TabChoice {
  const [index, setIndex] = useState(() => storedIndex(storageKey));
  function choose(next: number) {
    setIndex(next);
    if (storageKey !== null) writeStored(storageKey, String(next));
  }
  return [index, choose];
}

/**
 * Shows one of the panels offered by this installation. A panel that fails is replaced by a notice, and the other tabs
 * remain usable.
 */
export function TabHost({ label, tabs: all, storageKey, choice, mission = null }: Props) {
  const tabs = useOfferedTabs(all);
  const own = useTabChoice(storageKey);
  const [requested, setRequested] = choice ?? own;
  const focus = useRef(false);
  const chosen = tabs[requested] ?? tabs[0]!;

  useEffect(() => {
    if (storageKey !== null && readStored(storageKey) === null) writeStored(storageKey, '0');
  }, [storageKey]);

  function choose(id: string) {
    focus.current = true;
    setRequested(tabs.findIndex((tab) => tab.id === id));
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
  const inPanel = (notice: ReactNode) => (
    <TablePanel label={tab.label} tabs={strip} tools={null}>
      <Box {...panel} sx={{ height: '100%', overflowY: 'auto' }}>
        {notice}
      </Box>
    </TablePanel>
  );
  return (
    <ErrorBoundary frame={inPanel}>
      <Content {...{ tab, strip, panel, mission }} />
    </ErrorBoundary>
  );
}

/** A component of its own inside the error boundary, so that errors during rendering are caught too. */
const Content = ({ tab, ...parts }: TabParts & { tab: ViewTab }) => tab.content(parts);

function storedIndex(storageKey: string | null): number {
  const stored = storageKey === null ? null : readStored(storageKey);
  return stored !== null && /^\d+$/.test(stored) ? Number(stored) : 0;
}

import { Box } from '@mui/material';
import type { Info } from '@osprey/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../base/keys.ts';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { type TabName, type TabPanelProps, TabStrip, tabPanelProps } from '../ui/TabStrip.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';

/** `strip` goes to the left end of the toolbar of the panel, `panel` to the element that holds its content. */
export type TabParts = { strip: ReactNode; panel: TabPanelProps };

export type HostedTab = TabName & {
  /** Draws the panel. */
  content: (parts: TabParts) => ReactNode;
  /** The page needs what the panel reads: it stays, hidden, while another tab is chosen. Others are taken away. */
  stays?: true;
  /** Whether this installation has it, by GET info; left out: each has. */
  isOffered?: (info: Info) => boolean;
};

type Props = {
  /** Names the strip. */
  label: string;
  /**
   * At least one. The choice is stored as an index, so a tab that only some users have comes after those that all have.
   */
  tabs: readonly HostedTab[];
  /** Local storage key of the index of the chosen tab; null: it is not remembered. */
  storageKey: string | null;
};

/** Shows one of several panels. A panel that fails is replaced by a notice, and the other tabs still work. */
export function TabHost({ label, tabs, storageKey }: Props) {
  const [wanted, setWanted] = useState(() => storedIndex(storageKey));
  const focus = useRef(false);
  const chosen = tabs[wanted] ?? tabs[0]!;

  useEffect(() => {
    if (storageKey !== null && readStored(storageKey) === null) writeStored(storageKey, '0');
  }, [storageKey]);

  function choose(id: string) {
    const index = tabs.findIndex((tab) => tab.id === id);
    focus.current = true;
    setWanted(index);
    if (storageKey !== null) writeStored(storageKey, String(index));
  }

  const strip = <TabStrip label={label} tabs={tabs} chosen={chosen.id} onChoose={choose} focus={focus} />;
  return tabs.map((tab) => {
    const isChosen = tab === chosen;
    if (!isChosen && !tab.stays) return null;
    return (
      <div key={tab.id} hidden={!isChosen} style={isChosen ? { display: 'contents' } : undefined}>
        <Hosted tab={tab} strip={isChosen ? strip : null} />
      </div>
    );
  });
}

function Hosted({ tab, strip }: { tab: HostedTab; strip: ReactNode }) {
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
      <Content {...{ tab, strip, panel }} />
    </ErrorBoundary>
  );
}

/** Inside the boundary: what fails while it draws itself is caught too. */
const Content = ({ tab, ...parts }: TabParts & { tab: HostedTab }) => tab.content(parts);

function storedIndex(storageKey: string | null): number {
  const stored = storageKey === null ? null : readStored(storageKey);
  return stored !== null && /^\d+$/.test(stored) ? Number(stored) : 0;
}

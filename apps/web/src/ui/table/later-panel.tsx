import { Box } from '@mui/material';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { later } from '../later.tsx';
import type { TabPanelProps } from '../TabStrip.tsx';
import { TablePanel } from './TablePanel.tsx';

type Props = { tabs: ReactNode; panel: TabPanelProps };

/**
 * Creates the panel of a tab whose code is loaded when the tab is chosen. Until then its frame is shown, so that the
 * tab strip does not disappear and the focused tab keeps the focus.
 */
export function laterPanel(label: string, fetchPanel: () => Promise<ComponentType<Props>>) {
  const Panel = later(fetchPanel);

  return function LaterPanel(props: Props) {
    const [state, setState] = useState<'fetching' | 'there' | 'focus'>('fetching');
    const tabId = props.panel['aria-labelledby'];
    useEffect(() => {
      let current = true;
      // If loading fails, the panel throws the error when it is rendered.
      const draw = () => current && setState(document.activeElement?.id === tabId ? 'focus' : 'there');
      Panel.load().then(draw, draw);
      return () => {
        current = false;
      };
    }, [tabId]);
    useEffect(() => {
      if (state === 'focus') document.getElementById(tabId)?.focus();
    }, [state, tabId]);
    if (state !== 'fetching') return <Panel {...props} />;
    return (
      <TablePanel label={label} tabs={props.tabs} tools={null}>
        <Box {...props.panel} sx={{ height: '100%' }} aria-busy />
      </TablePanel>
    );
  };
}

import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { fill, formatCount } from '../base/format.ts';
import { toolOf } from '../missionview/ControlBar.tsx';
import { PanelToggles, ViewBar, ViewTitle, ViewTools } from '../missionview/ViewBar.tsx';
import { texts } from './texts.ts';

const TOGGLES = ['timeline', 'map', 'floatingMap', 'telemetry'] as const;
export type LiveToggle = (typeof TOGGLES)[number];

type Props = {
  /** Number of platforms. */
  platforms: number;
  sensors: { shown: number; all: number };
  collapsed: boolean;
  onCollapse: () => void;
  on: Record<LiveToggle, boolean>;
  onToggle: (toggle: LiveToggle) => void;
  onKeys: () => void;
  /** Buttons provided by the page. */
  actions: ReactNode;
  /** Shows only what a phone has room for. */
  compact: boolean;
};

const toggles = TOGGLES.map((toggle) => ({ toggle, ...toolOf(toggle) }));

/** Bar above the live view, with the number of platforms and of the sensors shown. */
export function LiveBar({ platforms, sensors, collapsed, onCollapse, on, onToggle, onKeys, actions, compact }: Props) {
  return (
    <ViewBar fold={texts} collapsed={collapsed} onCollapse={onCollapse}>
      <ViewTitle>
        <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }} data-part="sensors-count">
          {formatCount(platforms, texts.platforms)}
        </Box>
        <Box sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis', flex: 1 }}>
          {fill(texts.sensorsShown, sensors)}
        </Box>
      </ViewTitle>
      {!collapsed && (
        <ViewTools>
          {actions}
          {!compact && <PanelToggles toggles={toggles} on={on} onToggle={onToggle} onKeys={onKeys} />}
        </ViewTools>
      )}
    </ViewBar>
  );
}

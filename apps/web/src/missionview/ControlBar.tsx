import {
  mdiChartTimeline,
  mdiHeartPulse,
  mdiMapOutline,
  mdiPictureInPictureBottomRightOutline,
  mdiSpeedometer,
  mdiViewSplitVertical,
} from '@mdi/js';
import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import type { ReactNode } from 'react';
import { platformInk } from '../base/colours.ts';
import { plainText } from '../base/format.ts';
import { CutName } from '../ui/CutName.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';
import { PanelToggles, ViewBar, ViewTitle, ViewTools } from './ViewBar.tsx';

export type Toggle = 'timeline' | 'map' | 'floatingMap' | 'sideBySide' | 'telemetry' | 'health';

type Props = {
  mission: Mission;
  /** Button with the number of sensors, which opens the choice of those on screen. */
  badge: ReactNode;
  collapsed: boolean;
  onCollapse: () => void;
  on: Record<Toggle, boolean>;
  /** Toggles to show; on a phone, tabs replace some of the panels. */
  toggles: readonly Toggle[];
  onToggle: (toggle: Toggle) => void;
  /** Opens the list of keys; null on devices without a keyboard. */
  onKeys: (() => void) | null;
  /** Shows only the controls that fit on a phone. */
  compact: boolean;
  /** Puts the name on a line of its own. */
  twoLines: boolean;
  /** Buttons of the page at the right end of the bar. */
  actions: ReactNode;
};

const toggleIcons: Record<Toggle, string> = {
  timeline: mdiChartTimeline,
  map: mdiMapOutline,
  floatingMap: mdiPictureInPictureBottomRightOutline,
  sideBySide: mdiViewSplitVertical,
  telemetry: mdiSpeedometer,
  health: mdiHeartPulse,
};

/** Words of the toggles that are used most. */
const words: Partial<Record<Toggle, string>> = texts.toggleWords;

const keysOf: Partial<Record<Toggle, string>> = { map: 'M', floatingMap: 'Shift M', telemetry: 'T', health: 'H' };

/** Returns the button of a panel: its icon, name, word and key. */
export const toolOf = (toggle: Toggle) => ({
  ...{ icon: toggleIcons[toggle], label: texts.toggles[toggle], word: words[toggle] },
  ...(keysOf[toggle] !== undefined && { keys: keysOf[toggle] }),
});

const Bar = () => <Box sx={{ width: '1px', height: 16, bgcolor: 'surface.lineStrong', flex: 'none' }} />;

/**
 * Bar above the mission view: the mission's name, and toggles for its parts. On a phone, a long name takes a second
 * line.
 */
export function ControlBar(props: Props) {
  const { mission, badge, collapsed, onCollapse, on, toggles, onToggle, onKeys, compact, twoLines, actions } = props;
  const ink = platformInk(mission.platform.presentation.color, useScheme());
  const mark = <Box sx={{ width: 12, height: 12, bgcolor: ink, flex: 'none' }} />;
  const heading = { m: 0, fontSize: 16, fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis' } as const;
  const tools = (
    <>
      {!collapsed && (
        <PanelToggles
          toggles={toggles.map((toggle) => ({ toggle, ...toolOf(toggle) }))}
          on={on}
          onToggle={onToggle}
          onKeys={onKeys}
        />
      )}
      {actions}
    </>
  );
  return (
    <ViewBar fold={texts} collapsed={collapsed} onCollapse={onCollapse} twoLines={twoLines}>
      {compact ? (
        <>
          {mark}
          {/* On two lines the name takes all of the first next to the fold button and the colour. */}
          <Box
            component="h2"
            sx={{ ...heading, flex: `1 1 ${twoLines ? 'calc(100% - 80px)' : 0}`, minWidth: 0 }}
            aria-label={mission.name}
          >
            <CutName name={mission.name} />
          </Box>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: 'auto' }}>{tools}</Box>
        </>
      ) : (
        <>
          <ViewTitle>
            {badge}
            <Bar />
            {mark}
            <Box component="h2" title={mission.name} sx={{ ...heading, minWidth: 60 }}>
              {mission.name}
            </Box>
            <LabelMark label={mission.securityClassification} marked={mission.marked} />
            <Box
              component="span"
              title={plainText(mission.description)}
              sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0, flex: 1 }}
            >
              {plainText(mission.description)}
            </Box>
          </ViewTitle>
          <ViewTools>{tools}</ViewTools>
        </>
      )}
    </ViewBar>
  );
}

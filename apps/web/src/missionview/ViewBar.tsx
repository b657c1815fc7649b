import { mdiChevronDown, mdiChevronRight, mdiKeyboardOutline } from '@mdi/js';
import { Box, useMediaQuery } from '@mui/material';
import { type ReactNode, useEffect, useRef } from 'react';
import { size } from '../base/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { ToolWords } from '../ui/tool-words.ts';
import { useFocusGone } from '../ui/useFocusGone.ts';
import { texts } from './texts.ts';

type Props = {
  /** Labels of the button that collapses and expands the view. */
  fold: { open: string; collapse: string };
  collapsed: boolean;
  onCollapse: () => void;
  /** Puts the name on the first line and its buttons on the second. */
  twoLines?: boolean;
  children: ReactNode;
};

/** Bar above a view of players: the button that collapses the view, then its content, on one or two lines. */
export function ViewBar({ fold, collapsed, onCollapse, twoLines = false, children }: Props) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 1, sm: 2 },
        ...(twoLines
          ? // On a touch screen buttons are higher than a line.
            { flexWrap: 'wrap', rowGap: 0, height: 2 * size.toolbar, '& > *': { my: '-4px' } }
          : // Where the buttons do not fit next to the name they take lines of their own: none of them may be out of reach.
            { flexWrap: 'wrap', rowGap: 0, minHeight: size.toolbar }),
        px: 1,
        minWidth: 0,
        whiteSpace: 'nowrap',
      }}
    >
      <Action
        label={collapsed ? fold.open : fold.collapse}
        icon={collapsed ? mdiChevronRight : mdiChevronDown}
        aria-expanded={!collapsed}
        onClick={onCollapse}
      />
      {children}
    </Box>
  );
}

/**
 * Title at the left of the bar. It shrinks to `ROOM_PX` to make room for the buttons, which then wrap to the next line.
 */
export const ViewTitle = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: { xs: 1, sm: 2 }, flex: `1 1 ${ROOM_PX}px`, minWidth: 0 }}>
    {children}
  </Box>
);

/** Buttons of the bar. On a narrow page they wrap. */
export const ViewTools = ({ children }: { children: ReactNode }) => (
  <ToolWords value={useMediaQuery(`(min-width: ${WORDS_PX}px)`)}>
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 1,
        rowGap: 0,
        ml: 'auto',
        maxWidth: '100%',
      }}
    >
      {children}
    </Box>
  </ToolWords>
);

/** Window width from which tools have words, in px. */
const WORDS_PX = 1600;

/** Tools that belong together, parted from those before them by a line. */
export const ToolGroup = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      ...{ display: 'flex', flexWrap: 'wrap', gap: 1, rowGap: 0 },
      // A group without any tool is not seen.
      '&:empty': { display: 'none' },
      '@media (min-width: 600px)': { '* + &': { pl: 1, borderLeft: 1, borderColor: 'surface.line' } },
    }}
  >
    {children}
  </Box>
);

/** Minimum width of the title: room for sensors, label and the first letters of a name, in px. */
const ROOM_PX = 300;

type TogglesProps<Panel extends string> = {
  toggles: readonly { toggle: Panel; icon: string; label: string; word?: string | undefined; keys?: string }[];
  on: Record<Panel, boolean>;
  onToggle: (toggle: Panel) => void;
  /** Opens the list of keys; null on devices without a keyboard. */
  onKeys: (() => void) | null;
};

/** Toggle buttons of the panels next to the players, and the button for the list of keys. */
export function PanelToggles<Panel extends string>({ toggles, on, onToggle, onKeys }: TogglesProps<Panel>) {
  const bar = useRef<HTMLDivElement>(null);
  const before = useRef(on);
  const isFocusGone = useFocusGone();
  // If a panel was closed by its own button or a key, the focus moves to the toggle that reopens it, not to the top of
  // the page.
  useEffect(() => {
    const closed = toggles.findIndex(({ toggle }) => before.current[toggle] && !on[toggle]);
    before.current = on;
    if (closed >= 0 && isFocusGone()) bar.current?.querySelectorAll('button')[closed]?.focus();
  }, [toggles, on, isFocusGone]);
  return (
    <Box
      ref={bar}
      role="toolbar"
      aria-label={texts.panels}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, rowGap: 0 }}
    >
      {toggles.map(({ toggle, ...tool }) => (
        <Action key={toggle} {...tool} on={on[toggle]} onClick={() => onToggle(toggle)} />
      ))}
      {onKeys && <Action label={texts.keys} keys="?" icon={mdiKeyboardOutline} onClick={onKeys} />}
    </Box>
  );
}

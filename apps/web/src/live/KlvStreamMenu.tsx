import { mdiAlert, mdiChevronDown } from '@mdi/js';
import { Box, Button, ListItemText, MenuItem } from '@mui/material';
import { can, chooseLiveKlv, type LiveSensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Menu } from '../ui/Floating.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';
import type { Watched } from './watched.ts';

const words = texts.klv;
type Streams = NonNullable<LiveSensor['klvStreams']>;

/** Menu with the KLV streams of a sensor that has several. Users who control its platform can choose one. */
export function KlvStreamMenu({ platform, sensor }: Watched) {
  const actor = useActor();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { choose, busy } = useChoice(sensor);
  const found = sensor.klvStreams;
  if (!found) return null;
  const mayChoose = can(actor, 'platform.control', { ...platform, draft: false }).allowed;
  const isMissing = found.wanted !== null && found.chosen !== found.wanted;

  const item = (pid: number | null, primary: string, secondary: string) => (
    <MenuItem
      key={pid}
      role="menuitemradio"
      aria-checked={found.wanted === pid}
      selected={found.wanted === pid}
      aria-disabled={!mayChoose || busy}
      onClick={() => {
        if (!mayChoose || busy) return;
        setAnchor(null);
        if (pid !== found.wanted) void choose(pid, found.wanted);
      }}
    >
      <ListItemText primary={primary} secondary={secondary} sx={itemSx} />
    </MenuItem>
  );
  return (
    <Box sx={{ flex: 'none', display: 'flex', px: 1, borderBottom: 1, borderColor: 'surface.line', minWidth: 0 }}>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={isMissing ? fill(words.missing, { pid: found.wanted! }) : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<Icon path={mdiChevronDown} />}
        startIcon={isMissing ? <Icon path={mdiAlert} sx={{ color: 'warning.main' }} /> : null}
        sx={{ height: 26, px: 1, color: 'inherit', fontSize: 12, minWidth: 0, justifyContent: 'flex-start' }}
      >
        {shownText(found)}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {item(null, words.byRules, mayChoose ? words.byRulesHint : words.onlyControl)}
        {found.streams.map((stream) => item(stream.pid, nameOf(stream, found), contentOf(stream, found)))}
      </Menu>
    </Box>
  );
}

const itemSx = { maxWidth: 320, '& p': { whiteSpace: 'normal' } } as const;

function shownText({ chosen, streams }: Streams): string {
  const { length: count } = streams;
  return chosen === null ? fill(words.none, { count }) : fill(words.shown, { pid: chosen, count });
}

function nameOf({ pid, program }: Streams['streams'][number], { streams }: Streams): string {
  const isPlain = streams.every((one) => one.program === program);
  return fill(isPlain ? words.stream : words.streamOfProgram, { pid, program });
}

/** Describes a KLV stream, for example: "Shown, it has positions. 1,204 packets, 1,204 with a position." */
function contentOf({ pid, sets, positions, filled = [] }: Streams['streams'][number], found: Streams): string {
  return [
    ...(pid === found.chosen ? [words.by[found.by]] : []),
    ...(pid === found.wanted && pid !== found.chosen ? [words.awaited] : []),
    fill(words.counts, { sets: formatCount(sets, words.sets), positions: formatNumber(positions) }),
    ...(filled.length > 0 ? [fill(words.filled, { tags: filled.join(', ') })] : []),
  ].join(' ');
}

/** Returns a function that stores a choice, and offers to undo it. */
function useChoice({ _id, name }: LiveSensor) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  async function send(pid: number | null): Promise<string | null> {
    setBusy(true);
    try {
      return (await api.call(chooseLiveKlv, { params: { sensor: _id }, body: { pid } })).message;
    } catch (error) {
      show(fill(words.failed, { name, text: errorText(error) }), 'error');
      return null;
    } finally {
      setBusy(false);
      void queries.invalidateQueries({ queryKey: ['platforms', 'list'] });
    }
  }

  async function choose(pid: number | null, before: number | null): Promise<void> {
    const message = await send(pid);
    if (message === null) return;
    const undo = async () => {
      if ((await send(before)) !== null) show(words.undone);
    };
    show(message, 'success', { label: words.undo, onClick: () => void undo() });
  }

  return { choose, busy };
}

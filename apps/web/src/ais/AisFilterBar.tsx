import { mdiClockOutline, mdiPlaylistEdit, mdiRadar } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { type AisSources, aisModes, type ShipListRow } from '@osprey/contract';
import { useState } from 'react';
import { fill, plainText } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Popover } from '../ui/Floating.tsx';
import { rangeText } from '../ui/filter/time-range.ts';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { type AisFilter, hasRange } from './ais-filter.ts';
import { Choice, Minutes, MissionChoice, TypeChoice } from './filter-fields.tsx';
import { listTexts } from './lists/texts.ts';
import { rangeTexts } from './range/texts.ts';
import { texts } from './texts.ts';

const TimeFilter = later(async () => (await import('../ui/filter/TimeFilter.tsx')).TimeFilter);
const ListsDialog = laterDialog(async () => (await import('./lists/ListsDialog.tsx')).ListsDialog);
const RangeDialog = laterDialog(async () => (await import('./range/RangeDialog.tsx')).RangeDialog);
const words = texts.filters;

type Props = {
  filter: AisFilter;
  missions: AisSources['missions'];
  receivers: AisSources['receivers'];
  lists: readonly Pick<ShipListRow, '_id' | 'name'>[];
  count: string;
  onChange: (part: Partial<AisFilter>) => void;
};

/** Filters of the ships in the table and on the map. */
export function AisFilterBar({ filter, missions, receivers, lists, count, onChange }: Props) {
  const [managing, setManaging] = useState(false);
  const [ranging, setRanging] = useState(false);
  return (
    <Box
      role="group"
      aria-label={words.label}
      sx={{
        ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, minHeight: 40, px: 3, py: 0.5 },
        ...{ borderTop: 1, borderBottom: 1, borderColor: 'divider' },
      }}
    >
      <Choice
        label={words.mode}
        value={filter.mode}
        choices={aisModes.map((id) => ({ id, name: words.modes[id] }))}
        onChange={(mode) => onChange({ mode: aisModes.find((one) => one === mode) ?? 'last' })}
      />
      <TypeChoice filter={filter} onChange={onChange} />
      <Range filter={filter} onChange={onChange} />
      <Minutes label={words.retention} value={filter.retention} onChange={(retention) => onChange({ retention })} />
      <Minutes label={words.trail} value={filter.trail} onChange={(trail) => onChange({ trail })} />
      <MissionChoice filter={filter} missions={missions} onChange={onChange} />
      <Choice
        label={listTexts.filter}
        value={filter.list?.id ?? ''}
        choices={[
          { id: '', name: listTexts.all },
          ...lists.map(({ _id, name }) => ({ id: _id, name: plainText(name) })),
          // The chosen list is offered even before the lists have been loaded.
          ...(filter.list === null || lists.some(({ _id }) => _id === filter.list?.id) ? [] : [filter.list]),
        ]}
        onChange={(id) => {
          const chosen = lists.find(({ _id }) => _id === id);
          onChange({ list: chosen ? { id: chosen._id, name: chosen.name } : null });
        }}
      />
      <Action label={listTexts.open} icon={mdiPlaylistEdit} onClick={() => setManaging(true)} />
      {receivers.length > 0 && <Action label={rangeTexts.open} icon={mdiRadar} onClick={() => setRanging(true)} />}
      {ranging && <RangeDialog receivers={receivers} onClose={() => setRanging(false)} />}
      {managing && <ListsDialog filter={filter} onChange={onChange} onClose={() => setManaging(false)} />}
      <Box component="span" role="status" sx={{ ml: 'auto', color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {count}
      </Box>
    </Box>
  );
}

/**
 * Button for the time range. Off: the retention time determines which ships are shown. On: the start and end times do.
 */
function Range({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOn = hasRange(filter);
  const text = rangeText(filter);
  return (
    <>
      <Button
        variant={isOn ? 'contained' : 'outlined'}
        aria-pressed={isOn}
        startIcon={<Icon path={mdiClockOutline} />}
        onClick={(event) => {
          if (isOn) onChange({ start: null, end: null });
          else setAnchor(event.currentTarget);
        }}
      >
        {isOn && text !== null ? fill(words.rangeOn, { range: text }) : words.range}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': words.range,
            sx: { p: 3, mt: 1, border: 1, borderColor: 'divider', borderRadius: 2.5, bgcolor: 'surface.raised' },
          },
        }}
      >
        <TimeFilter
          value={filter}
          onApply={(range) => {
            onChange(range);
            setAnchor(null);
          }}
        />
      </Popover>
    </>
  );
}

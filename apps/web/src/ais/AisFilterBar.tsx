import { mdiClockOutline, mdiPlaylistEdit, mdiRadar } from '@mdi/js';
import { Box, Button, FormControlLabel, InputAdornment, MenuItem, TextField } from '@mui/material';
import { type AisSources, aisModes, aisTypes, type ShipListRow } from '@osprey/contract';
import { useId, useState } from 'react';
import { fill, plainText } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Popover } from '../ui/Floating.tsx';
import { rangeText } from '../ui/filter/time-range.ts';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { type AisFilter, hasRange, minutesOf } from './ais-filter.ts';
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
  // One that is chosen stays to be seen, also where its ships are gone by now.
  const offered =
    filter.mission === null || missions.some(({ _id }) => _id === filter.mission?.id)
      ? missions
      : [...missions, { _id: filter.mission.id, name: filter.mission.name }];
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
      <Choice
        label={words.type}
        value={filter.aisType}
        choices={aisTypes.map((id) => ({ id, name: words.types[id] }))}
        onChange={(type) => onChange({ aisType: aisTypes.find((one) => one === type) ?? 'vessels' })}
      />
      <Range filter={filter} onChange={onChange} />
      <Minutes label={words.retention} value={filter.retention} onChange={(retention) => onChange({ retention })} />
      <Minutes label={words.trail} value={filter.trail} onChange={(trail) => onChange({ trail })} />
      <Choice
        label={words.mission}
        value={filter.mission?.id ?? ''}
        choices={[{ id: '', name: words.noMission }, ...offered.map(({ _id, name }) => ({ id: _id, name }))]}
        onChange={(id) => {
          const chosen = offered.find(({ _id }) => _id === id);
          onChange({ mission: chosen ? { id: chosen._id, name: chosen.name } : null });
        }}
      />
      <Choice
        label={listTexts.filter}
        value={filter.list?.id ?? ''}
        choices={[
          { id: '', name: listTexts.all },
          ...lists.map(({ _id, name }) => ({ id: _id, name: plainText(name) })),
          // A chosen list is offered even before the lists were read.
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

type ChoiceProps = {
  label: string;
  value: string;
  choices: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
};

/** A label and, next to it, one of several values. */
function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <FormControlLabel
      label={label}
      labelPlacement="start"
      sx={{ m: 0, gap: 1.5, color: 'text.secondary' }}
      control={
        <TextField
          select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          slotProps={{ select: { displayEmpty: true, SelectDisplayProps: { 'aria-label': label } } }}
          sx={{ minWidth: 90, maxWidth: 220 }}
        >
          {choices.map((choice) => (
            <MenuItem key={choice.id} value={choice.id}>
              {choice.name}
            </MenuItem>
          ))}
        </TextField>
      }
    />
  );
}

/** Minutes; what is typed holds as soon as it is a number of at least 1. */
function Minutes({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(String(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (minutesOf(text) !== value) setText(String(value));
  }
  const isWrong = minutesOf(text) === null;
  return (
    <FormControlLabel
      label={label}
      labelPlacement="start"
      sx={{ m: 0, gap: 1.5, color: 'text.secondary' }}
      control={
        <TextField
          value={text}
          sx={{ width: 104 }}
          error={isWrong}
          title={isWrong ? words.atLeast : ''}
          onChange={(event) => {
            setText(event.target.value);
            const typed = minutesOf(event.target.value);
            if (typed !== null) onChange(typed);
          }}
          onBlur={() => setText(String(value))}
          slotProps={{
            htmlInput: { inputMode: 'numeric', maxLength: 7, 'aria-label': label, 'aria-invalid': isWrong },
            input: { endAdornment: <InputAdornment position="end">{words.minutes}</InputAdornment> },
          }}
        />
      }
    />
  );
}

/** Off: the retention decides. On: from and to. */
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

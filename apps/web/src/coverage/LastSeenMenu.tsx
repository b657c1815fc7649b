import { mdiHistory } from '@mdi/js';
import { Box, Button, FormControlLabel, Switch, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useState } from 'react';
import { Action } from '../ui/Action.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { checkEntry, entryOf } from '../ui/filter/time-range.ts';
import { PanelBelow } from '../ui/PanelBelow.tsx';
import { lastSeenTexts as texts } from './last-seen-texts.ts';
import type { LastSeenGuest } from './useLastSeenGuest.ts';
import { lastSeenHours } from './useLastSeenOverlay.ts';

/** Menu that shows the layer on the map of all missions, and chooses its number of hours and its time. */
export function LastSeenMenu({ layer }: { layer: LastSeenGuest }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { isShown, setShown, hours, setHours } = layer;
  return (
    <>
      <Action
        label={texts.title}
        icon={mdiHistory}
        side="left"
        on={isShown}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ bgcolor: 'surface.panel', border: 1, borderColor: 'surface.line', borderRadius: 1 }}
      />
      <PanelBelow label={texts.title} anchor={anchor} onClose={() => setAnchor(null)} sx={{ width: 320, p: 3, mt: 1 }}>
        <Box sx={{ display: 'grid', gap: 3 }}>
          <FormControlLabel
            control={<Switch checked={isShown} onChange={(event) => setShown(event.target.checked)} />}
            label={texts.layer}
            sx={{ m: 0, gap: 2 }}
          />
          <Box>
            <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 1 }}>{lastSeenHours.title}</Box>
            <ToggleButtonGroup
              exclusive
              size="small"
              value={hours}
              disabled={!isShown}
              aria-label={lastSeenHours.title}
              onChange={(_event, next: number | null) => next !== null && setHours(next)}
            >
              {lastSeenHours.choices.map(({ value, text, label }) => (
                <ToggleButton key={value} value={value} aria-label={label}>
                  {text}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          </Box>
          {isShown && <Moment layer={layer} />}
        </Box>
      </PanelBelow>
    </>
  );
}

function Moment({ layer: { atUs, setAtUs } }: { layer: LastSeenGuest }) {
  const nowUs = Date.now() * 1000;
  const [entry, setEntry] = useState(() => entryOf(atUs ?? nowUs));
  const { timeUs, problem } = checkEntry(entry, 'start', nowUs);

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        if (timeUs !== null) setAtUs(timeUs);
      }}
      sx={{ display: 'grid', gap: 2 }}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        value={atUs === null ? 'now' : 'at'}
        aria-label={texts.moment}
        onChange={(_event, next: 'now' | 'at' | null) => {
          if (next !== null) setAtUs(next === 'now' ? null : timeUs);
        }}
      >
        <ToggleButton value="now">{texts.beforeNow}</ToggleButton>
        <ToggleButton value="at">{texts.beforeMoment}</ToggleButton>
      </ToggleButtonGroup>
      {atUs !== null && (
        <>
          <Box sx={{ display: 'grid', gridTemplateColumns: '160px 1fr', gap: 2 }}>
            <Field
              label={texts.date}
              type="date"
              value={entry.day}
              onChange={(event) => setEntry({ ...entry, day: event.target.value })}
              problem={problem ?? undefined}
            />
            <Field
              label={texts.clock}
              value={entry.clock}
              placeholder="00:00"
              onChange={(event) => setEntry({ ...entry, clock: event.target.value.trim() })}
              slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 5 } }}
            />
          </Box>
          <Button type="submit" disabled={timeUs === null || timeUs === atUs}>
            {texts.apply}
          </Button>
        </>
      )}
    </Box>
  );
}

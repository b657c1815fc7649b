import { Box, InputBase } from '@mui/material';
import type { Ref } from 'react';
import { fill } from '../base/format.ts';
import { goThroughRows } from './go-through-rows.ts';
import { groupRows } from './rows.ts';
import { TelemetryRow } from './TelemetryRow.tsx';
import { texts } from './texts.ts';
import type { useTelemetryRows } from './useTelemetryRows.ts';

type Rows = ReturnType<typeof useTelemetryRows>;

type Props = Pick<Rows, 'tags' | 'state' | 'register'> & {
  pinned: readonly string[];
  details: boolean;
  /** State of the search field; null while it is closed. */
  search: { text: string; set: (text: string) => void; field: Ref<HTMLInputElement> } | null;
  row: { onPin: (tag: string) => void; onCopy: (tag: string) => void; onBytes: (tag: string) => void };
};

/** Values of the record on screen, grouped by meaning. */
export function TelemetryValues({ tags, state, register, pinned, details, search, row }: Props) {
  const groups = groupRows({ tags, pinned, search: search?.text ?? '' });
  return (
    <>
      {search && (
        <InputBase
          value={search.text}
          inputRef={search.field}
          placeholder={texts.search}
          inputProps={{ 'aria-label': texts.search, type: 'search' }}
          onChange={(event) => search.set(event.target.value)}
          sx={{ flex: 'none', height: 28, px: 2, fontSize: 12, borderBottom: 1, borderColor: 'surface.line' }}
        />
      )}
      <Box
        sx={{ flex: 1, minHeight: 0, overflow: 'auto', px: 2, pb: 1 }}
        tabIndex={0}
        role="group"
        aria-label={texts.title}
        aria-keyshortcuts="ArrowDown ArrowUp ArrowRight ArrowLeft"
        onKeyDown={goThroughRows}
      >
        {groups.map((group) => (
          <Box key={group.key}>
            <Box id={`telemetry-${group.key}`} sx={{ color: 'text.secondary', fontSize: 11, pt: 1 }}>
              {group.title}
            </Box>
            <Box component="dl" aria-labelledby={`telemetry-${group.key}`} sx={{ m: 0 }}>
              {group.tags.map((tag) => (
                <TelemetryRow
                  key={tag}
                  tag={tag}
                  numbers={details}
                  pinned={group.key === 'pinned'}
                  register={register}
                  {...row}
                />
              ))}
            </Box>
          </Box>
        ))}
        {state !== 'shown' && tags.length === 0 && <StateLine state={state} />}
        {tags.length > 0 && groups.length === 0 && (
          <Box sx={{ py: 2 }}>{fill(texts.noMatch, { search: search?.text ?? '' })}</Box>
        )}
      </Box>
    </>
  );
}

function StateLine({ state }: { state: Exclude<Rows['state'], 'shown'> }) {
  const { loading, failed, none, noneGood } = texts;
  return (
    <Box role={state === 'failed' ? 'alert' : 'status'} sx={{ py: 2, color: 'text.secondary' }}>
      {{ loading, failed, none, noneGood }[state]}
    </Box>
  );
}

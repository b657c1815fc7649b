import { Box } from '@mui/material';
import type { CaseRow } from '@osprey/contract';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { formatTime, NONE, plainText } from '../../base/format.ts';
import { texts } from './texts.ts';

const words = texts.facts;

/** Shows the people involved in the case, and its readers. */
export function FactsPart({ row }: { row: CaseRow }) {
  const groups = useUsergroups();
  const names = groups.filter(({ _id }) => row.usergroups.includes(_id)).map(({ name }) => name);
  const editors = row.editors.map(({ username }) => plainText(username)).join(', ');
  const facts: [string, string][] = [
    [words.description, plainText(row.description) || NONE],
    [words.owner, plainText(row.owner)],
    ...(row.editable ? ([[words.editors, editors || NONE]] as [string, string][]) : []),
    [words.usergroups, row.audience === 'everyone' ? words.everyone : names.join(', ') || NONE],
    [words.own, row.ownClassification],
    [words.hold, row.held ? words.held : NONE],
    [words.created, formatTime(row.created)],
    [words.changed, formatTime(row.changed)],
  ];
  return (
    <Box
      component="dl"
      sx={{ m: 0, p: 3, display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 4, rowGap: 2 }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

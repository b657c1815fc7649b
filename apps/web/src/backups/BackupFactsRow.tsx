import { Box } from '@mui/material';
import type { BackupFacts } from '@osprey/contract';
import type { ReactNode } from 'react';
import { fill, formatSize, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';

const words = texts.facts;

/** Row with the schedule and the folder of the backups. */
export function BackupFactsRow({ facts }: { facts: BackupFacts }) {
  const { schedule, keep, next, lastVerified, folder, freeBytes } = facts;
  return (
    <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 8, rowGap: 1.5 }}>
      <Fact name={words.last}>{lastVerified === null ? words.never : `${formatTime(lastVerified)} Z`}</Fact>
      <Fact name={words.schedule}>{schedule === null ? words.none : fill(words.daily, { time: schedule, keep })}</Fact>
      {next !== null && <Fact name={words.next}>{`${formatTime(next)} Z`}</Fact>}
      <Fact name={words.folder}>
        {folder} ({freeBytes === null ? words.unknown : fill(words.free, { size: formatSize(freeBytes) })})
      </Fact>
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ color: 'text.secondary', fontSize: 12 }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  );
}

import { Box, Skeleton, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { type ReadersOf, readersTexts } from './readers-text.ts';
import { texts } from './sharing-texts.ts';

type Props = Omit<ReadersOf, 'readers'> & {
  /** Possible readers; undefined while they are not loaded. */
  readers: ReadersOf['readers'] | undefined;
  failed: boolean;
  /** The field for the groups. */
  children: ReactNode;
};

/** Shows below a choice of user groups which accounts could read the item. */
export function VisibleTo({ readers, failed, children, ...of }: Props) {
  const lines = readers === undefined ? [] : readersTexts({ readers, ...of });
  return (
    <Box sx={{ minWidth: 0 }}>
      {children}
      <Box aria-live="polite" data-part="readers" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
        {failed && <Line>{texts.readers.failed}</Line>}
        {!failed && readers === undefined && (
          <Line>
            <Skeleton component="span" sx={{ display: 'inline-block', width: '70%' }} />
          </Line>
        )}
        {lines.map((line) => (
          <Line key={line}>{line}</Line>
        ))}
      </Box>
    </Box>
  );
}

const Line = ({ children }: { children: ReactNode }) => (
  <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
    {children}
  </Typography>
);

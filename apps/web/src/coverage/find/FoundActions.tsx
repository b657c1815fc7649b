import { Box } from '@mui/material';
import type { FoundSpan } from '@osprey/contract';
import { fill, formatTimeSeconds, plainText } from '../../base/format.ts';
import { AddToCase } from '../../cases/add/AddToCase.tsx';
import { collectedSpans } from './found-case.ts';
import { texts } from './texts.ts';

/** What is done with one found span, next to playing it. */
export function FoundActions({ span }: { span: FoundSpan }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', flex: 'none' }}>
      <AddToCase title={nameOf(span)} of={() => collectedSpans([span])} />
    </Box>
  );
}

/** Distinguishes a span from the others in the names of its controls. */
export const nameOf = ({ mission, sensor, from }: FoundSpan): string =>
  fill(texts.span, { mission: plainText(mission), sensor: plainText(sensor), time: formatTimeSeconds(from) });

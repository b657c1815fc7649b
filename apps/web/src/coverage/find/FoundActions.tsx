import { mdiBookmarkPlusOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { FoundSpan } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { fill, formatTimeSeconds, plainText } from '../../base/format.ts';
import { AddToCase } from '../../cases/add/AddToCase.tsx';
import { Action } from '../../ui/Action.tsx';
import { collectedSpans } from './found-case.ts';
import { texts } from './texts.ts';

type Props = {
  span: FoundSpan;
  /** Bookmarks the first picture of the found time. */
  onBookmark: (span: FoundSpan) => void;
};

/** Actions on one found span, next to playing it. */
export function FoundActions({ span, onBookmark }: Props) {
  // Readers of a mission may mark it; without pictures there is no frame.
  const mayMark = useActor().role !== 'guest' && span.resolutionM !== null;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', flex: 'none' }}>
      <AddToCase title={nameOf(span)} of={() => collectedSpans([span])} />
      {mayMark && (
        <Action
          label={fill(texts.mark, { span: nameOf(span) })}
          hint={texts.bookmarkHint}
          icon={mdiBookmarkPlusOutline}
          onClick={() => onBookmark(span)}
        />
      )}
    </Box>
  );
}

/** Distinguishes a span from the others in the names of its controls. */
export const nameOf = ({ mission, sensor, from }: FoundSpan): string =>
  fill(texts.span, { mission: plainText(mission), sensor: plainText(sensor), time: formatTimeSeconds(from) });

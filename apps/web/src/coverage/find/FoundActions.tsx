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
  /** Bookmarks the first picture of the span. */
  onBookmark: (span: FoundSpan) => void;
};

/** Buttons with actions for one found span, in addition to playing it. */
export function FoundActions({ span, onBookmark }: Props) {
  // Users who can see a mission may bookmark it, except guests; without pictures there is no frame to bookmark.
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

/** Returns a name that distinguishes a span from others, used in the labels of its controls. */
export const nameOf = ({ mission, sensor, from }: FoundSpan): string =>
  fill(texts.span, { mission: plainText(mission), sensor: plainText(sensor), time: formatTimeSeconds(from) });

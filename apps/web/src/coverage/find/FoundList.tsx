import { mdiEyeOffOutline } from '@mdi/js';
import { Box, Button, LinearProgress, ToggleButton, ToggleButtonGroup } from '@mui/material';
import type { FoundSpan, SoughtShape } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatCount, formatTime } from '../../base/format.ts';
import { soughtPlace } from '../../onscreen/sought-place.ts';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { LookbackRow } from '../LookbackRow.tsx';
import { texts as lookback } from '../texts.ts';
import { Unsure } from '../Unsure.tsx';
import { DayStrip } from './DayStrip.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import type { Question } from './find-link.ts';
import { texts } from './texts.ts';
import type { Found } from './useFind.ts';

type Props = {
  question: Question;
  found: Found;
  onChosen: (span: FoundSpan | null) => void;
  onDay: (fromUs: number, toUs: number) => void;
};

type View = keyof typeof texts.views;

/** When it was seen, as a list or by the day, and what could not be searched. */
export function FoundList({ question, found, onChosen, onDay }: Props) {
  const [view, setView] = useState<View>('list');
  const { spans, unsure, searchedTo, isSearching, isWhole, error, refetch, readOn } = found;
  const isEmpty = spans.length === 0 && !isSearching && error === null;
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 3, minHeight: 40 }}>
        <Box role="status" sx={{ flex: 1, fontSize: 12 }}>
          {statusOf(found)}
        </Box>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          aria-label={texts.results}
          onChange={(_event, next: View | null) => next && setView(next)}
        >
          <ToggleButton value="list">{texts.views.list}</ToggleButton>
          <ToggleButton value="days">{texts.views.days}</ToggleButton>
        </ToggleButtonGroup>
        <ExportMenu question={question} disabled={spans.length === 0} />
      </Box>
      <Box sx={{ height: 4 }}>{isSearching && <LinearProgress aria-label={texts.searching} />}</Box>
      <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto', p: 2 }}>
        {error && <FailedNotice title={texts.failed} error={error} onRetry={refetch} />}
        {isEmpty && <Empty found={found} isFiltered={Object.keys(question.filter).length > 0} />}
        {view === 'list' ? (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {spans.map((span) => (
              <LookbackRow
                key={`${span.sensorId} ${span.to}`}
                span={span}
                facts={span.lookDeg === null ? [] : [fill(texts.look, { bearing: Math.round(span.lookDeg) % 360 })]}
                onChosen={(isChosen) => onChosen(isChosen ? span : null)}
                onPlay={() => soughtPlace.set(placeOf(question.shape))}
              />
            ))}
          </Box>
        ) : (
          <DayStrip spans={spans} onDay={onDay} />
        )}
        {!isSearching && !isWhole && error === null && (
          <>
            {searchedTo !== null && spans.length === 0 && (
              <Box sx={{ p: 1, fontSize: 12 }}>{fill(texts.paused, { time: formatTime(searchedTo) })}</Box>
            )}
            <Button fullWidth onClick={readOn}>
              {texts.older}
            </Button>
          </>
        )}
        {unsure && <Unsure found={unsure} />}
      </Box>
    </>
  );
}

function statusOf({ spans, isSearching, isWhole, searchedTo }: Found): string {
  if (isSearching && searchedTo !== null) return fill(texts.searchedTo, { time: formatTime(searchedTo) });
  if (isSearching) return texts.searching;
  if (spans.length === 0) return '';
  return formatCount(spans.length, isWhole ? lookback.found : lookback.foundSome);
}

/** What is marked in the picture: a single place. */
function placeOf(shape: SoughtShape | null) {
  const position = shape?.type === 'Point' ? shape.coordinates : shape?.type === 'Circle' ? shape.centre : null;
  return position && { lon: position[0], lat: position[1] };
}

/** What an empty list says: "never" only where everything was searched, and nothing hid what was found. */
function Empty({ found: { unsure, isWhole }, isFiltered }: { found: Found; isFiltered: boolean }) {
  const unsureCount = unsure ? unsure.notIndexed.count + unsure.withoutPosition.count + unsure.uncertainClock.count : 0;
  if (!isWhole || unsureCount > 0) return <Notice icon={mdiEyeOffOutline} title={lookback.maybe} />;
  if (isFiltered) return <Notice icon={mdiEyeOffOutline} title={texts.none} text={texts.noneFiltered} />;
  return <Notice icon={mdiEyeOffOutline} title={lookback.never} text={lookback.neverSure} />;
}

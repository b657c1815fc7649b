import { mdiEyeOffOutline, mdiPlaylistPlay } from '@mdi/js';
import { Box, Button, Checkbox, LinearProgress, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { type FoundSpan, LIST_MAX, type TargetShape } from '@osprey/contract';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useActor } from '../../api/session.ts';
import { compassPoint } from '../../base/bearings.ts';
import { fill, formatCount, formatNumber, formatTime } from '../../base/format.ts';
import { AddToCase } from '../../cases/add/AddToCase.tsx';
import { targetPlace } from '../../onscreen/target-place.ts';
import { Action } from '../../ui/Action.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { LookbackRow } from '../LookbackRow.tsx';
import { playList } from '../play/play-list.ts';
import { addressOfSpan, keyOfSpan } from '../span-address.ts';
import { texts as lookback } from '../texts.ts';
import { Unsure } from '../Unsure.tsx';
import { DayStrip } from './DayStrip.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { FoundActions, nameOf } from './FoundActions.tsx';
import type { Question } from './find-link.ts';
import { collectedSpans } from './found-case.ts';
import { texts } from './texts.ts';
import type { Found } from './useFind.ts';

type Props = {
  question: Question;
  found: Found;
  onChosen: (span: FoundSpan | null) => void;
  onDay: (fromUs: number, toUs: number) => void;
  onBookmark: (span: FoundSpan) => void;
  /** Called with the id of an export that makes clips. */
  onOrdered: (id: string) => void;
};

type View = keyof typeof texts.views;

/**
 * Shows the spans in which the place was seen, as a list or by day, and names recordings that could not be searched.
 */
export function FoundList({ question, found, onChosen, onDay, onBookmark, onOrdered }: Props) {
  const [view, setView] = useState<View>('list');
  const { spans, unsure, searchedTo, isSearching, isComplete, error, refetch, readOn } = found;
  const { show } = useSnackbar();
  const actor = useActor();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = spans.filter((span) => chosenKeys.has(keyOfSpan(span)));
  const isEmpty = spans.length === 0 && !isSearching && error === null;

  function toggle(span: FoundSpan) {
    const next = new Set(chosenKeys);
    if (!next.delete(keyOfSpan(span))) next.add(keyOfSpan(span));
    setChosenKeys(next);
  }

  // Spans without pictures are left out: playback would wait for them.
  const playable = (chosen.length > 0 ? chosen : spans).filter(({ resolutionM }) => resolutionM !== null);

  function playAll() {
    const [first] = playable;
    if (first === undefined) return;
    playList.set({ spans: playable, at: 0, back: `${pathname}${search}`, actorId: actor.id });
    targetPlace.set(placeOf(question.shape));
    void navigate(addressOfSpan(first));
  }

  function collect() {
    if (chosen.length <= LIST_MAX) return collectedSpans(chosen);
    show(fill(texts.caseMost, { count: LIST_MAX }), 'warning');
    return null;
  }

  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 3, minHeight: 40 }}>
        {view === 'list' && spans.length > 0 && (
          <Checkbox
            size="small"
            edge="start"
            checked={chosen.length === spans.length}
            indeterminate={chosen.length > 0 && chosen.length < spans.length}
            onChange={() => setChosenKeys(new Set(chosen.length > 0 ? [] : spans.map(keyOfSpan)))}
            slotProps={{ input: { 'aria-label': texts.chooseAll } }}
          />
        )}
        <Box role="status" sx={{ flex: 1, fontSize: 12 }}>
          {chosen.length > 0 && !isSearching ? formatCount(chosen.length, texts.chosen) : statusOf(found)}
        </Box>
        <Action
          label={chosen.length > 0 ? texts.playChosen : texts.playAll}
          hint={playable.length > 0 ? texts.playHint : texts.playNone}
          icon={mdiPlaylistPlay}
          disabled={playable.length === 0}
          onClick={playAll}
        />
        {chosen.length > 0 && <AddToCase of={collect} onAdded={() => setChosenKeys(new Set())} />}
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
        <ExportMenu question={question} spans={spans} chosen={chosen} onOrdered={onOrdered} />
      </Box>
      <Box sx={{ height: 4 }}>{isSearching && <LinearProgress aria-label={texts.searching} />}</Box>
      <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto', p: 2 }}>
        {error && <FailedNotice title={texts.failed} error={error} onRetry={refetch} />}
        {isEmpty && <Empty found={found} isFiltered={Object.keys(question.filter).length > 0} />}
        {view === 'list' ? (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {spans.map((span) => (
              <LookbackRow
                key={keyOfSpan(span)}
                span={span}
                facts={span.lookDeg === null ? [] : [lookText(span.lookDeg)]}
                onChosen={(isChosen) => onChosen(isChosen ? span : null)}
                onPlay={() => targetPlace.set(placeOf(question.shape))}
                before={
                  <Checkbox
                    size="small"
                    checked={chosenKeys.has(keyOfSpan(span))}
                    onChange={() => toggle(span)}
                    slotProps={{ input: { 'aria-label': fill(texts.choose, { span: nameOf(span) }) } }}
                  />
                }
                after={<FoundActions span={span} onBookmark={onBookmark} />}
              />
            ))}
          </Box>
        ) : (
          <DayStrip spans={spans} onDay={onDay} />
        )}
        {!isSearching && !isComplete && error === null && (
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

function statusOf({ spans, isSearching, isComplete, searchedTo, total }: Found): string {
  if (isSearching && searchedTo !== null) return fill(texts.searchedTo, { time: formatTime(searchedTo) });
  if (isSearching) return texts.searching;
  if (spans.length === 0) return '';
  if (isComplete || total === null || total.count <= spans.length) {
    return formatCount(spans.length, isComplete ? lookback.found : lookback.foundSome);
  }
  return fill(total.isMore ? texts.ofMore : texts.of, { count: spans.length, total: formatNumber(total.count) });
}

/** Returns the place to mark in the picture, if the shape is a point or a circle; otherwise null. */
function placeOf(shape: TargetShape | null) {
  const position = shape?.type === 'Point' ? shape.coordinates : shape?.type === 'Circle' ? shape.centre : null;
  return position && { lon: position[0], lat: position[1] };
}

/** Shown for an empty list. The text says "never" only if everything was searched and no filter may hide results. */
function Empty({ found: { unsure, isComplete }, isFiltered }: { found: Found; isFiltered: boolean }) {
  const unsureCount = unsure ? unsure.notIndexed.count + unsure.withoutPosition.count + unsure.uncertainClock.count : 0;
  if (!isComplete || unsureCount > 0) return <Notice icon={mdiEyeOffOutline} title={lookback.maybe} />;
  if (isFiltered) return <Notice icon={mdiEyeOffOutline} title={texts.none} text={texts.noneFiltered} />;
  return <Notice icon={mdiEyeOffOutline} title={lookback.never} text={lookback.neverSure} />;
}

function lookText(degrees: number): string {
  const bearing = String(Math.round(degrees) % 360).padStart(3, '0');
  return fill(texts.look, { point: compassPoint(degrees), bearing });
}

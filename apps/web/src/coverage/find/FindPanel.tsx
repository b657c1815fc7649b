import { mdiMapSearchOutline } from '@mdi/js';
import { Box, useMediaQuery } from '@mui/material';
import type { AnnotationFeature, FindFilter, FoundSpan, TargetShape } from '@osprey/contract';
import { useEffect, useMemo, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import type { ShapeMode } from '../../map/draw/drawing.ts';
import { useAddressFilter } from '../../ui/filter/useAddressFilter.ts';
import { Notice } from '../../ui/notice/Notice.tsx';
import { endPlaying } from '../play/play-list.ts';
import { FindFilters } from './FindFilters.tsx';
import { FindMap } from './FindMap.tsx';
import { FoundList } from './FoundList.tsx';
import { findRules, type Question } from './find-link.ts';
import { SavedSearches } from './SavedSearches.tsx';
import { ShapeTools } from './ShapeTools.tsx';
import { texts } from './texts.ts';
import { useFind } from './useFind.ts';
import { useTargetAnnotation } from './useTargetAnnotation.ts';

const noFeatures: readonly AnnotationFeature['geometry'][] = [];

type Props = {
  onBookmark: (span: FoundSpan) => void;
  /** Called with the id of an export that makes clips. */
  onOrdered: (id: string) => void;
};

/**
 * Panel that finds when a place was seen, across all recordings. The map with the place is on the left, the results are
 * on the right.
 */
export function FindPanel({ onBookmark, onOrdered }: Props) {
  const { filter: question, setFilter: setQuestion } = useAddressFilter(findRules);
  const { shape, filter } = question;
  const [mode, setMode] = useState<ShapeMode | 'static'>(() => (shape === null ? 'point' : 'static'));
  const [chosen, setChosen] = useState<FoundSpan | null>(null);
  const found = useFind(question);
  const annotation = useTargetAnnotation(shape);
  const isAccount = useActor().role !== 'guest';
  const isNarrow = useMediaQuery('(max-width: 899.95px)');
  useEffect(endPlaying, []);
  useShownLabels([
    ...new Set(found.spans.map(({ securityClassification }) => securityClassification)),
    ...(annotation.data ? [annotation.data.securityClassification] : []),
  ]);

  const features = annotation.data?.features;
  const geometries = useMemo(() => features?.map(({ geometry }) => geometry) ?? noFeatures, [features]);
  const shown = useMemo(() => shape && { shape, features: geometries }, [shape, geometries]);

  function askAll(next: Question) {
    setQuestion(next);
    setMode('static');
  }

  function ask(next: TargetShape | null) {
    setQuestion({ ...question, shape: next });
    // Once a shape is drawn, drawing ends, so that the map can be moved and its marks can be opened again.
    setMode(next === null ? 'point' : 'static');
  }

  const frame = { border: 1, borderColor: 'divider', borderRadius: 2, overflow: 'hidden', bgcolor: 'surface.panel' };
  return (
    <Box
      sx={{
        height: '100%',
        minHeight: 0,
        p: { xs: 0, sm: 2 },
        display: 'flex',
        flexDirection: isNarrow ? 'column' : 'row',
        gap: 2,
        ...(isNarrow && { overflowY: 'auto' }),
      }}
    >
      <Box
        component="section"
        aria-label={texts.tools}
        sx={{ ...frame, display: 'flex', flexDirection: 'column', flex: isNarrow ? 'none' : 1, minWidth: 0 }}
      >
        <ShapeTools
          shape={shape}
          mode={mode}
          annotation={annotation}
          onMode={(next) => setMode(next === mode ? 'static' : next)}
          onShape={ask}
        />
        <FindMap mode={mode} shown={shown} spans={found.spans} chosen={chosen} onDrawn={ask} />
      </Box>
      <Box
        component="section"
        aria-label={texts.results}
        sx={{
          ...frame,
          display: 'flex',
          flexDirection: 'column',
          flex: 'none',
          width: isNarrow ? '100%' : 460,
          minHeight: 0,
        }}
      >
        <Box sx={{ display: 'flex', flex: 'none' }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <FindFilters
              filter={filter}
              spans={found.spans}
              hasArea={shape !== null && shape.type !== 'Point'}
              onChange={(next) => setQuestion({ ...question, filter: next })}
            />
          </Box>
          {isAccount && (
            // The border lines of the bar continue above and below the button.
            <Box sx={{ display: 'flex', alignItems: 'center', borderTop: 1, borderBottom: 1, borderColor: 'divider' }}>
              <SavedSearches question={question} onAsk={askAll} />
            </Box>
          )}
        </Box>
        {shape === null ? (
          <Notice icon={mdiMapSearchOutline} title={texts.start} text={texts.startText} />
        ) : (
          <FoundList
            question={question}
            found={found}
            onChosen={setChosen}
            onBookmark={onBookmark}
            onOrdered={onOrdered}
            onDay={(from, to) => setQuestion({ ...question, filter: { ...filterWithoutTimes(filter), from, to } })}
          />
        )}
      </Box>
    </Box>
  );
}

function filterWithoutTimes(filter: FindFilter): FindFilter {
  const { from: _from, to: _to, days: _days, ...rest } = filter;
  return rest;
}

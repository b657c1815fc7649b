import { Alert, Box, Button, LinearProgress, Tab, Tabs, Typography } from '@mui/material';
import {
  ANNOTATION_FEATURES_MAX,
  ANNOTATION_VERTICES_MAX,
  type Annotation,
  type Classification,
  classificationRank,
} from '@osprey/contract';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useActor } from '../../api/session.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatNumber } from '../../base/format.ts';
import { timeText } from '../../base/time-of.ts';
import { createEditor, ofTool, type Style } from '../../map/draw/editor.ts';
import { remade } from '../../map/draw/figures.ts';
import { unrolledGeometry } from '../../map/draw/geometry.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { isWidened, shareText } from '../../ui/fields/sharing.ts';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { type Draft, drafts } from '../draft.ts';
import { type AnnotationForm, formOf, isValid, newForm, problemsOf } from '../form.ts';
import { readLastProperties, writeLastProperties } from '../last-properties.ts';
import { useOpenMission } from '../open-mission.ts';
import { mayDo } from '../rows.ts';
import { texts } from '../texts.ts';
import { useAnnotation } from '../useAnnotations.ts';
import { useSaveAnnotation } from '../useSaveAnnotation.ts';
import type { DrawnOnVideo } from '../video/drawing.ts';
import { GeneralTab } from './GeneralTab.tsx';
import { ImportTab } from './ImportTab.tsx';
import { MapTab } from './MapTab.tsx';
import { OpeningAnnotation } from './OpeningAnnotation.tsx';

type Props = {
  /** Id of the annotation to edit; null: a new one. */
  id: string | null;
  /** Shape that was drawn on a frame of the mission that is shown. */
  drawn?: DrawnOnVideo;
  onClose: () => void;
};

const words = texts.dialog;
const WIDTH = 1280;
const HEIGHT = 660;
const REASON_MIN_LENGTH = 10;
/** Initial time span of an annotation drawn on a frame, in microseconds. */
const DRAWN_SPAN_US = 10_000_000;

/** Dialog to add an annotation, or to view and change an existing one, which is first read in full. */
export function AnnotationDialog({ id, drawn, onClose }: Props) {
  const groups = useUsergroups();
  const read = useAnnotation(id);
  // Only the first response is edited; a later one would replace what the user has typed.
  const [row, setRow] = useState<Annotation | null>(null);
  const data = read.data ?? null;
  useEffect(() => {
    if (data) setRow((before) => before ?? data);
  }, [data]);
  if (id === null) return groups.length === 0 ? null : <Dialog row={null} drawn={drawn} onClose={onClose} />;
  if (row !== null) return <Dialog row={row} onClose={onClose} />;
  return <OpeningAnnotation error={read.error} onClose={onClose} />;
}

type Part = 'general' | 'map' | 'import';

function Dialog({
  row,
  drawn,
  onClose,
}: {
  row: Annotation | null;
  drawn?: DrawnOnVideo | undefined;
  onClose: () => void;
}) {
  const actor = useActor();
  const groups = useUsergroups();
  const mission = useOpenMission();
  const tabId = useId();
  const mayEdit = row === null || mayDo(actor, 'annotation.update', row);
  const [last] = useState(readLastProperties);
  const [first] = useState(() => (row === null ? newForm({ groups, mission }) : formOf(row)));
  const [form, setForm] = useState<AnnotationForm>(() => (drawn ? atFrame(first, drawn) : first));
  const [part, setPart] = useState<Part>('general');
  const [draft, setDraft] = useState<Draft | null>(() => (mayEdit ? drafts.of(actor.id, row?._id ?? null) : null));
  const [editor] = useState(() =>
    createEditor({
      shapes: (row?.features ?? (drawn ? [styled(drawn.feature, last.style)] : [])).map(editable),
      style: last.style,
      limit: mayEdit ? { features: ANNOTATION_FEATURES_MAX, vertices: ANNOTATION_VERTICES_MAX } : null,
    }),
  );
  const [initialShapes] = useState(() => editor.get().shapes);
  const [place, setPlace] = useState({ center: last.center, zoom: last.zoom, unit: last.unit });
  const [saving, setSaving] = useState(false);
  const { shapes } = useSyncExternalStore(editor.subscribe, editor.get);
  const save = useSaveAnnotation(row, groups);

  const shapesChanged = shapes !== initialShapes || drawn !== undefined;
  const changed = shapesChanged || JSON.stringify(form) !== JSON.stringify(first);
  const problem = row === null || changed ? shareText(actor, form, groups) : null;
  const needsReason = row !== null && isWidened(row, form, groups);
  const reasonMissing = needsReason && form.reason.trim().length < REASON_MIN_LENGTH;
  const valid = isValid(form) && problem === null && !reasonMissing && shapes.length > 0;
  // Reason why OK is disabled, shown on the other tabs, where the incorrect field is not visible.
  const elsewhere =
    part === 'general' || valid || !mayEdit
      ? undefined
      : (Object.values(problemsOf(form)).find((one) => one !== undefined) ??
        problem ??
        (reasonMissing ? fill(words.reasonHelp, { minimum: REASON_MIN_LENGTH }) : undefined));
  const parts: readonly Part[] = row === null ? ['general', 'map', 'import'] : ['general', 'map'];

  async function submit() {
    if (!valid || !changed || saving || !mayEdit) return;
    setSaving(true);
    const { style } = editor.get();
    writeLastProperties({ style, ...place });
    const features = editor.features();
    const saved = await save({ form, features, featuresChanged: shapesChanged });
    if (saved) drafts.drop();
    else drafts.keep(actor.id, row?._id ?? null, { form, features });
    onClose();
  }

  function restore({ form: retained, features }: Draft) {
    setForm(retained);
    editor.replaceAll(features.map(editable));
    setDraft(null);
  }

  return (
    <FormDialog
      title={row === null ? words.create : mayEdit ? words.edit : words.read}
      mark={<LabelMark label={form.label} marked={row?.marked ?? true} />}
      width={WIDTH}
      bleed={HEIGHT}
      dirty={changed && mayEdit}
      onClose={onClose}
      onSubmit={() => void submit()}
      aside={
        <Typography variant="caption" sx={{ color: 'text.secondary', flex: 1 }} role="status">
          {shapes.length === 0
            ? words.noShapes
            : elsewhere !== undefined
              ? fill(words.onGeneral, { problem: elsewhere })
              : fill(shapes.length === 1 ? words.shapesOne : words.shapes, { count: formatNumber(shapes.length) })}
        </Typography>
      }
      submitLabel={mayEdit ? (row === null ? words.submitCreate : words.submitUpdate) : null}
      canSubmit={valid && changed && !saving}
    >
      <Tabs
        value={part}
        onChange={(_event, next: Part) => setPart(next)}
        aria-label={words.tabs.label}
        sx={{ px: 4, flex: 'none', borderBottom: 1, borderColor: 'divider' }}
      >
        {parts.map((one) => (
          <Tab
            key={one}
            value={one}
            label={words.tabs[one]}
            id={`${tabId}-${one}-tab`}
            aria-controls={`${tabId}-${one}`}
          />
        ))}
      </Tabs>
      {saving && <LinearProgress aria-label={words.sending} />}
      {!mayEdit && (
        <Alert severity="info" sx={{ m: 2, mb: 0 }}>
          {row?.restricted ? words.readOnlyLocked : words.readOnly}
        </Alert>
      )}
      {draft && (
        <Alert
          severity="warning"
          sx={{ m: 2, mb: 0 }}
          action={
            <>
              <Button variant="text" onClick={() => restore(draft)}>
                {words.restoreDraft}
              </Button>
              <Button
                variant="text"
                onClick={() => {
                  drafts.drop();
                  setDraft(null);
                }}
              >
                {words.dropDraft}
              </Button>
            </>
          }
        >
          {words.draft}
        </Alert>
      )}
      <Panel id={`${tabId}-general`} shown={part === 'general'}>
        <GeneralTab
          form={form}
          row={row}
          readOnly={!mayEdit}
          problem={problem}
          needsReason={needsReason}
          onChange={(change) => setForm((before) => ({ ...before, ...change }))}
        />
      </Panel>
      {/* The map stays while another tab is open: it keeps its place, and what is half drawn. */}
      <Panel id={`${tabId}-map`} shown={part === 'map'} flush>
        <MapTab editor={editor} place={place} onPlace={setPlace} readOnly={!mayEdit} visible={part === 'map'} />
      </Panel>
      {row === null && (
        <Panel id={`${tabId}-import`} shown={part === 'import'}>
          <ImportTab
            editor={editor}
            onTitle={(title) => setForm((before) => (before.title === '' ? { ...before, title } : before))}
            onLabel={(label) => setForm((before) => raised(before, label))}
            onDone={() => setPart('map')}
          />
        </Panel>
      )}
    </FormDialog>
  );
}

/** Raises the label to that of an imported file; a higher label that the user has chosen is kept. */
const raised = (form: AnnotationForm, label: Classification): AnnotationForm =>
  classificationRank(label) > classificationRank(form.label) ? { ...form, label } : form;

/** Limits the annotation to a time span that begins with the frame on which it was drawn. */
const atFrame = (form: AnnotationForm, { sensorId, timeUs }: DrawnOnVideo): AnnotationForm =>
  form.missionId === null
    ? form
    : {
        ...form,
        timed: true,
        start: timeText(timeUs),
        end: timeText(timeUs + DRAWN_SPAN_US),
        frame: { sensorId, time: Math.round(timeUs) },
      };

const styled = (feature: Annotation['features'][number], style: Style): Annotation['features'][number] => ({
  ...feature,
  properties: ofTool(feature, style),
});

/**
 * Prepares a shape for editing: figures are rebuilt from their centre and radius, and sides do not jump at the
 * antimeridian.
 */
const editable = (feature: Annotation['features'][number]): Annotation['features'][number] =>
  remade(feature) ?? { ...feature, geometry: unrolledGeometry(feature.geometry) };

type PanelProps = { id: string; shown: boolean; flush?: boolean; children: React.ReactNode };

function Panel({ id, shown, flush = false, children }: PanelProps) {
  return (
    <Box
      role="tabpanel"
      id={id}
      aria-labelledby={`${id}-tab`}
      hidden={!shown}
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: flush ? 'hidden' : 'auto',
        ...(!flush && { p: 5 }),
        '&[hidden]': { display: 'none' },
      }}
    >
      {children}
    </Box>
  );
}

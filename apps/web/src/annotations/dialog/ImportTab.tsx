import { mdiAlertOutline, mdiCheckCircleOutline } from '@mdi/js';
import { Box, Button, LinearProgress, Typography } from '@mui/material';
import {
  ANNOTATION_FEATURES_MAX,
  ANNOTATION_VERTICES_MAX,
  type AnnotationFeature,
  type Classification,
  type ImportedAnnotations,
} from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { fill, formatNumber, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import type { Editor } from '../../map/draw/editor.ts';
import { unrolledGeometry } from '../../map/draw/geometry.ts';
import { FileDrop } from '../../ui/fields/FileDrop.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { sendForImport } from '../send-import.ts';
import { texts } from '../texts.ts';
import { titleOfFile } from '../title-of-file.ts';

type Props = {
  editor: Editor;
  /** Called with the title in the file, for an annotation that has no title yet. */
  onTitle: (title: string) => void;
  /** Called with the label that the file states. */
  onLabel: (label: Classification) => void;
  /** Called when the shapes have been added to the map. */
  onDone: () => void;
};

type Read = { name: string; found: ImportedAnnotations; added: number | null };

const words = texts.import;
const SUFFIXES = '.json,.geojson,.geojsonl,.geojsons,.kml,.kmz,.gpx,.zip';

/** Tab that imports the shapes of a file. Shapes that cannot be imported are listed with the reason. */
export function ImportTab({ editor, onTitle, onLabel, onDone }: Props) {
  const { show } = useSnackbar();
  const [sending, setSending] = useState<{ file: File; percent: number } | null>(null);
  const [read, setRead] = useState<(Read & { file: File }) | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  async function readFiles(files: File[], simplify = false) {
    const [file] = files;
    if (file === undefined) return;
    if (files.length > 1) return show(words.one, 'warning');
    setRead(null);
    setSending({ file, percent: 0 });
    const sent = sendForImport(file, { simplify, onProgress: (percent) => setSending({ file, percent }) });
    stop.current = sent.stop;
    try {
      const found = await sent.done;
      const [part] = found.parts;
      if (found.parts.length === 1 && part) add(file, found, part.features);
      else setRead({ file, name: file.name, found, added: null });
    } catch (error) {
      const isJson = /\.(geo)?json$/i.test(file.name);
      const text =
        isJson && errorText(error).includes('JSON') ? words.notJson : fill(words.failed, { text: errorText(error) });
      show(text, 'error');
    } finally {
      setSending(null);
      stop.current = null;
    }
  }

  function add(file: File, found: ImportedAnnotations, features: readonly AnnotationFeature[]) {
    const editable = features.map((one) => ({ ...one, geometry: unrolledGeometry(one.geometry) }));
    if (!editor.add(editable))
      return show(fill(texts.draw.tooMany, { count: formatNumber(ANNOTATION_FEATURES_MAX) }), 'error');
    onTitle(titleOfFile(file.name));
    const count = formatNumber(features.length);
    const name = plainText(file.name);
    const taken = fill(features.length === 1 ? words.takenOne : words.taken, { count, name });
    const label = found.securityClassification;
    if (label) onLabel(label);
    show(label ? `${taken} ${fill(words.labelled, { label })}` : taken);
    setRead({ file, name, found, added: features.length });
    if (found.remarks.length === 0) onDone();
  }

  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 860 }}>
      {sending === null ? (
        <FileDrop
          what={words.drop}
          name={texts.dialog.tabs.import}
          accept={SUFFIXES}
          onFiles={(files) => void readFiles(files)}
        />
      ) : (
        <Box>
          <Typography role="status">{fill(words.reading, { name: plainText(sending.file.name) })}</Typography>
          <LinearProgress
            variant={sending.percent < 100 ? 'determinate' : 'indeterminate'}
            value={sending.percent}
            aria-label={fill(words.reading, { name: sending.file.name })}
          />
        </Box>
      )}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {fill(words.hint, {
          features: formatNumber(ANNOTATION_FEATURES_MAX),
          vertices: formatNumber(ANNOTATION_VERTICES_MAX),
        })}
      </Typography>
      {read && (
        <Found
          read={read}
          onAdd={(features) => add(read.file, read.found, features)}
          onSimplify={() => void readFiles([read.file], true)}
        />
      )}
    </Box>
  );
}

type FoundProps = {
  read: Read;
  onAdd: (features: readonly AnnotationFeature[]) => void;
  onSimplify: () => void;
};

/** Shows the content of a file if it exceeds what one annotation may hold, or if not all of it could be imported. */
function Found({ read, onAdd, onSimplify }: FoundProps) {
  const { found, name, added } = read;
  const isMany = found.parts.length > 1;
  return (
    <Box sx={{ display: 'grid', gap: 3 }} data-part="found">
      {added !== null && (
        <Box role="status" sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
          <Icon path={mdiCheckCircleOutline} sx={{ color: 'success.main' }} />
          {fill(added === 1 ? words.takenOne : words.taken, { count: formatNumber(added), name })}
        </Box>
      )}
      {added === null && found.parts.length === 0 && <Box role="status">{fill(words.nothing, { name })}</Box>}
      {added === null && isMany && (
        <>
          <Box role="status">{words.replace}</Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {found.parts.map((part, index) => (
              // The title is a sufficient key, since the parts of one file keep their order.
              <Button key={part.title} onClick={() => onAdd(part.features)}>
                {fill(words.part, { number: index + 1, count: formatNumber(part.features.length) })}
              </Button>
            ))}
            <Button onClick={onSimplify}>{words.simplify}</Button>
          </Box>
        </>
      )}
      {found.keptVertices < found.vertices && (
        <Box>
          {fill(words.simplified, { all: formatNumber(found.vertices), kept: formatNumber(found.keptVertices) })}
        </Box>
      )}
      {found.remarks.length > 0 && (
        <Box>
          <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', fontWeight: 600 }}>
            <Icon path={mdiAlertOutline} sx={{ color: 'warning.main' }} /> {words.left}
          </Box>
          <Box component="ul" sx={{ m: 0, pl: 5 }}>
            {found.remarks.map(({ feature, name: own, reason }) => (
              <li key={`${feature} ${own} ${reason}`}>
                {feature !== null && fill(words.feature, { number: feature })} {plainText(own)} {plainText(reason)}
              </li>
            ))}
            {found.moreRemarks > 0 && <li>{fill(words.more, { count: formatNumber(found.moreRemarks) })}</li>}
          </Box>
        </Box>
      )}
    </Box>
  );
}

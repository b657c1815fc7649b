import {
  mdiClose,
  mdiDownload,
  mdiFileQuestionOutline,
  mdiLabelOutline,
  mdiMagnifyMinusOutline,
  mdiMagnifyPlusOutline,
  mdiShareVariantOutline,
  mdiVectorSelection,
} from '@mdi/js';
import { Box, Typography } from '@mui/material';
import { type DocumentRow, getDocumentText } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, formatSize, formatTime, NONE, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { Action } from '../ui/Action.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { later } from '../ui/later.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import { collectedDocuments } from './collected.ts';
import { Moment } from './Moment.tsx';
import { PageView } from './PageView.tsx';
import { linkTo, mayDo } from './rows.ts';
import { FILLS, StreamVideo } from './StreamVideo.tsx';
import { texts } from './texts.ts';
import { useDocument } from './useDocuments.ts';
import type { DownloadOptions } from './useDownload.ts';
import { ViewerActs } from './ViewerActs.tsx';

const PlaceMap = later(async () => (await import('./PlaceMap.tsx')).PlaceMap);

type Props = {
  document: DocumentRow;
  /** True if the viewer replaces the table and its toolbar, as on a phone. */
  alone: boolean;
  onClose: () => void;
  onDownload: (row: DocumentRow, options?: DownloadOptions) => void;
};

const words = texts.viewer;
const { columns } = texts;
const images: readonly string[] = ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'tiff'];
const plain: readonly string[] = ['text', 'csv', 'json', 'geojson', 'kml'];
const ZOOMS = [1, 1.5, 2, 3];

/**
 * Shows a document without downloading it: as pictures made by the server, as a video, or as text. Scripts in a
 * document are never run.
 */
export function Viewer({ document, alone, onClose, onDownload }: Props) {
  const actor = useActor();
  const [zoom, setZoom] = useState(0);
  const { share, popover } = useShare();
  const zooms = document.content === 'pdf' || images.includes(document.content);
  return (
    <Box
      component="section"
      aria-label={fill(words.label, { title: document.title })}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: '100%',
        minHeight: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        overflow: 'hidden',
        bgcolor: 'surface.panel',
      }}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          minHeight: 40,
          px: 3,
          // On a phone the title and the buttons have a line each.
          ...{ rowGap: 0, pt: { xs: 2, sm: 0 } },
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="h3" component="h2" noWrap>
          {plainText(document.title)}
        </Typography>
        <LabelMark label={document.securityClassification} marked={document.marked} />
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, ml: 'auto' }}>
          {zooms && (
            <>
              <Action
                label={words.zoomOut}
                icon={mdiMagnifyMinusOutline}
                disabled={zoom === 0}
                onClick={() => setZoom(zoom - 1)}
              />
              <Action
                label={words.zoomIn}
                icon={mdiMagnifyPlusOutline}
                disabled={zoom === ZOOMS.length - 1}
                onClick={() => setZoom(zoom + 1)}
              />
            </>
          )}
          <AddToCase of={() => collectedDocuments([document])} />
          <Action label={texts.toolbar.share} icon={mdiShareVariantOutline} onClick={() => share(linkTo(document))} />
          <Action
            label={texts.toolbar.download}
            icon={mdiDownload}
            disabled={!mayDo(actor, 'document.download', document)}
            onClick={() => onDownload(document)}
          />
          {document.snapshot !== null && (
            <Action
              label={texts.viewer.downloadStrip}
              icon={mdiLabelOutline}
              disabled={!mayDo(actor, 'document.download', document)}
              onClick={() => onDownload(document, { strip: true })}
            />
          )}
          {document.overlays && (
            <Action
              label={texts.viewer.downloadOverlays}
              icon={mdiVectorSelection}
              disabled={!mayDo(actor, 'document.download', document)}
              onClick={() => onDownload(document, { overlays: true })}
            />
          )}
          {alone && <ViewerActs document={document} onDeleted={onClose} />}
          <Action label={words.close} icon={mdiClose} onClick={onClose} />
        </Box>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, bgcolor: 'surface.base' }}>
        <Content key={document._id} document={document} zoom={ZOOMS[zoom] ?? 1} />
      </Box>
      {document.geometry && (
        <PlaceMap geometry={document.geometry} label={fill(words.map, { title: document.title })} />
      )}
      {document.message !== null && plain.includes(document.content) && (
        <Box role="note" sx={{ px: 3, py: 2, borderTop: 1, borderColor: 'divider', fontSize: 12 }}>
          {document.message}
        </Box>
      )}
      {document.snapshot !== null && <Moment documentId={document._id} />}
      <Facts document={document} />
      {popover}
    </Box>
  );
}

function Content({ document, zoom }: { document: DocumentRow; zoom: number }) {
  const { content, pages } = document;
  if (images.includes(content) && document.message === null)
    return <PageView document={document} pages={document.overlays ? 2 : 1} zoom={zoom} />;
  if (content === 'mp4') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: recordings of people have none
      <video
        controls
        preload="metadata"
        aria-label={fill(words.video, { title: document.title })}
        src={`/api/documents/${document._id}/video`}
        style={FILLS}
      />
    );
  }
  if (content === 'ts' && document.state !== 'Processing') {
    return <StreamVideo documentId={document._id} label={fill(words.video, { title: document.title })} />;
  }
  if (plain.includes(content)) return <TextView document={document} />;
  if (document.state === 'Processing') return <Notice icon={mdiFileQuestionOutline} title={words.processing} />;
  if (content === 'pdf' && pages) return <PageView document={document} pages={pages} zoom={zoom} />;
  return <Notice icon={mdiFileQuestionOutline} title={document.message ?? words.none} text={words.noneHint} />;
}

function TextView({ document }: { document: DocumentRow }) {
  const api = useApi();
  const read = useQuery({
    queryKey: ['documents', 'text', document._id],
    queryFn: ({ signal }) => api.call(getDocumentText, { params: { id: document._id } }, { signal }),
  });
  if (read.error) return <Notice failed icon={mdiFileQuestionOutline} title={errorText(read.error)} />;
  return (
    <Box
      // Focusable, so that the text can be scrolled by keyboard.
      tabIndex={0}
      role="region"
      aria-label={fill(words.text, { title: document.title })}
      sx={{ height: '100%', overflow: 'auto', p: 4 }}
    >
      <Box
        component="pre"
        sx={{ m: 0, fontSize: 12, lineHeight: '18px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {read.data?.text}
      </Box>
      {read.data?.more && <Typography sx={{ mt: 3, color: 'text.secondary' }}>{words.more}</Typography>}
    </Box>
  );
}

/** Lists the facts of a document, including the columns that the table omits on a small screen. */
function Facts({ document }: { document: DocumentRow }) {
  const groups = useUsergroups();
  const read = useDocument(document.snapshot === null ? null : document._id);
  const downloaded = read.data?.downloadSha256 ?? null;
  const names = groups.filter(({ _id }) => document.usergroups.includes(_id)).map(({ name }) => name);
  const facts: [string, string][] = [
    [columns.description, plainText(document.description) || NONE],
    [columns.platformName, plainText(document.platformName) || NONE],
    [columns.author, plainText(document.author)],
    [columns.creationTime, formatTime(document.creationTime)],
    [columns.restricted, document.restricted ? texts.locked : NONE],
    [words.facts.file, plainText(document.fileName)],
    [words.facts.usergroups, document.audience === 'everyone' ? words.everyone : names.join(', ') || NONE],
    [words.facts.size, formatSize(document.sizeBytes)],
    [words.facts.tags, document.tags.join(', ') || NONE],
    [words.facts.sha256, document.sha256],
    ...(downloaded === null ? [] : [[words.facts.downloadSha256, downloaded] satisfies [string, string]]),
    [words.facts.search, words.scopes[document.textScope]],
  ];
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        px: 3,
        py: 2,
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto 1fr' },
        columnGap: 4,
        rowGap: 1,
        borderTop: 1,
        borderColor: 'divider',
        fontSize: 12,
      }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box
            component="dd"
            title={value}
            sx={{
              m: 0,
              minWidth: 0,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: { md: 'nowrap' },
              overflowWrap: 'anywhere',
              // Touch screens show no tooltip, so on a small screen the value wraps to up to five lines, which fits a
              // description of full length.
              display: { xs: '-webkit-box', md: 'block' },
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: 5,
            }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

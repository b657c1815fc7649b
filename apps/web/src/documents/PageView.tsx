import { mdiChevronLeft, mdiChevronRight, mdiFileAlertOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { DocumentRow } from '@osprey/contract';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';

type Props = { document: DocumentRow; pages: number; zoom: number };

const words = texts.viewer;

/** Shows a document one page at a time, as a picture. The arrow keys, Page Up and Page Down turn the pages. */
export function PageView({ document, pages, zoom }: Props) {
  const [page, setPage] = useState(1);
  const [failed, setFailed] = useState(false);
  const isDrawn = document.overlays && page === 2;
  const count = document.overlays ? words.ofSnapshot : words.page;
  const shown = isDrawn ? words.overlays : fill(count, { page, pages });
  const [back, on] = document.overlays ? [words.previousPicture, words.nextPicture] : [words.previous, words.next];
  const isPage = pages > 1 && !document.overlays;
  const name = isDrawn
    ? `${words.overlays}, ${document.title}`
    : fill(isPage ? words.picture : words.image, { title: document.title, page });

  function turn(by: number) {
    setFailed(false);
    setPage((before) => Math.min(pages, Math.max(1, before + by)));
  }

  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={name}
      onKeyDown={(event) => {
        const by: Record<string, number> = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1 };
        const step = by[event.key];
        if (step === undefined || pages === 1) return;
        event.preventDefault();
        turn(step);
      }}
      sx={{ height: '100%', display: 'flex', flexDirection: 'column' }}
    >
      {pages > 1 && (
        <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 2, p: 1 }}>
          <Action label={back} icon={mdiChevronLeft} disabled={page === 1} onClick={() => turn(-1)} />
          <Box component="span" role="status">
            {shown}
          </Box>
          <Action label={on} icon={mdiChevronRight} disabled={page === pages} onClick={() => turn(1)} />
        </Box>
      )}
      <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto', display: 'grid', justifyItems: 'center', p: 3 }}>
        {failed ? (
          <Notice failed icon={mdiFileAlertOutline} title={words.failed} />
        ) : (
          <Box
            component="img"
            key={page}
            src={`/api/documents/${document._id}/pages/${page}`}
            alt={name}
            onError={() => setFailed(true)}
            sx={{
              width: `${100 * zoom}%`,
              maxWidth: zoom === 1 ? 1000 : 'none',
              height: 'auto',
              alignSelf: 'start',
              bgcolor: '#fff',
              boxShadow: 1,
            }}
          />
        )}
      </Box>
    </Box>
  );
}

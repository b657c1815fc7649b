import { Box, useMediaQuery } from '@mui/material';
import { useEffect } from 'react';
import { useShownLabels } from '../base/shown-labels.ts';
import { isCode } from '../base/transport-error.ts';
import { DocumentsPanel } from '../documents/DocumentsPanel.tsx';
import { DOCUMENT_PARAMETER, filterRules } from '../documents/filter.ts';
import { texts } from '../documents/texts.ts';
import { useDocument } from '../documents/useDocuments.ts';
import { useDownload } from '../documents/useDownload.ts';
import { Viewer } from '../documents/Viewer.tsx';
import { useQueryFilter } from '../ui/filter/useQueryFilter.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { usePageTitle } from './usePageTitle.ts';

/** Page of documents, with a viewer next to the table; on a small screen the viewer replaces the table. */
export function DocumentsPage() {
  usePageTitle(texts.title);
  const { filter, setFilter, sort, setSort, openId, open } = useQueryFilter(filterRules, DOCUMENT_PARAMETER);
  const read = useDocument(openId);
  const download = useDownload();
  const { show } = useSnackbar();
  const narrow = useMediaQuery('(max-width: 1199.95px)');
  const shown = openId === null || read.error ? null : (read.data ?? null);
  useShownLabels(shown === null ? [] : [shown.securityClassification]);

  const gone = isCode(read.error, 'notFound');
  useEffect(() => {
    if (!gone) return;
    show(texts.viewer.gone, 'warning');
    open(null);
  }, [gone, open, show]);

  const viewer = shown && (
    <Viewer
      document={shown}
      alone={narrow}
      onClose={() => open(null)}
      onDownload={(...asked) => void download(...asked)}
    />
  );
  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, display: 'flex', gap: 2 }}>
      {!(narrow && viewer) && (
        <Box sx={{ flex: 1.6, minWidth: 0 }}>
          <DocumentsPanel
            filter={filter}
            onFilter={setFilter}
            sort={sort}
            onSort={setSort}
            open={shown}
            opening={read.isLoading}
            onOpen={open}
          />
        </Box>
      )}
      {viewer && <Box sx={{ flex: 1, minWidth: 0 }}>{viewer}</Box>}
    </Box>
  );
}

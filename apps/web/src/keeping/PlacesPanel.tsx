import { mdiMapMarkerOutline, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import {
  deleteSitePlaceList,
  getSitePlaceList,
  putSitePlaceList,
  SITE_PLACES_BYTES_MAX,
  type SitePlaceProblem,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.places;
const KEY = ['places'] as const;

type Refused = { fileName: string; problems: readonly SitePlaceProblem[]; count: number };

/**
 * Panel for the site's list of places: a CSV file whose names can be found with Find by place and the command palette.
 */
export function PlacesPanel() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const query = useQuery({
    queryKey: [...KEY, 'list'],
    queryFn: async ({ signal }) => (await api.call(getSitePlaceList, {}, { signal })).list,
  });
  const list = query.data;

  async function uploadFile([file]: File[]) {
    if (file === undefined || isBusy) return;
    setRefused(null);
    const text = await textOf(file);
    if (text === null) return show(file.size > SITE_PLACES_BYTES_MAX ? words.tooLarge : words.notUtf8, 'error');
    setBusy(true);
    try {
      const fileName = file.name.slice(0, 255);
      const {
        list: taken,
        problems,
        count,
      } = await api.call(putSitePlaceList, {
        body: { fileName, text },
      });
      if (taken === null) setRefused({ fileName, problems, count });
      else show(formatCount(taken.count, words.taken));
    } catch (error) {
      show(fill(words.notTaken, { text: errorText(error) }), 'error');
    }
    setBusy(false);
    await queries.invalidateQueries({ queryKey: KEY });
  }

  async function remove() {
    try {
      await api.call(deleteSitePlaceList, {});
      show(words.removed);
    } catch (error) {
      show(errorText(error), 'error');
    }
    setAsking(false);
    await queries.invalidateQueries({ queryKey: KEY });
  }

  return (
    <Box sx={{ overflow: 'auto', px: 4, py: 3, display: 'grid', gap: 3, alignContent: 'start' }}>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 800 }}>
        {words.lead}
      </Typography>
      <FileDrop
        what={words.what}
        name={words.name}
        accept=".csv,.txt,text/csv"
        onFiles={(files) => void uploadFile(files)}
      />
      <Box sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'pre-wrap', fontFamily: 'monospace' }}>
        {words.example}
      </Box>
      {refused && <Problems refused={refused} />}
      {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
      {list === null && <Notice icon={mdiMapMarkerOutline} title={words.none} text={words.noneText} />}
      {list && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
          <Icon path={mdiMapMarkerOutline} />
          <Box sx={{ flex: 1, minWidth: 200, overflowWrap: 'anywhere' }}>
            <Box sx={{ fontWeight: 600 }}>{formatCount(list.count, words.count)}</Box>
            <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
              {fill(words.from, {
                file: list.fileName,
                time: formatTime(list.uploaded),
                by: list.by ?? words.gone,
              })}
            </Box>
          </Box>
          <Button startIcon={<Icon path={mdiTrashCanOutline} />} onClick={() => setAsking(true)}>
            {words.remove}
          </Button>
        </Box>
      )}
      {isAsking && list && (
        <ConfirmDialog
          danger
          title={words.removeTitle}
          confirmText={words.remove}
          onConfirm={() => void remove()}
          onCancel={() => setAsking(false)}
        >
          {formatCount(list.count, words.removeText)}
        </ConfirmDialog>
      )}
    </Box>
  );
}

/** Returns the text of a file; null if the file is too large or is not UTF-8. */
async function textOf(file: File): Promise<string | null> {
  if (file.size > SITE_PLACES_BYTES_MAX) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

function Problems({ refused: { fileName, problems, count } }: { refused: Refused }) {
  return (
    <Box role="alert" sx={{ border: 1, borderColor: 'error.main', borderRadius: 1.5, px: 3, py: 2, maxWidth: 800 }}>
      <Box sx={{ overflowWrap: 'anywhere' }}>{fill(words.refused, { file: fileName })}</Box>
      <Box component="ul" sx={{ m: 0, pl: 5 }}>
        {problems.map(({ line, text }) => (
          <li key={line}>{fill(words.line, { line, text })}</li>
        ))}
      </Box>
      {count > problems.length && <Box>{formatCount(count - problems.length, words.more)}</Box>}
    </Box>
  );
}

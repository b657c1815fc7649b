import { mdiMapPlus, mdiTrashCanOutline } from '@mdi/js';
import { Box, Link, Typography } from '@mui/material';
import { listTileFiles, mapLayersEvent, removeTileFile, type TileFile } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatSize } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { UploadRow } from '../uploads/UploadRow.tsx';
import { useUploads } from '../uploads/upload-store.ts';
import { startUpload } from '../uploads/uploads.ts';
import { PlainTable } from './PlainTable.tsx';
import { texts } from './texts.ts';

const words = texts.tiles;
const MANUAL = '/help/storage#map-layers';

/** Panel for files of map tiles, which are added by dropping them, offered on each map, and can be removed. */
export function TilesPanel() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [leaving, setLeaving] = useState<TileFile | null>(null);
  const query = useQuery({
    queryKey: ['mapconfig', 'files'],
    queryFn: ({ signal }) => api.call(listTileFiles, {}, { signal }),
  });
  const readAgain = () => queries.invalidateQueries({ queryKey: ['mapconfig'] });
  useServerEvent(mapLayersEvent, () => void readAgain());
  const all = useUploads().filter(({ target }) => target.kind === 'tiles');
  const done = all.filter(({ state }) => state === 'done').length;
  useEffect(() => {
    // The event that reports the new file may be missed while the socket is disconnected, so the list is read again in
    // any case.
    if (done > 0) void queries.invalidateQueries({ queryKey: ['mapconfig'] });
  }, [queries, done]);
  const uploads = all.filter(({ state }) => state !== 'done');
  const files = query.data?.files ?? [];

  async function remove({ _id, name }: TileFile) {
    try {
      await api.call(removeTileFile, { params: { layer: _id } });
      show(fill(words.removed, { name }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    setLeaving(null);
    await readAgain();
  }

  return (
    <Box sx={{ overflow: 'auto', px: 4, py: 3 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3, maxWidth: 800 }}>
        {words.lead} <Link href={MANUAL}>{words.manual}</Link>
      </Typography>
      <FileDrop
        what={words.what}
        name={words.name}
        accept=".mbtiles,.pmtiles"
        onFiles={(chosen) => {
          for (const file of chosen) startUpload(file, { kind: 'tiles' });
        }}
      />
      <Box component="ul" sx={{ my: 0, mx: -3, p: 0 }}>
        {uploads.map((item) => (
          <UploadRow key={item.id} item={item} name="short" />
        ))}
      </Box>
      {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && files.length + uploads.length === 0 && (
        <Notice icon={mdiMapPlus} title={words.none} text={words.noneText} />
      )}
      {files.length > 0 && (
        <Box sx={{ mx: -4, mt: 2 }}>
          <PlainTable
            label={texts.tabs.tiles}
            head={[
              words.columns.title,
              words.columns.file,
              words.columns.zooms,
              words.columns.size,
              words.columns.state,
            ]}
            rows={files}
            idOf={({ _id }) => _id}
            cells={(file) => [
              file.layer?.title ?? '–',
              file.name,
              file.layer ? fill(words.zooms, { least: file.layer.minZoom, most: file.layer.maxZoom }) : '–',
              formatSize(file.sizeBytes),
              file.fault === null ? words.shown : fill(words.faulty, { text: file.fault }),
            ]}
            actions={(file) => (
              <Action
                label={fill(words.remove, { name: file.name })}
                icon={mdiTrashCanOutline}
                onClick={() => setLeaving(file)}
              />
            )}
          />
        </Box>
      )}
      {leaving && (
        <ConfirmDialog
          title={fill(words.removeTitle, { name: leaving.layer?.title ?? leaving.name })}
          confirmText={words.removeConfirm}
          danger
          onCancel={() => setLeaving(null)}
          onConfirm={() => void remove(leaving)}
        >
          {fill(words.removeText, { name: leaving.name, size: formatSize(leaving.sizeBytes) })}
        </ConfirmDialog>
      )}
    </Box>
  );
}

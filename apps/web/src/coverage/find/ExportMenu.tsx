import { mdiDownloadOutline } from '@mdi/js';
import { Box, MenuItem } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatCount } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Menu } from '../../ui/Floating.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import type { Question } from './find-link.ts';
import { texts } from './texts.ts';

type Props = { question: Question; disabled: boolean };

const formats = ['csv', 'geojson', 'kml'] as const;

/** Saves the whole list, also what is not shown yet. */
export function ExportMenu({ question, disabled }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [collected, setCollected] = useState<number | null>(null);

  async function save(format: (typeof formats)[number]) {
    setAnchor(null);
    setCollected(0);
    try {
      const { exportFound } = await import('./export-found.ts');
      const { count, isMost } = await exportFound(api, { question, format }, setCollected);
      show(isMost ? fill(texts.exportedMost, { count }) : formatCount(count, texts.exported), 'success');
    } catch (error) {
      show(`${texts.exportFailed}: ${errorText(error)}`, 'error');
    } finally {
      setCollected(null);
    }
  }

  return (
    <>
      {collected !== null && (
        <Box role="status" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {formatCount(collected, texts.exporting)}
        </Box>
      )}
      <Action
        label={texts.export}
        icon={mdiDownloadOutline}
        disabled={disabled || collected !== null}
        aria-haspopup="menu"
        aria-busy={collected !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {formats.map((format) => (
          <MenuItem key={format} onClick={() => void save(format)}>
            {texts.exports[format]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

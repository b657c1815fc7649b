import { mdiDownloadOutline } from '@mdi/js';
import { Box, MenuItem } from '@mui/material';
import { type ClipContainer, clipContainers, FOUND_CLIPS_MAX, type FoundSpan, orderFoundClips } from '@osprey/contract';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill, formatCount } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Menu } from '../../ui/Floating.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import type { Question } from './find-link.ts';
import { texts } from './texts.ts';

type Props = {
  question: Question;
  /** The spans in the list. */
  spans: readonly FoundSpan[];
  /** The selected spans; if there are any, only these are exported. */
  chosen: readonly FoundSpan[];
  /** Called with the id of an export that makes clips. */
  onOrdered: (id: string) => void;
};

const formats = ['csv', 'geojson', 'kml'] as const;

/**
 * Menu that saves the selected spans or the whole list, including what has not been loaded yet. Spans with pictures can
 * also be exported as clips.
 */
export function ExportMenu({ question, spans, chosen, onOrdered }: Props) {
  const actor = useActor();
  const hasChosen = chosen.length > 0;
  const filmed = (hasChosen ? chosen : spans).filter(({ resolutionM }) => resolutionM !== null);
  const api = useApi();
  const { show } = useSnackbar();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [collected, setCollected] = useState<number | null>(null);

  async function save(format: (typeof formats)[number]) {
    setAnchor(null);
    setCollected(hasChosen ? chosen.length : 0);
    try {
      const { exportFound, saveSpans } = await import('./export-found.ts');
      if (hasChosen) {
        saveSpans(chosen, format);
        return show(formatCount(chosen.length, texts.exported), 'success');
      }
      const { count, isMost } = await exportFound(api, { question, format }, setCollected);
      show(isMost ? fill(texts.exportedMost, { count }) : formatCount(count, texts.exported), 'success');
    } catch (error) {
      show(`${texts.exportFailed}: ${errorText(error)}`, 'error');
    } finally {
      setCollected(null);
    }
  }

  async function order(format: ClipContainer) {
    setAnchor(null);
    if (filmed.length > FOUND_CLIPS_MAX) return show(fill(texts.clips.most, { count: FOUND_CLIPS_MAX }), 'warning');
    const asked = filmed.map(({ missionId, sensorId, from, to }) => ({ missionId, sensorId, from, to }));
    try {
      const { id, clips, left } = await api.call(orderFoundClips, { body: { spans: asked, format } });
      onOrdered(id);
      show(
        `${formatCount(clips, texts.clips.ordered)}${left > 0 ? ` ${formatCount(left, texts.clips.left)}` : ''}`,
        'info',
      );
    } catch (error) {
      show(`${texts.exportFailed}: ${errorText(error)}`, 'error');
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
        disabled={spans.length === 0 || collected !== null}
        aria-haspopup="menu"
        aria-busy={collected !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {formats.map((format) => (
          <MenuItem key={format} onClick={() => void save(format)}>
            {hasChosen ? formatCount(chosen.length, texts.exportsChosen[format]) : texts.exports[format]}
          </MenuItem>
        ))}
        {actor.role !== 'guest' &&
          clipContainers.map((format) => (
            <MenuItem key={format} disabled={filmed.length === 0} onClick={() => void order(format)}>
              {formatCount(filmed.length, texts.clips[format])}
            </MenuItem>
          ))}
      </Menu>
    </>
  );
}

import { mdiQuadcopter, mdiTrayArrowDown, mdiTrayArrowUp } from '@mdi/js';
import { Button } from '@mui/material';
import { can, type Dashboard, getPlatformsConfigFile, listPlatforms, streamMonitorEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber, unitOf } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { useLiveEvents } from '../events/useLiveEvents.ts';
import { Card, PageLink } from '../ui/Card.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';

const PlatformsFile = laterDialog(async () => (await import('./PlatformsFile.tsx')).PlatformsFile);

const words = texts.cards.platforms;

/** Card with the number of platforms, and download and upload of their configuration. */
export function PlatformsCard({ platforms }: { platforms: Dashboard['platforms'] | undefined }) {
  const actor = useActor();
  const [open, setOpen] = useState(false);
  const download = useDownload();
  const live = platforms?.live ?? 0;
  const mayUpload = can(actor, 'platformConfig.manage').allowed;
  const empty = mayUpload ? words.empty : words.none;
  const sensors = formatCount(platforms?.sensors ?? 0, words.sensors);
  return (
    <Card
      title={words.title}
      icon={mdiQuadcopter}
      badge={
        <>
          <StateDot state={live > 0 ? 'live' : 'offline'} />
          {fill(words.live, { count: live })}
        </>
      }
      figure={{
        value: formatNumber(platforms?.total),
        text: platforms?.total === 0 ? empty : fill(unitOf(platforms?.total, words.unit), { sensors }),
      }}
      facts={[
        [words.online, formatNumber(useOnlinePlatforms())],
        [words.autostart, formatNumber(platforms?.autostart)],
      ]}
    >
      <PageLink to="/platforminfo">{words.groups}</PageLink>
      {mayUpload && (
        <>
          <Button variant="text" startIcon={<Icon path={mdiTrayArrowDown} />} onClick={() => void download()}>
            {words.download}
          </Button>
          <Button variant="text" startIcon={<Icon path={mdiTrayArrowUp} />} onClick={() => setOpen(true)}>
            {words.upload}
          </Button>
        </>
      )}
      {open && <PlatformsFile onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** Returns the number of platforms that are streaming at least in part; null until known. */
function useOnlinePlatforms(): number | null {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = ['platforms', 'online'];
  useLiveEvents();
  useServerEvent(streamMonitorEvent, ({ topic }) => {
    if (topic === 'state') void queries.invalidateQueries({ queryKey });
  });
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call(listPlatforms, {}, { signal }),
    select: (listed) => listed.filter(({ state }) => state === 'online' || state === 'partial').length,
  });
  return data ?? null;
}

/** Returns a function that saves the configuration as platforms.yml. */
function useDownload() {
  const api = useApi();
  const { show } = useSnackbar();
  return async () => {
    try {
      const text = await api.call(getPlatformsConfigFile, { query: {} }, { asText: true });
      const url = URL.createObjectURL(new Blob([String(text)], { type: 'application/yaml' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = 'platforms.yml';
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      show(errorText(error), 'error');
    }
  };
}

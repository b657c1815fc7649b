import { mdiHeartPulse, mdiRestart, mdiServer } from '@mdi/js';
import { Button, Typography } from '@mui/material';
import { can, type Dashboard, shutdown } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor, useSession } from '../api/session.ts';
import { errorText } from '../api/transport-error.ts';
import { fill, NONE } from '../app/format.ts';
import { texts as shell } from '../app/texts.ts';
import { useServerState } from '../events/events.ts';
import { Card, PageLink } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/Snackbar.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';
import { formatSystemUptime, formatUptime, useSecondsSince } from './uptime.ts';
import { useSystemUptime } from './useDashboard.ts';

const words = texts.cards.server;

type Props = { figures: Dashboard | null; backups: readonly [name: string, value: ReactNode] | undefined };

/** State, name, version and times of the server, with its restart. */
export function ServerCard({ figures, backups }: Props) {
  const actor = useActor();
  const { info } = useSession();
  const state = useServerState();
  const isOnline = state === 'Online';
  const uptime = useSecondsSince(isOnline ? (info?.serverStartTime ?? null) : null);
  const systemUptime = useSystemUptime();
  const [asking, setAsking] = useState(false);
  const restart = useRestart(() => setAsking(false));
  const jobs = figures ? fill(words.jobsText, figures.jobs) : NONE;

  return (
    <Card
      title={words.title}
      icon={mdiServer}
      badge={
        <>
          <StateDot state={isOnline ? 'online' : 'offline'} />
          {shell.state[state]}
        </>
      }
      facts={[
        [words.name, info?.serverName ?? NONE],
        [words.version, info?.serverVer ?? NONE],
        [words.uptime, formatUptime(uptime)],
        [words.systemUptime, isOnline ? formatSystemUptime(systemUptime) : NONE],
        [words.proxy, info?.useReverseProxy ? words.proxyUsed : words.proxyUnused],
        [words.jobs, jobs],
        ...(backups ? [backups] : []),
        [words.update, words.noUpdate],
      ]}
    >
      {can(actor, 'health.details').allowed && (
        <PageLink to="/admin/health" icon={mdiHeartPulse}>
          {words.health}
        </PageLink>
      )}
      {can(actor, 'server.restart').allowed && (
        <Button
          variant="text"
          sx={{ ml: 'auto' }}
          disabled={!isOnline}
          startIcon={<Icon path={mdiRestart} />}
          onClick={() => setAsking(true)}
        >
          {words.restart}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={texts.restart.title}
          confirmText={texts.restart.confirm}
          busy={restart.busy}
          onCancel={() => setAsking(false)}
          onConfirm={() => void restart.run()}
        >
          <Typography>{texts.restart.question}</Typography>
          <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
            {texts.restart.text}
          </Typography>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function useRestart(onEnd: () => void) {
  const api = useApi();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      await api.call(shutdown, { query: { restart: '1' } });
      show(texts.restart.running, 'info');
    } catch (error) {
      show(errorText(error), 'error');
    }
    setBusy(false);
    onEnd();
  }
  return { run, busy };
}

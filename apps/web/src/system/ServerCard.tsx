import { mdiHeartPulse, mdiRestart, mdiServer } from '@mdi/js';
import { Button } from '@mui/material';
import { can, type Dashboard } from '@osprey/contract';
import type { ReactNode } from 'react';
import { useActor, useSession } from '../api/session.ts';
import { fill, NONE } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { useServerState } from '../events/events.ts';
import { Card, PageLink } from '../ui/Card.tsx';
import { Icon } from '../ui/Icon.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { RestartQuestions } from './RestartQuestions.tsx';
import { texts } from './texts.ts';
import { UpdateFact } from './UpdateFact.tsx';
import { formatSystemUptime, formatUptime, useSecondsSince } from './uptime.ts';
import { useSystemUptime } from './useDashboard.ts';
import { useRestart } from './useRestart.ts';

const words = texts.cards.server;

type Props = { figures: Dashboard | null; backups: readonly [name: string, value: ReactNode] | undefined };

/** Card with state, name, version and times of the server, and the button to restart it. */
export function ServerCard({ figures, backups }: Props) {
  const actor = useActor();
  const { info } = useSession();
  const state = useServerState();
  const isOnline = state === 'Online';
  const uptime = useSecondsSince(isOnline ? (info?.serverStartTime ?? null) : null);
  const systemUptime = useSystemUptime();
  const restart = useRestart();
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
        ...(can(actor, 'health.details').allowed ? [[words.update, <UpdateFact key="update" />] as const] : []),
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
          onClick={restart.ask}
        >
          {words.restart}
        </Button>
      )}
      <RestartQuestions asked={restart} />
    </Card>
  );
}

import { Box, Link, Typography } from '@mui/material';
import { can, type LivePlatform } from '@osprey/contract';
import { Link as RouterLink } from 'react-router';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber, plainText } from '../base/format.ts';
import { useLivePlatforms } from '../platforms/useLivePlatforms.ts';
import { useDashboard } from '../system/useDashboard.ts';
import { useProblems } from '../system/useProblems.ts';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { needsYou as texts } from './needs-you-texts.ts';

type Need = { text: string; to: string | null; state: DotState };

/** Number of lost streams that are named. */
const NAMED = 5;

/** The problems that the administrator should look at first: of the server, of jobs and of streams. */
export function NeedsYou() {
  const actor = useActor();
  const seesHealth = can(actor, 'health.details').allowed;
  const problems = useProblems(seesHealth);
  const { figures } = useDashboard();
  const { platforms, loading } = useLivePlatforms();
  const health = seesHealth ? '/admin/health' : null;
  // The checks of the server count failed jobs too.
  const failed = seesHealth ? 0 : (figures?.jobs.failed ?? 0);
  const needs: Need[] = [
    ...(problems ?? []).map(({ name, text, state }) => ({
      ...{ text: fill(texts.problem, { name, text }), to: health },
      state: state === 'failed' ? ('failed' as const) : ('lost' as const),
    })),
    ...(failed === 0 ? [] : [{ text: formatCount(failed, texts.jobs), to: null, state: 'failed' as const }]),
    ...lostOf(platforms),
  ];
  const isRead = figures !== null && !loading && (problems !== null || !seesHealth);
  return (
    <Box
      component="section"
      aria-label={texts.title}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'surface.panel', px: 4, py: 3 }}
    >
      <Typography variant="h3" component="h2">
        {texts.title}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 2, p: 0, listStyle: 'none', display: 'grid', gap: 2, minHeight: 20 }}>
        {needs.map((need) => (
          <Box component="li" key={need.text} sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
            <StateDot state={need.state} />
            {need.to === null ? (
              <span>{need.text}</span>
            ) : (
              <Link component={RouterLink} to={need.to} sx={{ overflowWrap: 'anywhere' }}>
                {need.text}
              </Link>
            )}
          </Box>
        ))}
        {isRead && needs.length === 0 && (
          <Box component="li" sx={{ color: 'text.secondary' }}>
            {texts.none}
          </Box>
        )}
      </Box>
    </Box>
  );
}

function lostOf(platforms: readonly LivePlatform[]): Need[] {
  const lost = platforms.flatMap(({ name, sensors }) =>
    sensors
      .filter(({ on, state }) => on && state === 'lost')
      .map((sensor) => ({ platform: name, sensor: sensor.name })),
  );
  const named = lost.slice(0, NAMED).map(({ platform, sensor }) => ({
    text: fill(texts.lost, { platform: plainText(platform), sensor: plainText(sensor) }),
    ...{ to: '/platforms', state: 'lost' as const },
  }));
  const more = lost.length - named.length;
  if (more === 0) return named;
  return [...named, { text: fill(texts.more, { count: formatNumber(more) }), to: '/platforms', state: 'lost' }];
}

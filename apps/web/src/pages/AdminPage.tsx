import { Box, Typography } from '@mui/material';
import { can, hasAdminRole, type Mission, type Sensor } from '@osprey/contract';
import { Navigate, useNavigate } from 'react-router';
import { useActor } from '../api/session.ts';
import { BackupsFact } from '../backups/BackupsFact.tsx';
import { texts as backups } from '../backups/texts.ts';
import { unseen } from '../base/sizes.ts';
import { Forecast } from '../keeping/Forecast.tsx';
import { LicenceCard } from '../licence/LicenceCard.tsx';
import { filterRules } from '../missions/filter.ts';
import { MissionsPanel } from '../missions/MissionsPanel.tsx';
import { linkTo } from '../missions/share.ts';
import { texts as missionTexts } from '../missions/texts.ts';
import { useLiveMissions } from '../missions/useLiveMissions.ts';
import { AdminCards } from '../system/AdminCards.tsx';
import { LoadPanel } from '../system/LoadPanel.tsx';
import { texts } from '../system/texts.ts';
import { useQueryFilter } from '../ui/filter/useQueryFilter.ts';
import { NeedsYou } from './NeedsYou.tsx';
import { TabHost } from './TabHost.tsx';
import { usePageTitle } from './usePageTitle.ts';

const nothingOpen = { mission: null, sensorId: null, link: () => '' };
const chartBox = { border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'surface.panel' } as const;
const ignore = () => undefined;

/** The admin dashboard: cards of the server, and below them all missions in admin mode. */
export function AdminPage() {
  usePageTitle(texts.title);
  const actor = useActor();
  const navigate = useNavigate();
  const { filter, setFilter, sort, setSort } = useQueryFilter(filterRules, 'mission');
  useLiveMissions(ignore);
  if (!hasAdminRole(actor)) return <Navigate to="/missions" replace />;
  const open = (mission: Mission, sensor: Sensor | null) => {
    const { pathname, search } = new URL(linkTo(mission, sensor));
    void navigate(`${pathname}${search}`);
  };
  return (
    <Box
      sx={{ height: '100%', overflowY: 'auto', p: { xs: 2, sm: 2 }, display: 'flex', flexDirection: 'column', gap: 2 }}
    >
      <Typography component="h1" sx={unseen}>
        {texts.title}
      </Typography>
      <NeedsYou />
      <AdminCards
        backups={can(actor, 'backup.list').allowed ? [backups.fact.name, <BackupsFact key="backups" />] : undefined}
        licence={<LicenceCard />}
        charts={[
          can(actor, 'retention.manage').allowed && (
            <Box key="disk" sx={chartBox}>
              <Forecast />
            </Box>
          ),
          can(actor, 'metrics.read').allowed && (
            <Box key="load" sx={chartBox}>
              <LoadPanel />
            </Box>
          ),
        ]}
      />
      <Box sx={{ flex: '1 0 auto', height: 480 }}>
        <TabHost
          label={missionTexts.title}
          storageKey={null}
          tabs={[
            {
              id: 'vod',
              label: missionTexts.tabs.vod,
              content: ({ strip, panel }) => (
                <MissionsPanel
                  alwaysAdmin
                  tabs={strip}
                  panel={panel}
                  filter={filter}
                  onFilter={setFilter}
                  sort={sort}
                  onSort={setSort}
                  open={nothingOpen}
                  onOpen={open}
                  onClosed={ignore}
                  onListed={ignore}
                />
              ),
            },
          ]}
        />
      </Box>
    </Box>
  );
}

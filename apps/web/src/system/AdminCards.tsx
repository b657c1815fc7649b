import { mdiAccountGroupOutline, mdiAccountMultipleOutline } from '@mdi/js';
import { can, type Dashboard } from '@osprey/contract';
import type { ReactNode } from 'react';
import { useActor } from '../api/session.ts';
import { fill, formatNumber, unitOf } from '../base/format.ts';
import { useEvents } from '../events/events.ts';
import { Card, PageLink } from '../ui/Card.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { PanelGrid } from './PanelGrid.tsx';
import { PlatformsCard } from './PlatformsCard.tsx';
import { ServerCard } from './ServerCard.tsx';
import { texts } from './texts.ts';
import { useDashboard } from './useDashboard.ts';

const words = texts.cards;
const number = (value: number | undefined) => formatNumber(value);

type Props = {
  /** Row about the backups on the server card; omitted for accounts that may not see it. */
  backups?: readonly [name: string, value: ReactNode] | undefined;
  licence: ReactNode;
  /** Charts shown after the cards. */
  charts: readonly ReactNode[];
};

/** Cards above the missions: the server, totals of all kinds of content, and their development. */
export function AdminCards({ backups, licence, charts }: Props) {
  const { figures, error, refetch, online } = useDashboard();
  const { offlineSince } = useEvents();
  if (figures === null && error !== null) {
    return (
      <>
        <FailedNotice title={texts.title} error={error} onRetry={refetch} />
        <PanelGrid dimmed={offlineSince !== null}>{charts}</PanelGrid>
      </>
    );
  }
  return (
    <PanelGrid dimmed={offlineSince !== null}>
      <ServerCard figures={figures} backups={backups} />
      <UsersCard users={figures?.users} online={online} />
      <GroupsCard groups={figures?.usergroups} />
      <PlatformsCard platforms={figures?.platforms} />
      {licence}
      {charts}
    </PanelGrid>
  );
}

function UsersCard({ users, online }: { users: Dashboard['users'] | undefined; online: number | null }) {
  return (
    <Card
      title={words.users.title}
      icon={mdiAccountMultipleOutline}
      badge={
        <>
          <StateDot state={online ? 'online' : 'offline'} />
          {fill(words.users.online, { count: online ?? 0 })}
        </>
      }
      figure={{ value: number(users?.total), text: unitOf(users?.total, words.users.unit) }}
      facts={[
        [words.users.superAdmins, number(users?.superAdmins)],
        [words.users.admins, number(users?.admins)],
        [words.users.groupAdmins, number(users?.groupAdmins)],
        [words.users.others, number(users?.others)],
        [words.users.disabled, number(users?.disabled)],
      ]}
    >
      <PageLink to="/users">{words.users.edit}</PageLink>
      <PageLink to="/useractivity">{words.users.activity}</PageLink>
    </Card>
  );
}

function GroupsCard({ groups }: { groups: Dashboard['usergroups'] | undefined }) {
  const mayEdit = can(useActor(), 'usergroup.manage').allowed;
  return (
    <Card
      title={words.groups.title}
      icon={mdiAccountGroupOutline}
      figure={{
        value: number(groups?.total),
        text: fill(unitOf(groups?.total, words.groups.unit), { empty: groups?.withoutMembers ?? 0 }),
      }}
      facts={[
        [words.groups.secret, number(groups?.secret)],
        [words.groups.webRtc, number(groups?.webRtc)],
        [words.groups.preview, number(groups?.previewOnly)],
        [words.groups.hls, number(groups?.hlsOnly)],
      ]}
    >
      {mayEdit && <PageLink to="/usergroups">{words.groups.edit}</PageLink>}
    </Card>
  );
}

import { Box, Typography } from '@mui/material';
import type { RecordingJob } from '@osprey/contract';
import { UploadRow } from '../../uploads/UploadRow.tsx';
import type { UploadItem } from '../../uploads/upload-store.ts';
import { ExportsPart } from '../exports/ExportsPart.tsx';
import { byMission } from './by-mission.ts';
import { JobRow } from './JobRow.tsx';
import { texts } from './texts.ts';

type Props = { uploads: readonly UploadItem[]; jobs: readonly RecordingJob[]; isAlone: boolean };

const nothing = (
  <Typography component="li" variant="body2" sx={{ listStyle: 'none', color: 'text.secondary', p: 4 }}>
    {texts.none}
  </Typography>
);

/**
 * Sort rank that puts failed uploads first, since the user would otherwise have to find them among dozens that are
 * done.
 */
const rank = ({ state }: UploadItem) => (state === 'failed' ? 0 : state === 'done' ? 2 : 1);

/**
 * List of running uploads and jobs, each with its progress. Says so if it is empty and Activity has no other content.
 */
export function ActivityList({ uploads, jobs, isAlone }: Props) {
  const sorted = uploads.toSorted((a, b) => rank(a) - rank(b));
  return (
    <Box component="ul" sx={{ m: 0, p: 0 }}>
      {sorted.map((item) => (
        <UploadRow key={item.id} item={item} name="long" />
      ))}
      <ExportsPart shown otherwise={isAlone && uploads.length + jobs.length === 0 && nothing} />
      {byMission(jobs).map((own) => (
        <JobRow key={own[0]!.missionId} jobs={own} />
      ))}
    </Box>
  );
}

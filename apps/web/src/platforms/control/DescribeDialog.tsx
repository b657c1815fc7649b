import { DialogContent, Typography } from '@mui/material';
import { can, type LivePlatform } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { factsOf } from '../../base/mission-rights.ts';
import { errorText } from '../../base/transport-error.ts';
import { missionQuery } from '../../player/open-queries.ts';
import { PlainDialog } from '../../ui/dialog/PlainDialog.tsx';
import { DescribeForm } from './DescribeForm.tsx';
import { texts } from './texts.ts';

type Props = { platform: LivePlatform; missionId: string; onClose: () => void };

const words = texts.describe;

/**
 * Dialog that describes a recording that was started without one: name, description, tags, a higher label, or a smaller
 * audience.
 */
export function DescribeDialog({ platform, missionId, onClose }: Props) {
  const api = useApi();
  const actor = useActor();
  const { data: mission, error } = useQuery(missionQuery(api, missionId));
  const title = fill(words.title, { name: platform.name });
  if (mission && can(actor, 'mission.update', factsOf(mission)).allowed) {
    return <DescribeForm title={title} first={mission} onClose={onClose} />;
  }
  // No dialog is shown while the mission is loading, which usually takes only a moment.
  if (!mission && !error) return null;
  const text = error ? errorText(error) : words.mayNot;
  return (
    <PlainDialog title={title} onClose={onClose}>
      <DialogContent>
        <Typography>{text}</Typography>
      </DialogContent>
    </PlainDialog>
  );
}

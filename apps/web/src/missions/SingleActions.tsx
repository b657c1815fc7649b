import { mdiFormTextbox, mdiLockOpenVariantOutline, mdiLockOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { can, type Mission } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { factsOf } from '../base/mission-rights.ts';
import { Icon } from '../ui/Icon.tsx';
import { texts as renaming } from './rename/texts.ts';
import { texts } from './texts.ts';

type Props = { mission: Mission; onRename: () => void; onHold: () => void };

/** Buttons of the bar below the table that concern a single mission. */
export function SingleActions({ mission, onRename, onHold }: Props) {
  const actor = useActor();
  const may = (action: 'mission.update' | 'mission.hold') => can(actor, action, factsOf(mission)).allowed;
  return (
    <>
      {may('mission.update') && (
        <Button variant="text" startIcon={<Icon path={mdiFormTextbox} />} onClick={onRename}>
          {renaming.action}
        </Button>
      )}
      {may('mission.hold') && (
        <Button
          variant="text"
          startIcon={<Icon path={mission.hold === null ? mdiLockOutline : mdiLockOpenVariantOutline} />}
          onClick={onHold}
        >
          {mission.hold === null ? texts.bulk.hold : texts.bulk.release}
        </Button>
      )}
    </>
  );
}

import { mdiClockEditOutline, mdiClockStart, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { Asset, Mission, Sensor } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { mayChangeSensors } from '../../base/mission-rights.ts';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { StateDot } from '../../ui/StateDot.tsx';
import { AisTimesDialog } from '../sensor/AisTimesDialog.tsx';
import { datedText } from '../sensor/dated-text.ts';
import { RemoveFile } from '../sensor/RemoveFile.tsx';
import { ShiftDialog } from '../sensor/ShiftDialog.tsx';
import { texts as sensorTexts } from '../sensor/texts.ts';
import { FileLine } from './FileLine.tsx';
import { texts } from './texts.ts';

type Asked = { kind: 'shift' } | { kind: 'remove' | 'aisTimes'; file: Asset };
type Props = { mission: Mission; sensor: Sensor };

const words = texts.sensors;

/** Whether times can be given to a file: AIS sentences without times, or ones whose times were given by hand before. */
const mayTakeTimes = ({ kind, state, startTime, aisTimes }: Asset) =>
  kind === 'ais' && state === 'ready' && (startTime === null || aisTimes !== undefined);

const isBad = ({ state, damage }: Asset) => state === 'failed' || damage !== undefined;

function stateWord({ state, damage }: Asset): string {
  if (damage !== undefined) return words.storedDamaged;
  return state === 'failed' ? words.storedBad : words.stored;
}

/** Stored data of a sensor: its files, which can be removed, and its times, which can be shifted. */
export function StoredFiles({ mission, sensor }: Props) {
  const actor = useActor();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const mayChange = mayChangeSensors(actor, mission);
  const hold = mission.hold ?? mission.heldBy ?? null;

  return (
    <>
      {sensor.assets.map((file) => (
        <FileLine
          key={file._id}
          name={file.name}
          sizeBytes={file.sizeBytes}
          note={[file.damage, file.message, datedText(file)].filter(Boolean).join(' ') || null}
        >
          <StateDot state={isBad(file) ? 'failed' : 'online'} />
          {stateWord(file)}
          {mayChange && mayTakeTimes(file) && (
            <Action
              label={fill(sensorTexts.aisTimes.action, { file: file.name })}
              icon={mdiClockStart}
              onClick={() => setAsked({ kind: 'aisTimes', file })}
            />
          )}
          {mayChange && (
            <Action
              label={fill(sensorTexts.remove.action, { file: file.name })}
              hint={hold === null ? undefined : fill(sensorTexts.remove.held, { reason: hold })}
              disabled={hold !== null}
              icon={mdiTrashCanOutline}
              onClick={() => setAsked({ kind: 'remove', file })}
            />
          )}
        </FileLine>
      ))}
      {mayChange && sensor.startTime !== null && (
        <Box component="li" sx={{ px: 2, py: 1 }}>
          <Button
            variant="text"
            startIcon={<Icon path={mdiClockEditOutline} />}
            aria-label={fill(sensorTexts.shift.action, { name: sensor.name })}
            onClick={() => setAsked({ kind: 'shift' })}
          >
            {sensorTexts.shift.button}
          </Button>
        </Box>
      )}
      {asked?.kind === 'remove' && <RemoveFile mission={mission} sensor={sensor} file={asked.file} onClose={close} />}
      {asked?.kind === 'aisTimes' && (
        <AisTimesDialog mission={mission} sensor={sensor} file={asked.file} onClose={close} />
      )}
      {asked?.kind === 'shift' && <ShiftDialog mission={mission} sensor={sensor} onClose={close} />}
    </>
  );
}

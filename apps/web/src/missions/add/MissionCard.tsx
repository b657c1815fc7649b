import { mdiChevronDown, mdiChevronUp, mdiFileMoveOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { NAME_MAX } from '@osprey/contract';
import { type DragEvent, useState } from 'react';
import { fill, formatCount, formatSize } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TimeText } from '../../ui/TimeText.tsx';
import { typedSpaceAsDash } from '../typed-dash.ts';
import { draggedFiles, isDraggingFiles } from './dragged.ts';
import { FileRows } from './FileRows.tsx';
import type { InspectedFile, ProposedMission, ProposedSensor } from './group.ts';
import type { Asked } from './MoveMenu.tsx';
import { missionProblem, type Place, sensorProblem } from './proposal.ts';
import { texts } from './texts.ts';

type Props = {
  number: number;
  mission: ProposedMission;
  all: readonly ProposedMission[];
  openAtFirst: boolean;
  onChange: (fields: Partial<ProposedMission>) => void;
  onAsk: (asked: Asked) => void;
  onMove: (ids: readonly number[], place: Place, name: string) => void;
};

function totalOf(files: readonly InspectedFile[]): string {
  const size = formatSize(files.reduce((sum, { file }) => sum + file.size, 0));
  return fill(texts.total, { files: formatCount(files.length, texts.files), size });
}

/** Card of one proposed mission: its name, and its sensors with their files. */
export function MissionCard({ number, mission, all, openAtFirst, onChange, onAsk, onMove }: Props) {
  const [open, setOpen] = useState(openAtFirst);
  const { name, platform, startUs, sensors } = mission;
  const title = fill(texts.mission, { number });
  const change = (key: string, sensor: string) =>
    onChange({ problem: null, sensors: sensors.map((one) => (one.key === key ? { ...one, name: sensor } : one)) });
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ border: 1, borderColor: 'surface.lineStrong', borderRadius: 2, overflow: 'hidden' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 3, p: 3 }}>
        <Field
          label={texts.name}
          value={name}
          problem={missionProblem(mission, all, texts.twice) ?? mission.problem ?? undefined}
          onChange={(event) => {
            typedSpaceAsDash(event);
            onChange({ name: event.target.value, isTyped: true, problem: null });
          }}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
          sx={{ flex: '1 1 260px' }}
        />
        <Box sx={{ flex: '1 1 200px', pt: { sm: 4 }, color: 'text.secondary', fontSize: 12, overflowWrap: 'anywhere' }}>
          <div>{totalOf(sensors.flatMap(({ files }) => files))}</div>
          <div>
            {startUs !== null && <TimeText timeUs={startUs} />}
            {startUs !== null && platform !== null && ' · '}
            {platform !== null && fill(texts.platform, { name: platform })}
          </div>
        </Box>
        <Action
          label={fill(texts.showOf, { action: open ? texts.hide : texts.show, name })}
          icon={open ? mdiChevronUp : mdiChevronDown}
          aria-expanded={open}
          sx={{ mt: { sm: 5 } }}
          onClick={() => setOpen(!open)}
        />
      </Box>
      {open &&
        sensors.map((sensor) => (
          <SensorBox
            key={sensor.key}
            sensor={sensor}
            mission={mission}
            onName={(typed) => change(sensor.key, typed)}
            onAsk={onAsk}
            onMove={onMove}
          />
        ))}
    </Box>
  );
}

type SensorProps = Pick<Props, 'mission' | 'onAsk' | 'onMove'> & {
  sensor: ProposedSensor;
  onName: (name: string) => void;
};

function SensorBox({ mission, sensor, onName, onAsk, onMove }: SensorProps) {
  const [over, setOver] = useState(false);
  const { key, name, files } = sensor;
  const ids = files.map(({ id }) => id);
  return (
    <Box
      onDragOver={(event) => {
        if (!isDraggingFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        setOver(false);
        const dropped = draggedFiles(event).filter((id) => !ids.includes(id));
        if (dropped.length === 0) return;
        event.preventDefault();
        const place = fill(texts.to.sensor, { mission: mission.name, sensor: name });
        onMove(dropped, { kind: 'sensor', mission: mission.key, sensor: key }, place);
      }}
      sx={{ borderTop: 1, borderColor: 'divider', bgcolor: over ? 'surface.selected' : 'transparent' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 3, p: 3 }}>
        <Field
          label={texts.sensor}
          value={name}
          problem={sensorProblem(name, mission, texts.sensorTwice) ?? undefined}
          onChange={(event) => onName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
          sx={{ flex: '0 1 260px' }}
        />
        <Box sx={{ flex: 1, pt: { sm: 6 }, color: 'text.secondary', fontSize: 12 }}>{totalOf(files)}</Box>
        {files.length > 1 && (
          <Button
            variant="text"
            startIcon={<Icon path={mdiFileMoveOutline} />}
            aria-haspopup="menu"
            aria-label={fill(texts.moveSensor, { sensor: name })}
            sx={{ mt: { sm: 5 } }}
            onClick={({ currentTarget }) => onAsk({ ids, from: currentTarget })}
          >
            {texts.move}
          </Button>
        )}
      </Box>
      <FileRows files={files} sensor={name} onAsk={onAsk} />
    </Box>
  );
}

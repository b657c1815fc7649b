import { DEFAULT_SENSOR, missionName, newMissionForm, sensorName } from '@osprey/contract';
import { nextName } from '../dialog/form.ts';
import { asMissionName, asSensorName, stemOf } from '../dialog/offers.ts';
import { type InspectedFile, nextSensor, type Proposal, type ProposedMission } from './group.ts';

/** Maximum number of missions created by one press of the button. */
export const PRESS_MAX = 20;

/** Destination that files can be moved to. */
export type Place =
  | { kind: 'sensor'; mission: string; sensor: string }
  | { kind: 'newSensor'; mission: string }
  | { kind: 'newMission' }
  | { kind: 'out' };

/** Returns the proposal with the files moved to another place. Sensors and missions left without files are removed. */
export function moveFiles(proposal: Proposal, ids: readonly number[], place: Place): Proposal {
  const isMoved = ({ id }: InspectedFile) => ids.includes(id);
  const all = [
    ...proposal.missions.flatMap(({ sensors }) => sensors.flatMap(({ files }) => files)),
    ...proposal.leftOut,
  ];
  const moved = all.filter(isMoved).sort((a, b) => a.id - b.id);
  const missions = proposal.missions.map((mission) => {
    const sensors = mission.sensors.map((sensor) => {
      const isHere = place.kind === 'sensor' && place.sensor === sensor.key;
      const rest = sensor.files.filter((file) => !isMoved(file));
      return { ...sensor, files: isHere ? [...rest, ...moved] : rest };
    });
    if (place.kind !== 'newSensor' || place.mission !== mission.key) return { ...mission, sensors };
    return { ...mission, sensors: [...sensors, { key: crypto.randomUUID(), name: freeSensor(mission), files: moved }] };
  });
  if (place.kind === 'newMission') missions.push(missionFor(moved, proposal.missions));
  return {
    missions: missions
      .map((mission) => ({ ...mission, sensors: mission.sensors.filter(({ files }) => files.length > 0) }))
      .filter(({ sensors }) => sensors.length > 0),
    leftOut: [...proposal.leftOut.filter((file) => !isMoved(file)), ...(place.kind === 'out' ? moved : [])],
  };
}

function freeSensor({ sensors }: ProposedMission): string {
  let [n, name] = [0, DEFAULT_SENSOR.name as string];
  while (sensors.some((sensor) => sensor.name === name)) name = nextSensor(DEFAULT_SENSOR.name, ++n);
  return name;
}

function missionFor(files: InspectedFile[], others: readonly ProposedMission[]): ProposedMission {
  const [first] = files;
  let name = asMissionName(first?.inspection.missionId ?? stemOf(first?.file.name ?? '')) ?? newMissionForm.name;
  while (others.some((other) => other.name === name)) name = nextName(name);
  return {
    key: crypto.randomUUID(),
    name,
    isTyped: false,
    platform: first?.inspection.platform ?? null,
    startUs: first?.inspection.startUs ?? null,
    sensors: [
      { key: crypto.randomUUID(), name: asSensorName(first?.inspection.sensor ?? '') ?? DEFAULT_SENSOR.name, files },
    ],
    problem: null,
  };
}

export const changeMission = (proposal: Proposal, key: string, fields: Partial<ProposedMission>): Proposal => ({
  ...proposal,
  missions: proposal.missions.map((mission) => (mission.key === key ? { ...mission, ...fields } : mission)),
});

/** Returns the error message for a mission name, from its schema or `twice` for a duplicate; null for a valid name. */
export function missionProblem(
  { key, name }: ProposedMission,
  all: readonly ProposedMission[],
  twice: string,
): string | null {
  if (all.some((other) => other.key !== key && other.name === name)) return twice;
  return missionName.safeParse(name).error?.issues[0]?.message ?? null;
}

/** Returns the error message for the name of a sensor of a mission; null for a valid name. */
export function sensorProblem(name: string, { sensors }: ProposedMission, twice: string): string | null {
  if (sensors.filter((sensor) => sensor.name.trim() === name.trim()).length > 1) return twice;
  return sensorName.safeParse(name.trim()).error?.issues[0]?.message ?? null;
}

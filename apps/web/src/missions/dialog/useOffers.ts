import { newMissionForm } from '@osprey/contract';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Inspection } from '../add/inspect.ts';
import { inspect } from '../add/inspector.ts';
import type { MissionForm } from './form.ts';
import { asMissionName, asPlatformName, asSensorName, stemOf } from './offers.ts';

/** First look at each file, kept so that no file is read twice. */
const inspections = new WeakMap<File, Promise<Inspection>>();

function inspectOnce(file: File): Promise<Inspection> {
  const inspection = inspections.get(file) ?? inspect(file);
  inspections.set(file, inspection);
  return inspection;
}

function offerMission(form: UseFormReturn<MissionForm>, file: File, inspection: Inspection): void {
  const { dirtyFields } = form.formState;
  const name = asMissionName(inspection.missionId ?? '') ?? asMissionName(stemOf(file.name));
  if (name !== null && dirtyFields.name !== true) form.resetField('name', { defaultValue: name });
  const platform = asPlatformName(inspection.platform ?? '');
  if (platform !== null && dirtyFields.platformName !== true) form.setValue('platformName', platform);
}

/**
 * Offers what the first file of each sensor says, in place of the defaults: name and platform of the mission, name of the
 * sensor. Typed values stay, and so do defaults from the last mission.
 */
export function useOffers(
  form: UseFormReturn<MissionForm>,
  files: readonly (readonly File[])[],
  enabled: boolean,
): void {
  const offered = useRef<File | null>(null);
  const offer = useEffectEvent((file: File, inspection: Inspection, index: number) => {
    const { sensors } = form.getValues();
    if (index === 0 && offered.current !== file) {
      offered.current = file;
      offerMission(form, file, inspection);
    }
    const sensor = asSensorName(inspection.sensor ?? '');
    const isFree = (requested: string) => sensors.every((other) => other.name.trim() !== requested);
    const own = sensors[index];
    const [standard] = newMissionForm.sensors;
    if (own === undefined || sensor === null || standard === undefined || !isFree(sensor)) return;
    // Sensors added by the dialog are named "EO/IR-2" and so on; any other name was chosen by the user.
    if (own.name !== standard.name && !own.name.startsWith(`${standard.name}-`)) return;
    form.setValue(
      'sensors',
      sensors.map((one, at) => (at === index ? { ...one, name: sensor } : one)),
    );
  });

  useEffect(() => {
    if (!enabled) return;
    let current = true;
    files.forEach(([file], index) => {
      if (file) void inspectOnce(file).then((inspection) => current && offer(file, inspection, index));
    });
    return () => {
      current = false;
    };
  }, [files, enabled]);
}

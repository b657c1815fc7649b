import { newMissionForm } from '@osprey/contract';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Inspection } from '../add/inspect.ts';
import { inspect } from '../add/inspector.ts';
import type { MissionForm } from './form.ts';
import { asMissionName, asPlatformName, asSensorName, stemOf } from './offers.ts';

/** Inspection of each file, cached so that no file is read twice. */
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
 * Replaces default values by what the first file of each sensor contains: name and platform of the mission, name of the
 * sensor. Typed values and defaults from the user's last mission are not replaced.
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

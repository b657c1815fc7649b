import { featureProperties } from '@osprey/contract';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';
import { firstStyle, type Style } from '../map/draw/editor.ts';
import type { LengthUnit } from './draw/measure.ts';

const shape = z.object({
  style: featureProperties
    .pick({
      ...{ stroke: true, 'stroke-width': true, 'stroke-opacity': true },
      ...{ 'fill-color': true, 'fill-opacity': true, symbol: true },
    })
    .default({}),
  center: z
    .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
    .nullable()
    .default(null),
  zoom: z.number().min(0).max(22).nullable().default(null),
  unit: z.enum(['nm', 'km', 'm']).default('nm'),
});

export type LastProperties = {
  style: Style;
  center: [number, number] | null;
  zoom: number | null;
  unit: LengthUnit;
};

/** Reads the style and map place of the last annotation. Before the first annotation, there are only defaults. */
export function readLastProperties(): LastProperties {
  const read = shape.safeParse(readStoredJson(storageKeys.lastAnnotationProperties)).data;
  return { center: null, zoom: null, unit: 'nm', ...read, style: { ...firstStyle, ...read?.style } };
}

export const writeLastProperties = (properties: LastProperties): void =>
  writeStored(storageKeys.lastAnnotationProperties, JSON.stringify(properties));

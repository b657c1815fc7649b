import {
  type Annotation,
  type AnnotationFeature,
  annotationDescription,
  annotationTitle,
  type ChangedAnnotation,
  type Classification,
  type Mission,
  type Usergroup,
} from '@osprey/contract';
import type { z } from 'zod';
import { timeOfText, timeText } from '../base/time-of.ts';
import { audienceOf, firstGroups } from '../ui/fields/sharing.ts';
import { texts } from './texts.ts';

/** Values of the tab General; the shapes are separate. */
export type AnnotationForm = {
  title: string;
  description: string;
  label: Classification;
  restricted: boolean;
  everyone: boolean;
  usergroups: string[];
  tags: string[];
  missionId: string | null;
  /** Whether the annotation is shown only during a part of the mission. */
  timed: boolean;
  start: string;
  end: string;
  /** Frame on which the annotation was drawn; null: none. */
  frame: { sensorId: string | null; time: number } | null;
  reason: string;
};

type NewFor = {
  groups: readonly Usergroup[];
  /** The mission that is shown; null: none. */
  mission: Pick<Mission, '_id' | 'securityClassification' | 'audience' | 'usergroups'> | null;
};

/**
 * Returns the initial values of a new annotation. In a mission, it starts with the label and audience of the mission.
 */
export const newForm = ({ groups, mission }: NewFor): AnnotationForm => ({
  title: '',
  description: '',
  label: mission?.securityClassification ?? 'UNCLASSIFIED',
  restricted: false,
  everyone: mission?.audience === 'everyone',
  usergroups: mission?.usergroups ?? firstGroups('UNCLASSIFIED', groups),
  tags: [],
  missionId: mission?._id ?? null,
  timed: false,
  start: '',
  end: '',
  frame: null,
  reason: '',
});

export const formOf = (row: Annotation): AnnotationForm => ({
  title: row.title,
  description: row.description,
  label: row.securityClassification,
  restricted: row.restricted,
  everyone: row.audience === 'everyone',
  usergroups: row.usergroups,
  tags: row.tags,
  missionId: row.missionId,
  timed: row.startTime !== null,
  start: timeText(row.startTime),
  end: timeText(row.endTime),
  frame: row.frame,
  reason: '',
});

/** Returns the error message of the schema for a value; undefined if the value is valid. */
const problemOf = (schema: z.ZodType, value: string): string | undefined => {
  const parsed = schema.safeParse(value);
  return parsed.success ? undefined : parsed.error.issues[0]?.message;
};

export type Problems = {
  title?: string | undefined;
  description?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
};

export function problemsOf(form: AnnotationForm): Problems {
  const [start, end] = [timeOfText(form.start), timeOfText(form.end)];
  const words = texts.dialog;
  const spanned = form.timed && form.missionId !== null;
  return {
    title: problemOf(annotationTitle, form.title),
    description: problemOf(annotationDescription, form.description),
    ...(spanned && start === null && { start: words.spanWrong }),
    ...(spanned && end === null && { end: words.spanWrong }),
    ...(spanned && start !== null && end !== null && end <= start && { end: words.spanOrder }),
  };
}

export const isValid = (form: AnnotationForm): boolean =>
  Object.values(problemsOf(form)).every((one) => one === undefined);

const described = (form: AnnotationForm, groups: readonly Usergroup[]) => ({
  title: form.title.trim(),
  description: form.description.trim(),
  annotationType: 'GeoJson' as const,
  securityClassification: form.label,
  restricted: form.restricted,
  tags: form.tags,
  startTime: form.timed ? timeOfText(form.start) : null,
  endTime: form.timed ? timeOfText(form.end) : null,
  ...audienceOf(form, groups),
});

export const createBody = (form: AnnotationForm, features: AnnotationFeature[], groups: readonly Usergroup[]) => ({
  ...described(form, groups),
  missionId: form.missionId,
  frame: form.missionId === null || !form.frame?.sensorId ? null : { ...form.frame, sensorId: form.frame.sensorId },
  type: 'FeatureCollection' as const,
  features,
});

type Change = {
  row: Annotation;
  form: AnnotationForm;
  features: AnnotationFeature[] | null;
  groups: readonly Usergroup[];
};

/**
 * Returns the request body with only the changed fields. An unchanged label is not sent, so that its marking remains as
 * it is.
 */
export function changeBody({ row, form, features, groups }: Change): ChangedAnnotation {
  const before = described(formOf(row), groups);
  const after = described(form, groups);
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof typeof before]),
  );
  return {
    ...(Object.fromEntries(changed) as ChangedAnnotation),
    ...(features && { type: 'FeatureCollection' as const, features }),
    revision: row.revision,
    ...(form.reason.trim() !== '' && { reason: form.reason.trim() }),
  };
}

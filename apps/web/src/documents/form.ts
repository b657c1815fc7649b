import type {
  ChangedDocument,
  Classification,
  DocumentGeometry,
  DocumentRow,
  DocumentType,
  Usergroup,
} from '@osprey/contract';
import { audienceOf, firstGroups } from '../ui/fields/sharing.ts';

/** Form values of the dialog, without the file. */
export type DocumentForm = {
  title: string;
  description: string;
  documentType: DocumentType;
  platformName: string;
  label: Classification;
  restricted: boolean;
  everyone: boolean;
  usergroups: string[];
  tags: string[];
  geometry: DocumentGeometry | null;
  reason: string;
};

export const newForm = (groups: readonly Usergroup[]): DocumentForm => ({
  title: '',
  description: '',
  documentType: 'Note',
  platformName: '',
  label: 'UNCLASSIFIED',
  restricted: false,
  everyone: false,
  usergroups: firstGroups('UNCLASSIFIED', groups),
  tags: [],
  geometry: null,
  reason: '',
});

export const formOf = (row: DocumentRow): DocumentForm => ({
  title: row.title,
  description: row.description,
  documentType: row.documentType,
  platformName: row.platformName,
  label: row.securityClassification,
  restricted: row.restricted,
  everyone: row.audience === 'everyone',
  usergroups: row.usergroups,
  tags: row.tags,
  geometry: row.geometry,
  reason: '',
});

/**
 * Returns the document type for a file (specification 2, section 5): pictures are of type Image, videos and .ts files
 * of type Video; other files keep the type chosen before.
 */
export function typeOfFile({ type, name }: Pick<File, 'type' | 'name'>, before: DocumentType): DocumentType {
  if (type.startsWith('image/')) return 'Image';
  if (type.startsWith('video/') || /\.ts$/i.test(name)) return 'Video';
  return before;
}

/**
 * Returns a title derived from the name of a file, which may be too long or contain characters that titles must not
 * contain.
 */
export const titleOfFile = (name: string, maximum: number): string =>
  [
    ...name
      .replace(/\.[^.]*$/, '')
      .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, maximum)
    .join('')
    .trim();

/** Returns the fields in the form that `POST documents` expects: lists and geometry as JSON text. */
export function formData(form: DocumentForm, groups: readonly Usergroup[], upload: string): FormData {
  const data = new FormData();
  const { audience, usergroups } = audienceOf(form, groups);
  const fields: Record<string, string> = {
    title: form.title.trim(),
    description: form.description.trim(),
    documentType: form.documentType,
    securityClassification: form.label,
    restricted: String(form.restricted),
    audience,
    usergroups: JSON.stringify(usergroups),
    tags: JSON.stringify(form.tags),
    platformName: form.platformName.trim(),
    ...(form.geometry && { geometry: JSON.stringify(form.geometry) }),
    upload,
  };
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

const described = (form: DocumentForm, groups: readonly Usergroup[]) => ({
  title: form.title.trim(),
  description: form.description.trim(),
  documentType: form.documentType,
  platformName: form.platformName.trim(),
  securityClassification: form.label,
  restricted: form.restricted,
  tags: form.tags,
  geometry: form.geometry,
  ...audienceOf(form, groups),
});

/**
 * Returns the request body with only the changed fields. An unchanged label is not sent, so that its marking remains as
 * it is.
 */
export function changeBody(row: DocumentRow, form: DocumentForm, groups: readonly Usergroup[]): ChangedDocument {
  const before = described(formOf(row), groups);
  const after = described(form, groups);
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof typeof before]),
  );
  return {
    ...(Object.fromEntries(changed) as ChangedDocument),
    revision: row.revision,
    ...(form.reason.trim() !== '' && { reason: form.reason.trim() }),
  };
}

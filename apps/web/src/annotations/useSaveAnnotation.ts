import {
  type Annotation,
  type AnnotationFeature,
  createAnnotation,
  type Usergroup,
  updateAnnotation,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, TransportError } from '../base/transport-error.ts';
import { boundsOf } from '../map/draw/geometry.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { type AnnotationForm, changeBody, createBody } from './form.ts';
import { texts } from './texts.ts';
import { isInView, viewArea } from './view-area.ts';

type Saved = { form: AnnotationForm; features: AnnotationFeature[]; featuresChanged: boolean };

const words = texts.dialog;

/** Returns a function that creates or changes an annotation, and resolves to whether it was saved. */
export function useSaveAnnotation(row: Annotation | null, groups: readonly Usergroup[]) {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();

  return async ({ form, features, featuresChanged }: Saved): Promise<boolean> => {
    const title = form.title.trim();
    try {
      if (row === null) await api.call(createAnnotation, { body: createBody(form, features, groups) });
      else {
        const body = changeBody({ row, form, features: featuresChanged ? features : null, groups });
        await api.call(updateAnnotation, { params: { id: row._id }, body });
      }
      show(fill(row === null ? words.created : words.edited, { title }));
      if (row === null || featuresChanged) bringIntoView(features);
      return true;
    } catch (error) {
      alert('Error', fill(row === null ? words.creating : words.updating, { text: failureText(error) }));
      return false;
    } finally {
      void queries.invalidateQueries({ queryKey: ['annotations'] });
    }
  };
}

/** Moves the map to what was drawn, if none of it is in view. */
function bringIntoView(features: readonly AnnotationFeature[]): void {
  const area = viewArea.get();
  const bounds = boundsOf(features);
  if (area !== null && bounds !== null && !isInView(area, bounds)) viewArea.show({ bounds });
}

/** Text of an error of saving, according to specification 2, section 8. */
export function failureText(error: unknown): string {
  if (!(error instanceof TransportError)) return errorText(error);
  if (error.kind === 'noResponse') return words.noResponse;
  const { status, statusText } = (error.cause ?? {}) as { status?: number; statusText?: string };
  return error.kind === 'status'
    ? fill(words.http, { status: status ?? '', statusText: statusText ?? '' })
    : errorText(error);
}

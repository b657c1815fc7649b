import { mdiMapMarkerOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import type { DocumentRow } from '@osprey/contract';
import { useState } from 'react';
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import type { DocumentForm } from './form.ts';
import { texts } from './texts.ts';

const AreaFilter = laterDialog(async () => (await import('./AreaFilter.tsx')).AreaFilter);

const words = texts.dialog;

type Props = { form: UseFormReturn<DocumentForm>; document: DocumentRow | null };

/** Field for the place of a document: the place in its file, or an area that the user draws. */
export function PlaceField({ form, document }: Props) {
  const [drawing, setDrawing] = useState(false);
  const [geometry, label] = useWatch({ control: form.control, name: ['geometry', 'label'] });
  const { dirtyFields } = useFormState({ control: form.control });
  const isOfFile = document?.geometrySource === 'file' && !dirtyFields.geometry;
  const known = isOfFile ? words.placeFile : words.placeUser;
  return (
    <Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', fontWeight: 500, mb: 1 }}>
        {words.place}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Button startIcon={<Icon path={mdiMapMarkerOutline} />} onClick={() => setDrawing(true)}>
          {words.placeShow}
        </Button>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {geometry === null ? words.placeNone : `${known}: ${geometry.type}`}
        </Typography>
      </Box>
      {drawing && (
        <AreaFilter
          title={words.place}
          mark={<LabelMark label={label} marked={document?.marked ?? true} />}
          hint={words.placeHint}
          value={geometry?.type === 'Polygon' ? geometry : null}
          context={geometry?.type === 'Polygon' ? null : geometry}
          onApply={(area) => {
            form.setValue('geometry', area as DocumentForm['geometry'], { shouldDirty: true });
            setDrawing(false);
          }}
          onClose={() => setDrawing(false)}
        />
      )}
    </Box>
  );
}

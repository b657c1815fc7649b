import { Button, Typography } from '@mui/material';
import type { DocumentGeometry } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { AreaPicker } from '../map/draw/AreaPicker.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import type { Area } from '../ui/filter/query-filter.ts';
import { texts } from './texts.ts';

type Props = {
  title: string;
  /** Label mark of the document to which the area belongs. */
  mark?: ReactNode;
  hint: string;
  value: Area | null;
  /** Present place, if it is not a single area. It is shown, and replaced by the area that the user draws. */
  context?: DocumentGeometry | null;
  onApply: (area: Area | null) => void;
  onClose: () => void;
};

/** Dialog to draw an area on a map, used for the filter and for the place of a document. */
export function AreaFilter({ title, mark, hint, value, context = null, onApply, onClose }: Props) {
  const [area, setArea] = useState<Area | null>(value);
  return (
    <FormDialog
      title={title}
      mark={mark}
      width={1000}
      dirty={false}
      onClose={onClose}
      onSubmit={() => onApply(area)}
      aside={
        <Button onClick={() => onApply(null)} disabled={value === null && context === null}>
          {texts.filters.clear}
        </Button>
      }
      submitLabel={texts.filters.apply}
      canSubmit={area !== null}
    >
      <Typography sx={{ color: 'text.secondary', mb: 3 }}>{hint}</Typography>
      <AreaPicker value={area} context={context} onChange={(polygon) => setArea(polygon as Area | null)} />
    </FormDialog>
  );
}

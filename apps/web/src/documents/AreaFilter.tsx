import { Button, Typography } from '@mui/material';
import type { DocumentGeometry } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { AreaPicker } from '../map/draw/AreaPicker.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import type { Area } from '../ui/filter/query-filter.ts';
import { texts } from './texts.ts';

type Props = {
  title: string;
  /** Mark of the document whose place it is. */
  mark?: ReactNode;
  hint: string;
  value: Area | null;
  /** The place as it is where that is no single area; shown, and replaced by what is drawn. */
  context?: DocumentGeometry | null;
  onApply: (area: Area | null) => void;
  onClose: () => void;
};

/** Draws an area on a map: for the filter, and for the place of a document. */
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

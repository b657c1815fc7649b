import { mdiInformationOutline } from '@mdi/js';
import { Box, MenuItem, Typography } from '@mui/material';
import { FEATURE_TEXT_MAX, FEATURE_TITLE_MAX } from '@osprey/contract';
import type { Editor, EditorState } from '../../map/draw/editor.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { type LengthUnit, lengthUnits } from '../draw/measure.ts';
import { texts } from '../texts.ts';
import { ShapeList } from './ShapeList.tsx';
import { ShapePlaces } from './ShapePlaces.tsx';
import { ShapeStyle } from './ShapeStyle.tsx';
import { TypedShape } from './TypedShape.tsx';

type Props = {
  editor: Editor;
  state: EditorState;
  unit: LengthUnit;
  onUnit: (unit: LengthUnit) => void;
  readOnly: boolean;
  /** Called to move the map to the selected shape. */
  onShow: () => void;
};

const words = texts.panel;

/** Panel with the shapes that have been drawn, and the title, style and positions of the selected one. */
export function ShapePanel({ editor, state, unit, onUnit, readOnly, onShow }: Props) {
  const chosen = state.shapes.find(({ id }) => id === state.chosen) ?? null;
  return (
    <Box
      component="section"
      aria-label={words.shapes}
      sx={{
        width: { xs: '100%', md: 300 },
        flex: 'none',
        display: 'flex',
        flexDirection: 'column',
        borderStyle: 'solid',
        borderWidth: { xs: '1px 0 0', md: '0 0 0 1px' },
        borderColor: 'divider',
        overflowY: { md: 'auto' },
        p: 3,
        gap: 3,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        <Typography variant="subtitle2" component="h3" sx={{ flex: 1, fontWeight: 600 }}>
          {words.shapes}
        </Typography>
        <Field
          select
          size="small"
          value={unit}
          onChange={(event) => onUnit(event.target.value as LengthUnit)}
          slotProps={{ htmlInput: { 'aria-label': texts.draw.unit } }}
          sx={{ width: 76 }}
        >
          {lengthUnits.map((one) => (
            <MenuItem key={one} value={one}>
              {one}
            </MenuItem>
          ))}
        </Field>
      </Box>
      {state.shapes.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.none}
        </Typography>
      ) : (
        <ShapeList
          state={state}
          unit={unit}
          onChoose={(id) => {
            editor.choose(id);
            onShow();
          }}
        />
      )}
      <Box
        component="fieldset"
        disabled={readOnly}
        sx={{
          border: 0,
          m: 0,
          p: 0,
          minWidth: 0,
          display: 'grid',
          gap: 3,
          pt: 3,
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        {chosen ? (
          <>
            <Field
              label={words.title}
              value={chosen.feature.properties.featureTitle ?? ''}
              onChange={(event) => editor.setProperties({ featureTitle: event.target.value })}
              slotProps={{ htmlInput: { maxLength: FEATURE_TITLE_MAX } }}
            />
            <ShapeStyle editor={editor} feature={chosen.feature} readOnly={readOnly} />
            <Field
              label={words.text}
              multiline
              maxRows={6}
              value={chosen.feature.properties.popupContent ?? ''}
              onChange={(event) => editor.setProperties({ popupContent: event.target.value })}
              slotProps={{ htmlInput: { maxLength: FEATURE_TEXT_MAX } }}
            />
            <ShapePlaces key={chosen.id} editor={editor} feature={chosen.feature} unit={unit} readOnly={readOnly} />
          </>
        ) : (
          <>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {words.next}
            </Typography>
            <ShapeStyle editor={editor} feature={null} readOnly={readOnly} style={state.style} />
          </>
        )}
      </Box>
      {!readOnly && <TypedShape editor={editor} unit={unit} />}
      <Box sx={{ display: 'flex', gap: 2, color: 'text.secondary', fontSize: 12, mt: 'auto' }}>
        <Icon path={mdiInformationOutline} />
        <span>{words.kept}</span>
      </Box>
    </Box>
  );
}

import { Box, MenuItem, Slider } from '@mui/material';
import { type AnnotationFeature, type FeatureSymbol, featureSymbols, STROKE_WIDTH_MAX } from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { type Editor, type EditorState, firstStyle } from '../../map/draw/editor.ts';
import { isArea } from '../../map/draw/geometry.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { symbolPaths } from '../symbols.ts';
import { texts } from '../texts.ts';

const words = texts.panel;

type StyleProps = {
  editor: Editor;
  /** The selected shape; null: the style of the next shape is edited. */
  feature: AnnotationFeature | null;
  readOnly: boolean;
  style?: EditorState['style'];
};

/** Fields for the colours, width, opacity and symbol of a shape. */
export function ShapeStyle({ editor, feature, readOnly, style }: StyleProps) {
  const shown = { ...firstStyle, ...(feature?.properties ?? style) };
  const set = editor.setProperties;
  const isPoint = feature?.geometry.type === 'Point';
  const hasFill = feature === null || isArea(feature.geometry);
  return (
    <>
      <Colour label={words.stroke} value={shown.stroke!} onChange={(stroke) => set({ stroke })} />
      {(feature === null || isPoint) && (
        <Field
          select
          label={words.symbol}
          value={shown.symbol ?? 'pin'}
          disabled={readOnly}
          onChange={(event) => set({ symbol: event.target.value as FeatureSymbol })}
        >
          {featureSymbols.map((one) => (
            <MenuItem key={one} value={one}>
              <Icon path={symbolPaths[one]} sx={{ mr: 2, verticalAlign: 'text-bottom' }} /> {words.symbols[one]}
            </MenuItem>
          ))}
        </Field>
      )}
      {!isPoint && (
        <Slide
          label={words.strokeWidth}
          value={shown['stroke-width']!}
          {...{ min: 1, max: STROKE_WIDTH_MAX, step: 1, disabled: readOnly }}
          text={(value) => fill(words.px, { value })}
          onChange={(value) => set({ 'stroke-width': value })}
        />
      )}
      <Slide
        label={words.strokeOpacity}
        value={shown['stroke-opacity']!}
        {...{ min: 0, max: 1, step: 0.1, disabled: readOnly }}
        text={(value) => value.toFixed(1)}
        onChange={(value) => set({ 'stroke-opacity': value })}
      />
      {hasFill && (
        <>
          <Colour label={words.fill} value={shown['fill-color']!} onChange={(value) => set({ 'fill-color': value })} />
          <Slide
            label={words.fillOpacity}
            value={shown['fill-opacity']!}
            {...{ min: 0, max: 1, step: 0.1, disabled: readOnly }}
            text={(value) => value.toFixed(1)}
            onChange={(value) => set({ 'fill-opacity': value })}
          />
        </>
      )}
    </>
  );
}

type ColourProps = { label: string; value: string; onChange: (colour: string) => void };

/** Field for a colour: its value as text, and a swatch that opens the colour picker of the browser. */
function Colour({ label, value, onChange }: ColourProps) {
  return (
    <Field
      label={label}
      key={value}
      defaultValue={value.toUpperCase()}
      onBlur={(event) => {
        const text = event.target.value.trim();
        if (/^#[0-9a-f]{6}$/i.test(text) && text.toLowerCase() !== value.toLowerCase()) onChange(text.toUpperCase());
        else event.target.value = value.toUpperCase();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        (event.target as HTMLElement).blur();
      }}
      slotProps={{
        htmlInput: { maxLength: 7 },
        input: {
          startAdornment: (
            <Box
              component="input"
              type="color"
              aria-label={label}
              value={value.toLowerCase()}
              onChange={(event) => onChange(event.target.value.toUpperCase())}
              sx={{
                width: 18,
                height: 18,
                p: 0,
                mr: 2,
                border: 0,
                borderRadius: 0.5,
                bgcolor: 'transparent',
                cursor: 'pointer',
                flex: 'none',
              }}
            />
          ),
        },
      }}
    />
  );
}

type SlideProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  disabled: boolean;
  text: (value: number) => string;
  onChange: (value: number) => void;
};

function Slide({ label, value, text, onChange, ...range }: SlideProps) {
  return (
    <Box>
      <Box sx={{ display: 'flex', fontSize: 12 }}>
        <Box component="span" sx={{ flex: 1, color: 'text.secondary', fontWeight: 500 }}>
          {label}
        </Box>
        {text(value)}
      </Box>
      <Slider
        size="small"
        aria-label={label}
        value={value}
        getAriaValueText={text}
        onChange={(_event, next) => onChange(Math.round(Number(next) * 10) / 10)}
        {...range}
        sx={{ display: 'block', mx: 'auto', width: 'calc(100% - 12px)', py: 1.5 }}
      />
    </Box>
  );
}

import {
  mdiCircleOutline,
  mdiInformationOutline,
  mdiMapMarkerOutline,
  mdiTarget,
  mdiVectorPolygon,
  mdiVectorPolyline,
  mdiVectorSquare,
  mdiVectorUnion,
  mdiWifi,
} from '@mdi/js';
import { Box, ButtonBase, MenuItem, Slider, Typography } from '@mui/material';
import {
  type AnnotationFeature,
  FEATURE_TEXT_MAX,
  FEATURE_TITLE_MAX,
  type FeatureSymbol,
  featureSymbols,
  STROKE_WIDTH_MAX,
} from '@osprey/contract';
import { useEffect, useRef } from 'react';
import { fill, plainText } from '../../base/format.ts';
import { type Editor, type EditorState, firstStyle } from '../../map/draw/editor.ts';
import { isArea } from '../../map/draw/geometry.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { type LengthUnit, lengthUnits, sizeText } from '../draw/measure.ts';
import { symbolPaths } from '../symbols.ts';
import { texts } from '../texts.ts';
import { ShapePlaces } from './ShapePlaces.tsx';
import { TypedShape } from './TypedShape.tsx';

type Props = {
  editor: Editor;
  state: EditorState;
  unit: LengthUnit;
  onUnit: (unit: LengthUnit) => void;
  readOnly: boolean;
  /** Moves the map to the chosen shape. */
  onShow: () => void;
};

const words = texts.panel;

type Kind = keyof typeof words.kinds;

const kindIcons: Record<Kind, string> = {
  rectangle: mdiVectorSquare,
  polygon: mdiVectorPolygon,
  line: mdiVectorPolyline,
  point: mdiMapMarkerOutline,
  circle: mdiCircleOutline,
  rings: mdiTarget,
  sector: mdiWifi,
  several: mdiVectorUnion,
};

export function kindOf({ geometry, properties }: AnnotationFeature): Kind {
  if (properties.shape !== undefined) return properties.shape;
  if (geometry.type === 'Polygon') return 'polygon';
  if (geometry.type === 'LineString') return 'line';
  return geometry.type === 'Point' ? 'point' : 'several';
}

const nameOf = (feature: AnnotationFeature): string =>
  plainText(feature.properties.featureTitle || feature.properties.title || words.kinds[kindOf(feature)]);

/** Shapes listed at once: of a thousand the list would be slower than the map. */
const LISTED = 200;

/** Shapes that are drawn, and title, style and places of the one that is chosen. */
export function ShapePanel({ editor, state, unit, onUnit, readOnly, onShow }: Props) {
  const chosen = state.shapes.find(({ id }) => id === state.chosen) ?? null;
  const listed = state.shapes.slice(0, LISTED);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.chosen !== null)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [state.chosen]);
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
        <Box
          ref={list}
          role="listbox"
          aria-label={words.shapes}
          sx={{ display: 'grid', gap: 0.5, maxHeight: 180, overflowY: 'auto', flex: 'none' }}
        >
          {listed.map(({ id, feature }) => (
            <ButtonBase
              key={id}
              role="option"
              aria-selected={id === state.chosen}
              onClick={() => {
                editor.choose(id);
                onShow();
              }}
              sx={{
                display: 'flex',
                gap: 2,
                px: 1.5,
                py: 1,
                borderRadius: 1,
                textAlign: 'left',
                bgcolor: id === state.chosen ? 'surface.selected' : 'transparent',
                '&:hover': { bgcolor: id === state.chosen ? 'surface.selected' : 'surface.hover' },
              }}
            >
              <Icon
                path={kindIcons[kindOf(feature)]}
                style={{ color: feature.properties.stroke ?? firstStyle.stroke }}
              />
              <Box
                component="span"
                sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
              >
                {nameOf(feature)}
              </Box>
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 12, flex: 'none' }}>
                {feature.geometry.type === 'Point' ? '' : sizeText(feature, unit)}
              </Box>
            </ButtonBase>
          ))}
        </Box>
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
            <Style editor={editor} feature={chosen.feature} readOnly={readOnly} />
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
            <Style editor={editor} feature={null} readOnly={readOnly} style={state.style} />
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

type StyleProps = {
  editor: Editor;
  /** Null: the style of the next shape. */
  feature: AnnotationFeature | null;
  readOnly: boolean;
  style?: EditorState['style'];
};

function Style({ editor, feature, readOnly, style }: StyleProps) {
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

/** A swatch that opens the colours of the browser, and the value as text. */
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

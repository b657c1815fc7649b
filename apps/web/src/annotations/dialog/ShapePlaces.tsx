import { Box, Typography } from '@mui/material';
import type { AnnotationFeature } from '@osprey/contract';
import { formatDms, parsePlace } from '@osprey/geo';
import { useState } from 'react';
import { fill, formatNumber } from '../../base/format.ts';
import type { Editor } from '../../map/draw/editor.ts';
import { type Place, placeNear, pointOf, remade } from '../../map/draw/figures.ts';
import { linesOf, moveVertex, verticesOf } from '../../map/draw/geometry.ts';
import { asFree } from '../../map/draw/handles.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { formatLeg, formatLength, fromUnit, inUnit, type LengthUnit, legsOf, totalM } from '../draw/measure.ts';
import { texts } from '../texts.ts';

type Props = { editor: Editor; feature: AnnotationFeature; unit: LengthUnit; readOnly: boolean };

const words = texts.panel;
/** Maximum number of vertices with text fields; the others can only be changed on the map. */
const LISTED = 60;

/**
 * Fields for the position of the selected shape: centre, radius and bearings of a figure, or its vertices. Also shows
 * the measurements of a line.
 */
export function ShapePlaces({ editor, feature, unit, readOnly }: Props) {
  const { centre, radius, shape, bearingFrom, bearingTo, ringCount } = feature.properties;
  const remake = (change: Parameters<typeof remade>[1]): boolean => {
    const made = remade(feature, change);
    return made !== null && editor.setFeature(made);
  };
  if (shape !== undefined && shape !== 'rectangle' && centre !== undefined && radius !== undefined) {
    return (
      <Box sx={{ display: 'grid', gap: 3 }}>
        <PlaceField
          label={words.centre}
          place={centre}
          disabled={readOnly}
          onPlace={(place) => remake({ centre: place })}
        />
        <NumberField
          label={`${words.radius} (${unit})`}
          value={inUnit(radius, unit)}
          decimals={unit === 'm' ? 0 : 3}
          disabled={readOnly}
          onNumber={(value) =>
            value > 0 && value <= inUnit(20_000_000, unit) && remake({ radius: fromUnit(value, unit) })
          }
        />
        {shape === 'rings' && (
          <NumberField
            label={words.ringCount}
            value={ringCount ?? 3}
            decimals={0}
            disabled={readOnly}
            onNumber={(value) => Number.isInteger(value) && value >= 1 && value <= 20 && remake({ ringCount: value })}
          />
        )}
        {shape === 'sector' &&
          (['bearingFrom', 'bearingTo'] as const).map((end) => (
            <NumberField
              key={end}
              label={words[end]}
              value={(end === 'bearingFrom' ? bearingFrom : bearingTo) ?? 0}
              decimals={1}
              disabled={readOnly}
              onNumber={(value) => value >= 0 && value <= 360 && remake({ [end]: value })}
            />
          ))}
      </Box>
    );
  }
  return (
    <>
      <Vertices editor={editor} feature={feature} unit={unit} readOnly={readOnly} />
      {feature.geometry.type === 'LineString' && <Legs places={feature.geometry.coordinates} unit={unit} />}
    </>
  );
}

function Vertices({ editor, feature, readOnly }: Props) {
  const vertices = verticesOf(feature.geometry);
  const listed = vertices.slice(0, LISTED);
  return (
    <Box
      component="details"
      sx={{ '& > summary': { cursor: 'pointer', fontSize: 12, fontWeight: 500, color: 'text.secondary' } }}
      open={vertices.length <= 8}
    >
      <summary>
        {words.vertices} ({formatNumber(vertices.length)})
      </summary>
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        {listed.map(({ path, place }, index) => (
          <PlaceField
            key={path.join()}
            label={fill(words.vertex, { number: index + 1 })}
            place={place}
            disabled={readOnly}
            onPlace={(to) =>
              editor.setFeature(asFree({ ...feature, geometry: moveVertex(feature.geometry, path, to) }))
            }
          />
        ))}
        {vertices.length > LISTED && (
          <Typography variant="caption">
            {fill(words.more, { count: formatNumber(vertices.length - LISTED) })}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

function Legs({ places, unit }: { places: Place[]; unit: LengthUnit }) {
  const legs = legsOf(places).slice(0, LISTED);
  return (
    <Box>
      <Typography variant="caption" component="h4" sx={{ color: 'text.secondary', fontWeight: 500 }}>
        {words.legs}
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 12 }}>
        {legs.map(({ from, to }, index) => (
          <li key={`${index}-${from.join()}`}>
            {fill(words.leg, { from: index + 1, to: index + 2, text: formatLeg(from, to, unit) })}
          </li>
        ))}
      </Box>
      <Box sx={{ fontSize: 12, fontWeight: 600 }}>
        {fill(words.total, {
          text: formatLength(totalM(linesOf({ type: 'LineString', coordinates: places })[0]!.places), unit),
        })}
      </Box>
    </Box>
  );
}

type PlaceProps = { label: string; place: Place; disabled: boolean; onPlace: (place: Place) => boolean };

/** Field for a position in degrees, minutes and seconds. Decimal degrees and MGRS are accepted as well. */
function PlaceField({ label, place, disabled, onPlace }: PlaceProps) {
  const written = formatDms(pointOf(place));
  return (
    <TypedField
      label={label}
      written={written}
      disabled={disabled}
      problem={words.wrongPlace}
      onTyped={(text) => {
        const point = parsePlace(text);
        return point !== null && onPlace(placeNear(point, place));
      }}
    />
  );
}

type NumberProps = {
  label: string;
  value: number;
  decimals: number;
  disabled: boolean;
  onNumber: (value: number) => boolean;
};

function NumberField({ label, value, decimals, disabled, onNumber }: NumberProps) {
  return (
    <TypedField
      label={label}
      written={String(Number(value.toFixed(decimals)))}
      disabled={disabled}
      problem={words.wrongNumber}
      onTyped={(text) => {
        const number = Number(text.replace(',', '.'));
        return text.trim() !== '' && Number.isFinite(number) && onNumber(number);
      }}
    />
  );
}

type TypedProps = {
  label: string;
  /** Text shown while the user has typed nothing. */
  written: string;
  disabled: boolean;
  problem: string;
  /** @returns whether the text was accepted */
  onTyped: (text: string) => boolean;
};

/**
 * Field that submits the typed text on Enter or when it loses focus. Text that is not accepted remains in the field and
 * is marked.
 */
function TypedField({ label, written, disabled, problem, onTyped }: TypedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);

  function applyTyped() {
    if (typed === null) return;
    const taken = typed.trim() === written || onTyped(typed);
    setWrong(!taken);
    if (taken) setTyped(null);
  }

  return (
    <Field
      label={label}
      value={typed ?? written}
      disabled={disabled}
      problem={wrong ? problem : undefined}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={applyTyped}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        applyTyped();
      }}
      slotProps={{ htmlInput: { maxLength: 100 } }}
    />
  );
}

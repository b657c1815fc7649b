import { Box, MenuItem } from '@mui/material';
import type { AisTarget } from '@osprey/contract';
import { type Mover, parsePlace } from '@osprey/geo';
import { useState } from 'react';
import { fill, formatTimeSeconds } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { type AisFilter, hasRange } from '../ais-filter.ts';
import { CardFields } from '../CardFields.tsx';
import { mmsiText } from '../columns.tsx';
import { comparisonOf, moverOf } from './comparison.ts';
import { nameOf, ShipField } from './ShipField.tsx';
import { compareTexts as texts } from './texts.ts';
import { type Moment, useMoment } from './useMoment.ts';
import { minutesBack, type ShipScope, useShipNow } from './useShipNow.ts';

const PLATFORM = 'platform ';
type Props = { mmsi: number; filter: AisFilter };

/**
 * Shows a ship relative to another ship, to a platform on screen or to a place: the distance, the bearing, and when
 * they will pass each other.
 */
export function Compare({ mmsi, filter }: Props) {
  const moment = useMoment();
  const [kind, setKind] = useState('');
  const [ship, setShip] = useState<AisTarget | null>(null);
  const [written, setWritten] = useState('');
  const scope: ShipScope = { filter, clockUs: moment.isClock ? moment.timeUs : null };
  const place = parsePlace(written);
  const platform = moment.platforms.find(({ sensorId }) => PLATFORM + sensorId === kind);
  const isGone = kind.startsWith(PLATFORM) && platform === undefined;
  return (
    <Box component="section" aria-label={texts.title} sx={{ display: 'grid', gap: 2 }}>
      <Box component="h4" sx={{ m: 0, fontSize: 14 }}>
        {texts.title}
      </Box>
      <Field
        select
        value={kind}
        onChange={(event) => setKind(event.target.value)}
        slotProps={{ select: { displayEmpty: true, SelectDisplayProps: { 'aria-label': texts.title } } }}
      >
        <MenuItem value="">{texts.nothing}</MenuItem>
        <MenuItem value="ship">{texts.ship}</MenuItem>
        <MenuItem value="place">{texts.point}</MenuItem>
        {moment.platforms.map(({ sensorId, name }) => (
          <MenuItem key={sensorId} value={PLATFORM + sensorId}>
            {name}
          </MenuItem>
        ))}
        {isGone && <MenuItem value={kind}>{texts.platform}</MenuItem>}
      </Field>
      {kind === 'ship' && <ShipField except={mmsi} value={ship} scope={scope} onChange={setShip} />}
      {kind === 'place' && (
        <Field
          label={texts.place}
          value={written}
          help={texts.placeHelp}
          problem={written.trim() !== '' && place === null ? texts.placeWrong : undefined}
          onChange={(event) => setWritten(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 100, spellCheck: false } }}
        />
      )}
      {kind === 'ship' && ship !== null && <WithShip mmsi={mmsi} other={ship} moment={moment} scope={scope} />}
      {kind === 'place' && place !== null && (
        <With
          mmsi={mmsi}
          other={{ ...place, timeUs: 0, sogKnots: 0, cogDeg: null }}
          name={written.trim()}
          moment={moment}
          scope={scope}
        />
      )}
      {isGone && <Remark text={texts.platformGone} />}
      {platform && <With mmsi={mmsi} other={platform.mover} name={platform.name} moment={moment} scope={scope} />}
    </Box>
  );
}

type ShipProps = { mmsi: number; other: AisTarget; moment: Moment; scope: ShipScope };

function WithShip({ other, ...rest }: ShipProps) {
  const { data, error } = useShipNow(other.mmsi, rest.scope);
  const name = nameOf(data ?? other);
  if (error !== null && data === undefined) return <Failed error={error} />;
  if (data === undefined) return <Remark text={texts.reading} />;
  if (data === null) return <Remark text={unheard(name, rest.scope)} />;
  return <With {...rest} other={moverOf(data)} name={name} />;
}

type WithProps = { mmsi: number; other: Mover; name: string; moment: Moment; scope: ShipScope };

function With({ mmsi, other, name, moment, scope }: WithProps) {
  const { data, error } = useShipNow(mmsi, scope);
  if (error !== null && data === undefined) return <Failed error={error} />;
  if (data === undefined) return <Remark text={texts.reading} />;
  if (data === null) return <Remark text={unheard(mmsiText(mmsi), scope)} />;
  const own = moverOf(data);
  // Ships recorded with a mission, and those in a time range, are compared at the time of the latest report.
  const isPast = !moment.isClock && (scope.filter.mission !== null || hasRange(scope.filter));
  const atUs = isPast ? Math.max(own.timeUs, other.timeUs) : moment.timeUs;
  // A place has no time of its own (`timeUs` is 0), so it gets the time of the comparison.
  const still = other.timeUs === 0 ? { ...other, timeUs: atUs } : other;
  const { fields, remark } = comparisonOf(own, still, atUs);
  return (
    <Box role="group" aria-label={fill(texts.result, { name })} sx={{ display: 'grid', gap: 1.5 }}>
      <CardFields fields={[...fields, [texts.at, formatTimeSeconds(atUs)]]} />
      {remark !== null && <Remark text={remark} />}
    </Box>
  );
}

function unheard(name: string, scope: ShipScope): string {
  const { filter, clockUs } = scope;
  const isRange = clockUs === null && (filter.mission !== null || hasRange(filter));
  return isRange ? fill(texts.gone, { name }) : fill(texts.unheard, { name, minutes: minutesBack(scope) });
}

const Remark = ({ text }: { text: string }) => (
  <Box role="status" sx={{ color: 'text.secondary', fontSize: 12 }}>
    {text}
  </Box>
);

const Failed = ({ error }: { error: Error }) => (
  <Box role="alert" sx={{ color: 'error.main' }}>
    {fill(texts.failed, { message: errorText(error) })}
  </Box>
);

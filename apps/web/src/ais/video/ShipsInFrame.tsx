import { mdiFerry } from '@mdi/js';
import { Box, ButtonBase } from '@mui/material';
import { useContext } from 'react';
import { fill, formatNumber } from '../../base/format.ts';
import { formatMeasured } from '../../base/units.ts';
import { Notice } from '../../ui/notice/Notice.tsx';
import { ShipsContext } from '../ships.ts';
import { type FrameShips, type ShipInPictures, shipsOfPictures, useInFrameNow } from './in-frame-now.ts';
import { texts } from './texts.ts';

type Props = { sensors: readonly { _id: string; name: string }[] };

/** List of the ships that the pictures currently show. A click on a ship selects it on the map. */
export function ShipsInFrame({ sensors }: Props) {
  const pictures = useInFrameNow();
  const ships = shipsOfPictures(pictures);
  const names = new Map(sensors.map(({ _id, name }) => [_id, name]));
  if (ships.length === 0) return <Notice icon={mdiFerry} title={reasonOf([...pictures.values()])} />;
  return (
    <>
      <Box component="ul" aria-label={texts.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {ships.map((ship) => (
          <ShipRow
            key={ship.mmsi}
            ship={ship}
            sensors={pictures.size > 1 ? ship.sensorIds.map((id) => names.get(id)) : []}
          />
        ))}
      </Box>
      {[...pictures.values()].some(({ cut }) => cut) && (
        <Box sx={{ px: 3, py: 2, color: 'text.secondary' }}>{texts.cut}</Box>
      )}
    </>
  );
}

/**
 * Returns the reason why no ships are listed. If the pictures of several sensors have different states, the one that
 * got furthest counts.
 */
function reasonOf(pictures: readonly FrameShips[]): string {
  const has = (state: FrameShips['state']) => pictures.some((one) => one.state === state);
  if (has('known')) return texts.none;
  if (has('noReceiver')) return texts.noReceiver;
  if (has('failed')) return texts.failed;
  return has('reading') ? texts.reading : texts.noGround;
}

function ShipRow({ ship, sensors }: { ship: ShipInPictures; sensors: readonly (string | undefined)[] }) {
  const shared = useContext(ShipsContext);
  const { mmsi, name, sogKnots, cogDeg, errorM, sure, target, place } = ship;
  const facts = [
    sogKnots !== null && formatMeasured(sogKnots, 'kn', 1),
    cogDeg !== null && fill(texts.course, { value: String(Math.round(cogDeg) % 360).padStart(3, '0') }),
    fill(texts.error, { metres: formatNumber(errorM) }),
    target !== null && fill(texts.target, { id: String(target) }),
    ...sensors,
  ].filter(Boolean);
  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'surface.line', '&:last-of-type': { border: 0 } }}>
      <ButtonBase
        title={fill(texts.choose, { name })}
        aria-pressed={shared?.chosen?.mmsi === mmsi}
        onClick={() => shared?.choose({ mmsi, place })}
        sx={{
          width: '100%',
          minHeight: 44,
          px: 3,
          py: 1,
          display: 'block',
          textAlign: 'left',
          '&:hover, &:focus-visible': { bgcolor: 'action.hover' },
          ...(shared?.chosen?.mmsi === mmsi && { bgcolor: 'surface.selected' }),
        }}
      >
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{facts.join(' · ')}</Box>
        {!sure && <Box sx={{ fontSize: 12, color: 'warning.main' }}>{texts.maybe}</Box>}
      </ButtonBase>
    </Box>
  );
}

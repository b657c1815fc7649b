import { Box } from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { nameOf } from '../telemetry/values.ts';
import { Block, MarkedLine } from './Card.tsx';
import { footprintReason } from './report.ts';
import { texts } from './texts.ts';

type Props = { health: KlvHealth };

const listSx = { m: 0, p: 0, listStyle: 'none' } as const;

/** Describes missing items, the footprint, the clock, unusable items and the transport stream in sentences. */
export function Facts({ health }: Props) {
  const { missing, clock, faults, transport, sets } = health;
  const transportFaults = Object.entries(transport).filter(([, count]) => count > 0);
  return (
    <>
      <Block title={texts.missing}>
        <Box component="ul" sx={listSx}>
          {missing.length === 0 && <MarkedLine mark="good">{texts.missingNone}</MarkedLine>}
          {missing.map(({ tag, name, absentFrom }) => (
            <MarkedLine key={tag} mark={absentFrom >= sets ? 'error' : 'warning'}>
              <Box component="span" sx={{ flex: 1 }}>
                {name} ({tag})
              </Box>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {absentFrom >= sets
                  ? texts.absentAll
                  : fill(texts.absentFrom, { count: formatNumber(absentFrom), sets: formatNumber(sets) })}
              </Box>
            </MarkedLine>
          ))}
        </Box>
      </Block>
      <FootprintFacts health={health} />
      <Block title={texts.clock}>
        <Box component="ul" sx={listSx}>
          <MarkedLine mark={clock.trustworthy ? 'good' : 'warning'}>
            <span>{clock.trustworthy ? texts.clockGood : fill(texts.clockBad, { reason: clock.reason ?? '' })}</span>
          </MarkedLine>
          {clock.millisecondsByMistake > 0 && (
            <MarkedLine mark="warning">
              <span>{formatCount(clock.millisecondsByMistake, texts.milliseconds)}</span>
            </MarkedLine>
          )}
        </Box>
      </Block>
      {faults.length > 0 && (
        <Block title={texts.items}>
          <Box component="ul" sx={listSx}>
            {faults.map(({ tag, fault, count }) => (
              <MarkedLine key={`${tag} ${fault}`} mark="warning">
                <Box component="span" sx={{ flex: 1 }}>
                  {tag === null ? fault : fill(texts.itemFault, { tag, fault })}
                </Box>
                <span>{fill(texts.times, { count: formatNumber(count) })}</span>
              </MarkedLine>
            ))}
          </Box>
        </Block>
      )}
      <Block title={texts.transport}>
        <Box component="ul" sx={listSx}>
          {transportFaults.length === 0 && <MarkedLine mark="good">{texts.transportGood}</MarkedLine>}
          {transportFaults.map(([name, count]) => (
            <MarkedLine key={name} mark="warning">
              <Box component="span" sx={{ flex: 1 }}>
                {inWords(name)}
              </Box>
              <span>{formatNumber(count)}</span>
            </MarkedLine>
          ))}
        </Box>
      </Block>
    </>
  );
}

function FootprintFacts({ health }: Props) {
  const reason = footprintReason(health);
  if (reason.source !== null) {
    return (
      <Block title={texts.footprint}>
        <Box component="ul" sx={listSx}>
          <MarkedLine mark="good">
            <span>{fill(texts.whyGood, { source: texts.sources[reason.source] })}</span>
          </MarkedLine>
        </Box>
      </Block>
    );
  }
  const items = reason.missing.map((tag) => `${nameOf(String(tag), 'full')} (${tag})`).join(', ');
  return (
    <Block title={texts.why}>
      <Box component="ul" sx={listSx}>
        <MarkedLine mark="warning">
          <span>{fill(texts.whyNone, { items })}</span>
        </MarkedLine>
        {reason.hasPosition && <MarkedLine mark="good">{texts.whyPosition}</MarkedLine>}
        {reason.hasCentre && <MarkedLine mark="good">{texts.whyCentre}</MarkedLine>}
      </Box>
    </Block>
  );
}

/** Converts "continuityErrors" to "Continuity errors". */
function inWords(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

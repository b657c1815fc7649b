import { Box } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { size } from '../base/sizes.ts';
import { toggleOver, useFullScreen } from '../player/picture/full-screen.ts';
import { FloatingPanel, TELEMETRY_WIDTH } from '../telemetry/FloatingPanel.tsx';
import { type PanelSensor, TelemetryPanel } from '../telemetry/TelemetryPanel.tsx';
import { Behind } from '../ui/Behind.tsx';
import { useFocusWhenDrawn } from '../ui/useFocusWhenDrawn.ts';
import { type Arrangement, ASPECT_RATIO, isOfPhone, leftShare, type Panels, readShare, writeShare } from './layout.ts';
import { Splitter } from './Splitter.tsx';
import {
  DOCKED_PX,
  FLOATS_INSET,
  firstPictureRoom,
  fullMap,
  fullPicture,
  fullTransport,
  GAP_PX,
  gridOf,
} from './stage-grid.ts';
import { useFirstPlace } from './useFirstPlace.ts';
import { useFullScreenStage } from './useFullScreenStage.ts';

type Player = { id: string; element: ReactNode };

type Props = {
  arrangement: Arrangement;
  width: number;
  live: boolean;
  /** Players on screen; on a phone only that of the leading sensor. */
  players: readonly Player[];
  led: PanelSensor | null;
  panels: Panels;
  onPanels: (fields: Partial<Panels>) => void;
  panes: {
    /** Floating panels over the pictures, in addition to the telemetry. */
    floats?: ReactNode;
    /** Control that switches between pictures on a phone; null if there is only one. */
    choice: ReactNode;
    timeline: ReactNode;
    map: ReactNode;
    /** Tabs that replace map and panel on a phone. */
    tabs: ReactNode;
    below: ReactNode;
  };
};

/** Lays out players, timeline, map, telemetry and the table, depending on the width and the number of players. */
export function StageFrame({ arrangement, width, live, players, led, panels, onPanels, panes }: Props) {
  /** Positions of the splitter, keyed by arrangement. */
  const [moved, setMoved] = useState<Partial<Record<Arrangement, number>>>({});
  const isPhone = isOfPhone(arrangement);
  const isLandscape = arrangement === 'landscape';
  const staged = isPhone && led ? players.filter(({ id }) => id === led._id) : players;
  const wide = !isPhone && arrangement !== 'column';
  const over = useFullScreen();
  const isFull = over.on && led !== null;
  const rests = useFullScreenStage(isFull);
  const docked = wide && panels.telemetry && panels.telemetryDocked && !isFull;
  const columns = staged.length > 1 && wide ? 2 : 1;
  const firstHeight = (roomPx: number) => firstPictureRoom(roomPx, Math.ceil(staged.length / columns));
  const hasMap = (panels.map || (isFull && over.map)) && !isPhone;
  const floatsTelemetry = isFull ? over.telemetry : panels.telemetry && !docked;
  const { below } = panes;
  const firstPicture = useFirstPlace(live ? null : players.length);
  const first = leftShare({ containerPx: width, players: players.length, live });
  const left = moved[arrangement] ?? readShare({ arrangement, live }) ?? first;
  /**
   * Moving the panel draws it again in its other place, so the focus has to be restored to its button for a user of the
   * keyboard.
   */
  const dockButton = useFocusWhenDrawn<HTMLButtonElement>();
  const dock = {
    button: dockButton.ref,
    move() {
      dockButton.ask();
      onPanels({ telemetryDocked: !docked });
    },
  };
  const closeTelemetry = () => (isFull ? toggleOver('telemetry') : onPanels({ telemetry: false }));
  const panel = led && { sensor: led, docked, onClose: closeTelemetry };

  return (
    <Box
      sx={{
        display: 'grid',
        gap: isPhone ? 0 : `${GAP_PX}px`,
        flex: 1,
        minHeight: 0,
        minWidth: 0,
        alignContent: isPhone || below !== null ? 'stretch' : 'start',
        ...gridOf({ arrangement, map: hasMap, timeline: true, below: below !== null, docked, left }),
      }}
    >
      <Box
        sx={{
          gridArea: 'players',
          minWidth: 0,
          ...(isLandscape ? { position: 'sticky', top: 0, alignSelf: 'start' } : { position: 'relative' }),
        }}
      >
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: `repeat(${columns}, 1fr)`,
          }}
        >
          {staged.map(({ id, element }, at) => (
            // In a low window only the height is limited, so the picture takes the full width.
            <Box
              key={id}
              ref={at === 0 ? firstPicture : null}
              sx={
                isFull && id === led._id
                  ? { ...fullPicture, cursor: rests ? 'none' : undefined }
                  : { aspectRatio: ASPECT_RATIO, width: '100%', maxHeight: isLandscape ? 'none' : '66vh', minWidth: 0 }
              }
            >
              {element}
            </Box>
          ))}
        </Box>
        {!isPhone && (
          <Box
            data-part="floats"
            sx={{
              ...(isFull ? fullPicture : { position: 'absolute' }),
              inset: floatsInset(isFull),
              pointerEvents: 'none',
            }}
          >
            {floatsTelemetry && panel && (
              <Behind>
                <FloatingPanel
                  storageKey="floatingTelemetry"
                  first={{ width: TELEMETRY_WIDTH }}
                  firstHeight={firstHeight}
                >
                  {(head) => (
                    <TelemetryPanel key={led._id} {...panel} head={head} dock={wide && !isFull ? dock : null} />
                  )}
                </FloatingPanel>
              </Behind>
            )}
            {!isFull && panes.floats}
          </Box>
        )}
      </Box>
      {isPhone && panes.choice !== null && <Box sx={{ gridArea: 'switch', minWidth: 0 }}>{panes.choice}</Box>}
      {docked && panel && (
        <Box sx={{ gridArea: 'docked', minHeight: 0, minWidth: 0, position: 'relative' }}>
          <Box
            sx={{
              position: 'absolute',
              inset: 0,
              borderRadius: 2,
              border: 1,
              borderColor: 'surface.line',
              bgcolor: 'surface.panel',
              overflow: 'hidden',
            }}
          >
            <Behind>
              <TelemetryPanel key={led._id} {...panel} head={null} dock={dock} />
            </Behind>
          </Box>
        </Box>
      )}
      <Box
        sx={{
          gridArea: 'timeline',
          minWidth: 0,
          borderRadius: 2,
          border: isPhone ? 0 : 1,
          borderColor: 'surface.line',
          ...(isFull && fullTransport(rests)),
        }}
      >
        <Behind>{panes.timeline}</Behind>
      </Box>
      {hasMap && wide && (
        <Splitter
          share={left}
          besidePx={docked ? DOCKED_PX + GAP_PX : 0}
          onShare={(next) => {
            setMoved({ ...moved, [arrangement]: next });
            writeShare({ arrangement, live }, next);
          }}
        />
      )}
      {hasMap && (
        <Box
          sx={{
            gridArea: 'map',
            minWidth: 0,
            minHeight: 280,
            position: 'relative',
            ...(isFull && over.map && fullMap),
          }}
        >
          <Box
            sx={{
              position: 'absolute',
              inset: 0,
              borderRadius: 2,
              border: 1,
              borderColor: 'surface.line',
              overflow: 'hidden',
            }}
          >
            <Behind>{panes.map}</Behind>
          </Box>
        </Box>
      )}
      {isPhone && (
        <Box sx={{ gridArea: 'tabs', minWidth: 0 }}>
          <Behind>{panes.tabs}</Behind>
        </Box>
      )}
      {below !== null && <Box sx={{ gridArea: 'below', minWidth: 0, minHeight: 0 }}>{below}</Box>}
    </Box>
  );
}

/**
 * Returns the inset of the area for floating panels: over all pictures, or, in full screen, over the one picture, below
 * its head.
 */
function floatsInset(isFull: boolean): string {
  const top = FLOATS_INSET.top + (isFull ? size.labelBar : 0);
  return `${top}px ${FLOATS_INSET.rest}px ${FLOATS_INSET.rest}px`;
}

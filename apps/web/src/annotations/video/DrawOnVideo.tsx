import { mdiDraw, mdiMapMarkerOutline, mdiVectorPolygon, mdiVectorPolyline } from '@mdi/js';
import { Alert, Button, ListItemIcon, Menu, MenuItem, Snackbar } from '@mui/material';
import { can } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { Action } from '../../ui/Action.tsx';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { texts } from '../texts.ts';
import { useVideoDrawing, type VideoTool, videoDrawing } from './drawing.ts';

const AnnotationDialog = laterDialog(async () => (await import('../dialog/AnnotationDialog.tsx')).AnnotationDialog);

const words = texts.video;
const tools: readonly [VideoTool, string][] = [
  ['point', mdiMapMarkerOutline],
  ['line', mdiVectorPolyline],
  ['polygon', mdiVectorPolygon],
];

/** Button that starts drawing on the picture of a mission. The drawing becomes an annotation of the mission. */
export function DrawOnVideo() {
  const actor = useActor();
  const { tool, noGround, done } = useVideoDrawing();
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  useEffect(() => videoDrawing.end, []);
  if (!can(actor, 'annotation.createAny').allowed) return null;
  return (
    <>
      <Action
        label={words.draw}
        icon={mdiDraw}
        on={tool !== null}
        aria-haspopup="menu"
        onClick={(event) => (tool === null ? setMenu(event.currentTarget) : videoDrawing.end())}
      />
      <Menu anchorEl={menu} open={menu !== null} transitionDuration={0} onClose={() => setMenu(null)}>
        {tools.map(([one, icon]) => (
          <MenuItem
            key={one}
            onClick={() => {
              setMenu(null);
              videoDrawing.begin(one);
            }}
          >
            <ListItemIcon>
              <Icon path={icon} />
            </ListItemIcon>
            {texts.draw[one]}
          </MenuItem>
        ))}
      </Menu>
      {tool !== null && (
        <Snackbar open anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}>
          <Alert
            severity={noGround ? 'warning' : 'info'}
            action={
              <Button variant="text" onClick={videoDrawing.end}>
                {ui.cancel}
              </Button>
            }
          >
            {noGround ? words.noGround : words.hints[tool]}
          </Alert>
        </Snackbar>
      )}
      {done && <AnnotationDialog id={null} drawn={done} onClose={videoDrawing.end} />}
    </>
  );
}

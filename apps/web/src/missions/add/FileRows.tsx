import { mdiFileMoveOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { useState } from 'react';
import { fill, formatNumber } from '../../base/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { FileLine } from '../dialog/FileLine.tsx';
import { FILES_DRAGGED } from './dragged.ts';
import { type InspectedFile, joinedTo } from './group.ts';
import type { Asked } from './MoveMenu.tsx';
import { texts } from './texts.ts';

/** Number of rows that are rendered at first; a button shows the others. */
const ROWS = 50;

type Props = {
  files: readonly InspectedFile[];
  /** Name of the sensor to which the files belong; null for files that are left out. */
  sensor: string | null;
  onAsk: (asked: Asked) => void;
};

/** Returns a text that names the recording to which a telemetry file belongs; null for other files. */
function joinText(file: InspectedFile, files: readonly InspectedFile[], sensor: string): string | null {
  const recording = joinedTo(file, files);
  if (recording === null) return null;
  const { name } = file.file;
  return recording === 'sensor'
    ? fill(texts.joinedToSensor, { file: name, sensor })
    : fill(texts.joined, { file: name, recording: recording.file.name });
}

/** List of the files of a sensor. Each file can be moved with its button or by dragging. */
export function FileRows({ files, sensor, onAsk }: Props) {
  const [all, setAll] = useState(false);
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', '& li': { borderTop: 1, borderColor: 'divider' } }}>
      {files.slice(0, all ? files.length : ROWS).map((one) => (
        <FileLine
          key={one.id}
          name={one.path}
          sizeBytes={one.file.size}
          note={sensor === null ? null : joinText(one, files, sensor)}
          onDragStart={(event) => {
            event.dataTransfer.setData(FILES_DRAGGED, JSON.stringify([one.id]));
            event.dataTransfer.effectAllowed = 'move';
          }}
        >
          <Button
            variant="text"
            startIcon={<Icon path={mdiFileMoveOutline} />}
            aria-haspopup="menu"
            aria-label={fill(texts.moveFile, { file: one.path })}
            data-move={one.id}
            onClick={({ currentTarget }) => onAsk({ ids: [one.id], from: currentTarget })}
          >
            {texts.move}
          </Button>
        </FileLine>
      ))}
      {!all && files.length > ROWS && (
        <Box component="li" sx={{ px: 2, py: 1 }}>
          <Button variant="text" onClick={() => setAll(true)}>
            {fill(texts.showAll, { count: formatNumber(files.length) })}
          </Button>
        </Box>
      )}
    </Box>
  );
}

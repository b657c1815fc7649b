import { mdiFileMoveOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { useState } from 'react';
import { fill, formatNumber } from '../../base/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { FileLine } from '../dialog/FileLine.tsx';
import { FILES_DRAGGED } from './dragged.ts';
import type { LookedFile } from './group.ts';
import type { Asked } from './MoveMenu.tsx';
import { texts } from './texts.ts';

/** More rows than this are drawn when somebody asks for them. */
const ROWS = 50;

type Props = { files: readonly LookedFile[]; onAsk: (asked: Asked) => void };

/** Files of a sensor, each of which can be moved: by its button, or dragged. */
export function FileRows({ files, onAsk }: Props) {
  const [all, setAll] = useState(false);
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', '& li': { borderTop: 1, borderColor: 'divider' } }}>
      {files.slice(0, all ? files.length : ROWS).map(({ id, path, file }) => (
        <FileLine
          key={id}
          name={path}
          sizeBytes={file.size}
          onDragStart={(event) => {
            event.dataTransfer.setData(FILES_DRAGGED, JSON.stringify([id]));
            event.dataTransfer.effectAllowed = 'move';
          }}
        >
          <Button
            variant="text"
            startIcon={<Icon path={mdiFileMoveOutline} />}
            aria-haspopup="menu"
            aria-label={fill(texts.moveFile, { file: path })}
            data-move={id}
            onClick={({ currentTarget }) => onAsk({ ids: [id], from: currentTarget })}
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

import { mdiAccountMultiple, mdiClose } from '@mdi/js';
import { Alert, Box, Button, DialogContent, Tooltip, Typography } from '@mui/material';
import { deleteRoom, type Room } from '@osprey/contract';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { unseen } from '../base/sizes.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CreateRoom, useMayMakeRooms } from './CreateRoom.tsx';
import { texts } from './texts.ts';
import { openCall, useRooms } from './useRooms.ts';

/** Dialog with the rooms as chips; a click joins a room. Users who may create rooms find the form below. */
export function RoomsDialog({ onClose }: { onClose: () => void }) {
  const { rooms, isPending, error } = useRooms();
  const { show } = useSnackbar();
  const [removing, setRemoving] = useState<Room | null>(null);
  const mayMake = useMayMakeRooms();
  useShownLabels(rooms.map(({ securityClassification }) => securityClassification));

  function join(room: Room) {
    if (openCall(room)) onClose();
    else show(texts.blocked, 'error');
  }

  return (
    <PlainDialog title={texts.rooms} onClose={onClose}>
      <DialogContent sx={{ '&&': { pt: 4 }, display: 'flex', flexDirection: 'column', gap: 4 }}>
        {error !== null && <Alert severity="error">{`${texts.failed}: ${errorText(error)}`}</Alert>}
        {!isPending && error === null && rooms.length === 0 && (
          <Typography sx={{ color: 'text.secondary' }}>{mayMake ? texts.empty.mayMake : texts.empty.none}</Typography>
        )}
        {rooms.length > 0 && (
          <Box component="ul" aria-label={texts.rooms} sx={{ m: 0, p: 0, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {rooms.map((room) => (
              <RoomChip key={room._id} room={room} onJoin={() => join(room)} onDelete={() => setRemoving(room)} />
            ))}
          </Box>
        )}
        {mayMake && <CreateRoom rooms={rooms} />}
      </DialogContent>
      {removing && <RemoveRoom room={removing} onClose={() => setRemoving(null)} />}
    </PlainDialog>
  );
}

function RoomChip({ room, onJoin, onDelete }: { room: Room; onJoin: () => void; onDelete: () => void }) {
  const { name, participants, maxParticipants, securityClassification, usergroups, emptyTimeout } = room;
  const people = participants === 0 ? texts.people.none : texts.people.some;
  const details = fill(texts.details, {
    label: securityClassification,
    groups: usergroups.join(', '),
    minutes: Math.round(emptyTimeout / 60),
  });
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'flex', alignItems: 'center', maxWidth: '100%', overflow: 'hidden' },
        ...{ border: 1, borderColor: participants > 0 ? 'primary.main' : 'divider', borderRadius: 4 },
        bgcolor: 'surface.raised',
      }}
    >
      <Tooltip title={details} describeChild>
        <Button
          variant="text"
          onClick={onJoin}
          sx={{ gap: 2, minWidth: 0, height: 'auto', whiteSpace: 'normal', color: 'text.primary', borderRadius: 0 }}
        >
          <Box component="span" sx={unseen}>
            {texts.join}
          </Box>
          <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere', textAlign: 'start' }}>
            {name}
          </Box>
          <LabelMark label={securityClassification} />
          <Box
            component="span"
            sx={{ ...{ display: 'flex', alignItems: 'center', gap: 1 }, color: 'text.secondary', flex: 'none' }}
          >
            <Icon path={mdiAccountMultiple} />
            {fill(people, { count: participants, most: maxParticipants })}
          </Box>
        </Button>
      </Tooltip>
      {room.mayDelete && <Action label={fill(texts.delete, { name })} icon={mdiClose} onClick={onDelete} />}
    </Box>
  );
}

const words = texts.removal;

function RemoveRoom({ room, onClose }: { room: Room; onClose: () => void }) {
  const api = useApi();
  const { _id, name, participants } = room;

  const { busy, confirm } = useDelete({
    queryKey: ['rooms'],
    remove: async () => ({ said: (await api.call(deleteRoom, { params: { name: _id } })).message }),
    failed: (text) => fill(words.failed, { name, text }),
    onClose,
  });

  return (
    <ConfirmDialog
      title={fill(words.title, { name })}
      mark={<LabelMark label={room.securityClassification} />}
      confirmText={words.yes}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(words.text, { name })} {participants > 0 && fill(words.occupied, { count: participants })}
    </ConfirmDialog>
  );
}

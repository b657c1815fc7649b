import { mdiBellOffOutline, mdiBellOutline, mdiBookmarkOutline, mdiDeleteOutline } from '@mdi/js';
import { Box, Button, ButtonBase, Divider } from '@mui/material';
import {
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  SAVED_SEARCHES_MAX,
  type SavedSearch,
  updateSavedSearch,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { PanelBelow } from '../../ui/PanelBelow.tsx';
import type { Question } from './find-link.ts';
import { texts } from './texts.ts';

type Props = { question: Question; onAsk: (question: Question) => void };

const KEY = ['lookback', 'searches'] as const;
const words = texts.saved;

/** Menu with the user's private saved searches: to run one again, to save the current one, or to delete one. */
export function SavedSearches({ question, onAsk }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Action
        label={words.title}
        icon={mdiBookmarkOutline}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <PanelBelow label={words.title} anchor={anchor} onClose={() => setAnchor(null)} sx={{ width: 320, p: 2, mt: 1 }}>
        {anchor && (
          <Kept
            question={question}
            onAsk={(next) => {
              setAnchor(null);
              onAsk(next);
            }}
          />
        )}
      </PanelBelow>
    </>
  );
}

function Kept({ question: { shape, filter }, onAsk }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [name, setName] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(listSavedSearches, {}, { signal }),
  });
  const count = data?.length;
  useEffect(() => {
    void count;
    // Triggers repositioning of the panel, whose height has changed.
    window.dispatchEvent(new Event('resize'));
  }, [count]);
  const again = () => queries.invalidateQueries({ queryKey: KEY });

  async function save(search: Omit<SavedSearch, '_id' | 'created'>, done: string) {
    try {
      await api.call(createSavedSearch, { body: search });
      setName('');
      show(fill(done, { name: search.name }), 'success');
    } catch (reason) {
      show(fill(words.saveFailed, { text: errorText(reason) }), 'error');
    }
    await again();
  }

  async function remove(search: SavedSearch) {
    try {
      await api.call(deleteSavedSearch, { params: { id: search._id } });
      const { _id, created: _created, ...retained } = search;
      show(fill(words.deleted, { name: search.name }), 'success', {
        label: words.undo,
        onClick: () => void save(retained, words.restored),
      });
    } catch (reason) {
      show(fill(words.deleteFailed, { text: errorText(reason) }), 'error');
    }
    await again();
  }

  async function setNotify({ _id: id, name, notify }: SavedSearch) {
    try {
      await api.call(updateSavedSearch, { params: { id }, body: { notify: !notify } });
      show(fill(notify ? words.notifyOff : words.notifyOn, { name }), 'success');
    } catch (reason) {
      show(fill(words.saveFailed, { text: errorText(reason) }), 'error');
    }
    await again();
  }

  const isFull = (data?.length ?? 0) >= SAVED_SEARCHES_MAX;
  const isTaken = data?.some((one) => one.name === name.trim()) === true;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {error && <FailedNotice title={words.failed} error={error} onRetry={refetch} />}
      {data?.length === 0 && <Box sx={{ p: 1, fontSize: 12, color: 'text.secondary' }}>{words.none}</Box>}
      {data && data.length > 0 && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 320, overflowY: 'auto' }}>
          {data.map((search) => (
            <Box component="li" key={search._id} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <ButtonBase
                onClick={() => onAsk({ shape: search.shape, filter: search.filter })}
                sx={{
                  flex: 1,
                  minWidth: 0,
                  justifyContent: 'flex-start',
                  p: 1.5,
                  borderRadius: 1,
                  fontSize: 14,
                  textAlign: 'left',
                  overflowWrap: 'anywhere',
                  '&:hover': { bgcolor: 'action.hover' },
                }}
              >
                {search.name}
              </ButtonBase>
              <Action
                label={fill(words.notify, { name: search.name })}
                hint={search.notify ? words.notifies : words.notifiesNot}
                icon={search.notify ? mdiBellOutline : mdiBellOffOutline}
                on={search.notify}
                onClick={() => void setNotify(search)}
              />
              <Action
                label={fill(words.remove, { name: search.name })}
                icon={mdiDeleteOutline}
                onClick={() => void remove(search)}
              />
            </Box>
          ))}
        </Box>
      )}
      <Divider />
      <Box
        component="form"
        noValidate
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          if (shape !== null && name.trim() !== '' && !isTaken)
            void save({ name, shape, filter, notify: true }, words.done);
        }}
        sx={{ display: 'grid', gap: 2 }}
      >
        <Field
          label={words.name}
          value={name}
          disabled={shape === null || isFull}
          help={isFull ? fill(words.full, { most: SAVED_SEARCHES_MAX }) : shape === null ? words.nothing : words.help}
          problem={isTaken ? words.taken : undefined}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 64 } }}
        />
        <Button type="submit" disabled={shape === null || isFull || isTaken || name.trim() === ''}>
          {words.save}
        </Button>
      </Box>
    </Box>
  );
}

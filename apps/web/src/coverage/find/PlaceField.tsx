import { Autocomplete, Box } from '@mui/material';
import { type AnnotationRow, listAnnotations, SEARCH_MAX, type TargetShape } from '@osprey/contract';
import { parsePlace } from '@osprey/geo';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { formatPlace } from '../../base/units.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { texts } from './texts.ts';
import { usePaused } from './usePaused.ts';
import { type FoundPlace, hintOf, usePlacesNamed } from './usePlacesNamed.ts';

const CHOICES = 8;
const COORDINATES = 7;

/**
 * Field for a place that is typed or pasted: a coordinate in any common format, or the name of a place or an
 * annotation.
 */
export function PlaceField({ onShape }: { onShape: (shape: TargetShape) => void }) {
  const [text, setText] = useState('');
  const named = usePaused(text.trim());
  const coordinate = coordinateOf(text);
  const { choices, isKnown } = useNamed(coordinate ? '' : named);
  const all = coordinate ? [coordinate] : choices;
  const isNone = text.trim() !== '' && !coordinate && isKnown && named === text.trim() && choices.length === 0;
  return (
    <Autocomplete<FoundPlace, false, false, true>
      freeSolo
      autoHighlight
      value={null}
      inputValue={text}
      options={all}
      // No filtering here, since the server has already searched.
      filterOptions={(options) => options}
      getOptionLabel={(choice) => (typeof choice === 'string' ? choice : choice.name)}
      getOptionKey={(choice) => (typeof choice === 'string' ? choice : choice.key)}
      onInputChange={(_event, next, reason) => reason !== 'reset' && setText(next)}
      onChange={(_event, picked) => {
        // Enter without a selected option chooses the first one.
        const choice = typeof picked === 'string' ? all[0] : picked;
        if (!choice) return;
        onShape(choice.shape);
        setText('');
      }}
      renderOption={({ key, ...rest }, choice) => (
        <Box component="li" key={key} {...rest} sx={{ '&&': { display: 'block', py: 0.5, px: 2 } }}>
          {choice.name}
          <Box component="span" sx={{ ml: 2, fontSize: 12, color: 'text.secondary' }}>
            {hintOf(choice)}
          </Box>
        </Box>
      )}
      renderInput={(params) => (
        <Field
          {...params}
          placeholder={texts.search}
          help={isNone ? undefined : texts.searchHelp}
          problem={isNone ? texts.noPlace : undefined}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps?.htmlInput, 'aria-label': texts.search, maxLength: SEARCH_MAX },
          }}
        />
      )}
    />
  );
}

function coordinateOf(text: string): FoundPlace | null {
  const place = parsePlace(text);
  if (place === null) return null;
  const round = (degrees: number) => Number(degrees.toFixed(COORDINATES));
  return {
    key: 'coordinate',
    name: formatPlace(place),
    kind: texts.coordinate,
    shape: { type: 'Point', coordinates: [round(place.lon), round(place.lat)] },
  };
}

/**
 * Returns annotations with this text in their title, and places of the site and of the base map whose name begins with
 * it.
 */
function useNamed(search: string): { choices: FoundPlace[]; isKnown: boolean } {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['annotations', 'named', search],
    enabled: search.length > 1,
    queryFn: async ({ signal }) =>
      (await api.call(
        listAnnotations,
        { query: { search, rows: '1', limit: String(CHOICES), sort: 'title' } },
        { signal },
      )) as AnnotationRow[],
  });
  const { places, isKnown } = usePlacesNamed(search);
  const annotations = (data ?? []).map(
    ({ _id, title }): FoundPlace => ({
      key: _id,
      name: title,
      kind: texts.ofAnnotations,
      shape: { type: 'Annotation', id: _id },
    }),
  );
  return { choices: [...annotations, ...places], isKnown: data !== undefined && isKnown };
}

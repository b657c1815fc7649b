import { DEMO_GROUP, isAdmin } from '@osprey/contract';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useActor } from '../../api/session.ts';
import { useReaders } from '../../api/useReaders.ts';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { groupsFor, labelsFor } from '../../ui/fields/sharing.ts';
import { VisibleTo } from '../../ui/fields/VisibleTo.tsx';
import type { MissionForm } from './form.ts';
import { texts } from './texts.ts';
import type { Sharing } from './useSharing.ts';

type Props = { form: UseFormReturn<MissionForm>; sharing: Sharing; marked: boolean; isNew: boolean };

/** Fields for label and audience of missions, together with a list of users who could see them. */
export function SharingFields({ form, sharing, marked, isNew }: Props) {
  const actor = useActor();
  const [label, everyone, usergroups] = useWatch({ control: form.control, name: ['label', 'everyone', 'usergroups'] });
  const groups = groupsFor(actor, sharing.groups);
  const readers = useReaders('mission', { label, everyone, usergroups });
  return (
    <>
      <LabelField
        label={texts.fields.label}
        value={label}
        labels={labelsFor(actor)}
        help={marked ? undefined : texts.help.unmarked}
        onChange={(next) => form.setValue('label', next, { shouldDirty: true })}
      />
      <VisibleTo {...readers}>
        <GroupPicker
          groups={groups}
          label={label}
          value={{ everyone, usergroups }}
          onChange={(chosen) => {
            form.setValue('everyone', chosen.everyone, { shouldDirty: true });
            form.setValue('usergroups', chosen.usergroups, { shouldDirty: true });
          }}
          mayEveryone={isAdmin(actor)}
          demoFixed={isAdmin(actor) && groups.some(({ name: group }) => group === DEMO_GROUP) && isNew}
          problem={sharing.problem ?? undefined}
        />
      </VisibleTo>
    </>
  );
}

// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Behind, DrawBehind } from './Behind.tsx';

afterEach(cleanup);

it('draws the surroundings after the picture', async () => {
  const order: string[] = [];
  const Part = ({ name }: { name: string }) => {
    order.push(name);
    return <p>{name}</p>;
  };

  render(
    <>
      <Behind>
        <Part name="timeline" />
      </Behind>
      <Part name="picture" />
    </>,
  );

  expect(await screen.findByText('timeline')).toBeDefined();
  expect(order.slice(0, 2)).toEqual(['picture', 'timeline']);
});

it('draws nothing while something else is to have the machine to itself, and all of it afterwards', async () => {
  const view = (due: boolean) => (
    <DrawBehind value={due}>
      <Behind>
        <p>timeline</p>
      </Behind>
      <p>picture</p>
    </DrawBehind>
  );
  const { rerender } = render(view(false));
  expect(await screen.findByText('picture')).toBeDefined();
  expect(screen.queryByText('timeline')).toBeNull();

  rerender(view(true));

  expect(screen.getByText('timeline')).toBeDefined();
});

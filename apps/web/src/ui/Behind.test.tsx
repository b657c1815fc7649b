// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Behind } from './Behind.tsx';

it('draws what stands around after what it stands around', async () => {
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

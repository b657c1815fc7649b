// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode, useLayoutEffect } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AlertProvider } from './dialog/AlertDialog.tsx';
import { laterDialog } from './dialog/later-dialog.tsx';
import { later } from './later.tsx';

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

class Boundary extends Component<{ children: ReactNode }, { message: string | null }> {
  override state = { message: null };
  static getDerivedStateFromError = (error: Error) => ({ message: error.message });
  override render() {
    return this.state.message ?? this.props.children;
  }
}

afterEach(cleanup);

describe('a component whose code comes later', () => {
  it('draws nothing until its code is there, and then itself', async () => {
    const Part = later(async () => Greeting);

    render(<Part name="Kea" />);

    expect(screen.queryByText('Hello Kea')).toBeNull();
    expect(await screen.findByText('Hello Kea')).toBeDefined();
  });

  it('is drawn at once when its code was fetched before', async () => {
    const fetchCode = vi.fn(async () => Greeting);
    const Part = later(fetchCode);
    await Part.load();

    render(<Part name="Kea" />);

    expect(screen.getByText('Hello Kea')).toBeDefined();
    expect(fetchCode).toHaveBeenCalledOnce();
  });

  it('is drawn when its code comes between its first drawing and the look at it', async () => {
    // Resolves at once, as no promise does by itself: so it comes at that very moment.
    const now = Promise.resolve(Greeting);
    vi.spyOn(now, 'then').mockImplementation(async (take) => take?.(Greeting) as never);
    const Part = later(() => now);
    function Prefetch() {
      useLayoutEffect(() => void Part.load(), []);
      return null;
    }

    render(
      <>
        <Part name="Kea" />
        <Prefetch />
      </>,
    );

    expect(await screen.findByText('Hello Kea')).toBeDefined();
  });

  it('hands a failure to the error boundary above, and tries again the next time', async () => {
    const fetchCode = vi.fn(async () => Greeting).mockRejectedValueOnce(new Error('The server is away.'));
    const Part = later(fetchCode);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);

    const first = render(
      <Boundary>
        <Part name="Kea" />
      </Boundary>,
    );
    expect(await screen.findByText('The server is away.')).toBeDefined();
    first.unmount();
    render(<Part name="Kea" />);

    expect(await screen.findByText('Hello Kea')).toBeDefined();
  });

  it('draws nothing where it is optional and its code cannot be fetched', async () => {
    const fetchCode = vi.fn(async () => Greeting).mockRejectedValue(new Error('The server is away.'));
    const Part = later(fetchCode, { optional: true });

    render(
      <Boundary>
        <Part name="Kea" />
        <p>The page</p>
      </Boundary>,
    );
    await Part.load().catch(() => undefined);

    expect(await screen.findByText('The page')).toBeDefined();
    expect(screen.queryByText('The server is away.')).toBeNull();
  });

  it('leaves the page as it is where a dialog cannot be fetched, and says what to do', async () => {
    const Dialog = laterDialog<{ onClose: () => void }>(() => Promise.reject(new Error('The server is away.')));
    const onClose = vi.fn();

    render(
      <AlertProvider>
        <input aria-label="Title" defaultValue="half typed" />
        <Dialog onClose={onClose} />
      </AlertProvider>,
    );

    expect(await screen.findByText(/Once the server is back, reload the page/)).toBeDefined();
    expect(screen.getByDisplayValue('half typed')).toBeDefined();
    expect(onClose).toHaveBeenCalledOnce();
  });
});

import { describe, expect, it, vi } from 'vitest';
import { createLiveClock, type LiveMember } from './live-clock.ts';

function member(id: string, fields: Partial<Pick<LiveMember, 'timeUs' | 'span'>> = {}) {
  return {
    id,
    timeUs: () => 100,
    span: () => null,
    isPaused: () => false,
    play: vi.fn(),
    pause: vi.fn(),
    skip: vi.fn(),
    goLive: vi.fn(),
    ...fields,
  };
}

describe('the clock of live players', () => {
  it('gives the time of the picture that the leader shows, and of no other', () => {
    const clock = createLiveClock();
    clock.enter(member('eo', { timeUs: () => 500 }));
    clock.enter(member('ir', { timeUs: () => 300 }));
    const reported = vi.fn();
    clock.onTime(reported);

    clock.notify('ir');
    expect([clock.timeUs(), reported.mock.calls.length]).toEqual([500, 0]);
    clock.lead('ir');

    expect(clock.timeUs()).toBe(300);
    expect(clock.get().leader).toBe('ir');
  });

  it('pauses, winds back and goes live with the leader alone', () => {
    const clock = createLiveClock();
    const [eo, ir] = [member('eo', { span: () => ({ startUs: 10, endUs: 2_000_000 }) }), member('ir')];
    clock.enter(eo);
    clock.enter(ir);

    clock.toggle();
    clock.skip(-30);
    clock.seek(60);
    clock.seek(2_000_000);

    expect(eo.pause).toHaveBeenCalledOnce();
    expect(eo.skip.mock.calls).toEqual([[-30], [-40]]);
    expect(eo.goLive).toHaveBeenCalledOnce();
    expect(ir.pause).not.toHaveBeenCalled();
  });

  it('spans what the server keeps where the way has only live, up to the picture on screen', () => {
    const clock = createLiveClock();
    const second = 1_000_000;
    let timeUs: number | null = null;
    const eo = member('eo', { timeUs: () => timeUs });
    clock.enter(eo);

    clock.setKept(40 * second);
    expect(clock.get()).toMatchObject({ startUs: 0, endUs: 0 });
    timeUs = 100 * second;
    clock.notify('eo');
    expect(clock.get()).toMatchObject({ startUs: 40 * second, endUs: 100 * second });
    clock.seek(70 * second);
    expect(eo.skip).toHaveBeenCalledExactlyOnceWith(-30 * second);

    clock.setKept(null);
    expect(clock.get()).toMatchObject({ startUs: 0, endUs: 0 });
  });

  it('says where the kept pictures begin when a step back ends there', () => {
    const clock = createLiveClock();
    const second = 1_000_000;
    let timeUs = 150 * second;
    clock.enter(member('eo', { timeUs: () => timeUs, span: () => ({ startUs: 100 * second, endUs: 151 * second }) }));
    const first = vi.fn();
    clock.onFirstRetained(first);
    const show = (seconds: number) => {
      timeUs = seconds * second;
      clock.notify('eo');
    };

    clock.skip(-30 * second);
    show(151);
    show(121);
    show(101);
    expect(first).not.toHaveBeenCalled();
    clock.skip(-30 * second);
    show(102);
    show(103);

    expect(first.mock.calls).toEqual([[100 * second]]);
  });

  it('lets another lead when the leader leaves, and none when all have left', () => {
    const clock = createLiveClock();
    const leave = clock.enter(member('eo'));
    const leaveOther = clock.enter(member('ir'));

    leave();
    expect(clock.get().leader).toBe('ir');
    leaveOther();

    expect(clock.get()).toMatchObject({ leader: null, playing: false });
  });

  it('reports a change once, not with each picture', () => {
    const clock = createLiveClock();
    clock.enter(member('eo', { span: () => ({ startUs: 0, endUs: 1_000_000 }) }));
    const changed = vi.fn();
    clock.subscribe(changed);

    for (let index = 0; index < 10; index += 1) clock.notify('eo');

    expect(changed).not.toHaveBeenCalled();
  });
});

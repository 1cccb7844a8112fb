import { Effect, Queue } from "effect"

/** A wake-up for one waiting fiber. Signals that are sent before it waits count as one. */
export interface Signal {
  readonly send: () => void
  readonly wait: Effect.Effect<void>
}

/** `send` is a function instead of an effect, since it runs for every entry. */
export const makeSignal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (queue) => ({
  send: () => {
    queue.unsafeOffer(undefined)
  },
  wait: Queue.take(queue)
}))

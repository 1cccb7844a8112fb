import { Cause, Effect, Exit, Predicate, Stream } from "effect"

/** The options of a call. */
export interface CallOptions {
  /** Ends the call when it is aborted: the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Fails with the reason of the signal when it is aborted. */
const aborted = (signal: AbortSignal) =>
  Effect.async<never, unknown>((resume) => {
    const abort = () => resume(Effect.fail(signal.reason))
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** Replaces the frames of an error, which are those of the fiber, by the frames of the call. */
const atCall = (error: unknown, call: Error): unknown => {
  if (Predicate.hasProperty(error, "_tag") && error instanceof Error) {
    error.stack = `${error.name}: ${error.message}\n${call.stack?.replace(/^Error\n/, "")}`
  }
  return error
}

/** Runs an effect. Rejects with its error itself, not with a `FiberFailure` that contains it. */
export const run = async <A, E>(effect: Effect.Effect<A, E>, { signal }: CallOptions = {}): Promise<A> => {
  const call = new Error()
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(signal === undefined ? effect : Effect.raceFirst(effect, aborted(signal)))
  if (Exit.isSuccess(exit)) return exit.value
  throw atCall(Cause.squash(exit.cause), call)
}

/** Iterates over a stream, and interrupts it when the loop ends. Throws its error itself. */
export async function* iterate<A, E>(
  stream: Stream.Stream<A, E>,
  { signal }: CallOptions = {}
): AsyncGenerator<A, void, undefined> {
  const call = new Error()
  signal?.throwIfAborted()
  try {
    yield* Stream.toAsyncIterable(signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal)))
  } catch (error) {
    throw atCall(error, call)
  }
}

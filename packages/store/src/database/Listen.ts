import { logThrottled } from "@switchboard/services/LogThrottle"
import { Data, Effect, Redacted, Schedule, Stream } from "effect"
import { Client } from "pg"

class ListenerLost extends Data.TaggedError("ListenerLost")<{ readonly cause: unknown }> {}

/**
 * What is notified on a channel, over a connection of its own: a lost one is made anew, and says so, since nobody
 * knows what was said meanwhile.
 */
export const listen = (url: Redacted.Redacted<string>, channel: string): Stream.Stream<void> =>
  Stream.asyncScoped<void, ListenerLost>((emit) =>
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Client({
              connectionString: Redacted.value(url),
              connectionTimeoutMillis: 3_000,
              keepAlive: true,
              keepAliveInitialDelayMillis: 10_000,
              application_name: "switchboard-listen"
            })
        ),
        // A server that hangs does not say goodbye.
        (connected) =>
          Effect.tryPromise(() => connected.end()).pipe(Effect.interruptible, Effect.timeout("1 second"), Effect.ignore)
      )
      const lost = (cause: unknown) => void emit.fail(new ListenerLost({ cause }))
      client.on("error", lost)
      client.on("end", () => lost("the connection ended"))
      client.on("notification", () => void emit.single(undefined))
      yield* Effect.tryPromise({
        try: async () => {
          await client.connect()
          await client.query(`LISTEN ${channel}`)
        },
        catch: (cause) => new ListenerLost({ cause })
      })
      void emit.single(undefined)
    })
  ).pipe(
    Stream.tapError(({ cause }) =>
      logThrottled("notifications", Effect.logWarning("The database's notifications are lost, polling goes on", cause))
    ),
    Stream.retry(Schedule.jittered(Schedule.spaced("1 second"))),
    Stream.catchAll(() => Stream.empty)
  )

import { PgClient } from "@effect/sql-pg"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { Context, Data, Effect, Layer, PubSub, RcRef, Redacted, Schedule, Stream } from "effect"
import { Client } from "pg"
import { queueTables } from "./QueueTables.js"

class ListenerLost extends Data.TaggedError("ListenerLost")<{ readonly cause: unknown }> {}

/** Published when the connection is made: what was notified before is unknown. */
const anyChannel = ""

const listenStatement = Object.values(queueTables)
  .map(({ channel }) => `LISTEN ${channel}`)
  .join("; ")

/** The names of the channels that are notified, over a connection of its own. A lost one is made anew. */
const notified = (url: Redacted.Redacted<string>): Stream.Stream<string> =>
  Stream.asyncScoped<string, ListenerLost>((emit) =>
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
        // A server that hangs does not answer the end of a connection.
        (connected) =>
          Effect.tryPromise(() => connected.end()).pipe(Effect.interruptible, Effect.timeout("1 second"), Effect.ignore)
      )
      const lost = (cause: unknown) => void emit.fail(new ListenerLost({ cause }))
      client.on("error", lost)
      client.on("end", () => lost("the connection ended"))
      client.on("notification", ({ channel }) => void emit.single(channel))
      yield* Effect.tryPromise({
        try: async () => {
          await client.connect()
          await client.query(listenStatement)
        },
        catch: (cause) => new ListenerLost({ cause })
      })
      void emit.single(anyChannel)
    })
  ).pipe(
    Stream.tapError(({ cause }) =>
      logThrottled("notifications", Effect.logWarning("The database's notifications are lost, polling goes on", cause))
    ),
    Stream.retry(Schedule.jittered(Schedule.spaced("1 second"))),
    Stream.catchAll(() => Stream.empty)
  )

/** The database's notifications (LISTEN): one connection a process, while there are subscribers. */
export class Notifications extends Context.Tag("store/Notifications")<
  Notifications,
  {
    /** Emits when the channel was, or may have been, notified. Never ends; reconnects. */
    readonly on: (channel: string) => Stream.Stream<void>
  }
>() {}

export const NotificationsLive = Layer.scoped(
  Notifications,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const shared = yield* RcRef.make({
      acquire: Effect.gen(function* () {
        const channels = yield* PubSub.unbounded<string>()
        yield* notified(config.url ?? Redacted.make("")).pipe(
          Stream.runForEach((channel) => PubSub.publish(channels, channel)),
          Effect.forkScoped
        )
        return channels
      })
    })
    return {
      on: (channel) =>
        Effect.gen(function* () {
          const channels = yield* PubSub.subscribe(yield* RcRef.get(shared))
          return Stream.concat(Stream.make(anyChannel), Stream.fromQueue(channels)).pipe(
            Stream.filter((name) => name === channel || name === anyChannel),
            Stream.map(() => undefined)
          )
        }).pipe(Stream.unwrapScoped)
    }
  })
)

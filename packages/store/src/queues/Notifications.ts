import { PgClient } from "@effect/sql-pg"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { Context, Data, Effect, Layer, PubSub, RcRef, Redacted, Schedule, Stream } from "effect"
import { connectionTo } from "../database/DatabaseHosts.js"
import { queueTables, returned } from "./QueueTables.js"

class ListenerLost extends Data.TaggedError("ListenerLost")<{ readonly cause: unknown }> {}

interface Notification {
  /** Null when the connection is made: earlier notifications may have been missed. */
  readonly channel: string | null
  readonly payload: string
}

const connected: Notification = { channel: null, payload: returned }

const listenStatement = Object.values(queueTables)
  .map(({ channel }) => `LISTEN ${channel}`)
  .join("; ")

/** The notifications of all queues, over a separate connection, which is reopened when it is lost. */
const notified = (Connection: ReturnType<typeof connectionTo>): Stream.Stream<Notification> =>
  Stream.asyncScoped<Notification, ListenerLost>((emit) =>
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Connection({
              connectionTimeoutMillis: 3_000,
              keepAlive: true,
              keepAliveInitialDelayMillis: 10_000,
              application_name: "switchboard-listen"
            })
        ),
        // A server that hangs does not close the connection.
        (connection) =>
          Effect.tryPromise(() => connection.end()).pipe(
            Effect.interruptible,
            Effect.timeout("1 second"),
            Effect.ignore
          )
      )
      const lost = (cause: unknown) => void emit.fail(new ListenerLost({ cause }))
      client.on("error", lost)
      client.on("end", () => lost("the connection ended"))
      client.on("notification", ({ channel, payload = "" }) => void emit.single({ channel, payload }))
      yield* Effect.tryPromise({
        try: async () => {
          await client.connect()
          await client.query(listenStatement)
        },
        catch: (cause) => new ListenerLost({ cause })
      })
      void emit.single(connected)
    })
  ).pipe(
    Stream.tapError(({ cause }) =>
      logThrottled(
        "notifications",
        Effect.logWarning("The connection for database notifications was lost; polling continues", cause)
      )
    ),
    Stream.retry(Schedule.jittered(Schedule.spaced("1 second"))),
    Stream.catchAll(() => Stream.empty)
  )

/** Database notifications (LISTEN): one connection per process, while there are subscribers. */
export class Notifications extends Context.Tag("store/Notifications")<
  Notifications,
  {
    /**
     * Emits the payload when the channel was notified; `returned` when it may have been during a reconnect. Never ends.
     */
    readonly on: (channel: string) => Stream.Stream<string>
  }
>() {}

export const NotificationsLive = Layer.scoped(
  Notifications,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const Connection = connectionTo(Redacted.value(config.url ?? Redacted.make("")))
    const shared = yield* RcRef.make({
      acquire: Effect.gen(function* () {
        const channels = yield* PubSub.unbounded<Notification>()
        yield* notified(Connection).pipe(
          Stream.runForEach((notification) => PubSub.publish(channels, notification)),
          Effect.forkScoped
        )
        return channels
      })
    })
    return {
      on: (channel) =>
        Effect.gen(function* () {
          const channels = yield* PubSub.subscribe(yield* RcRef.get(shared))
          return Stream.concat(Stream.make(connected), Stream.fromQueue(channels)).pipe(
            Stream.filter((one) => one.channel === channel || one.channel === null),
            Stream.map(({ payload }) => payload)
          )
        }).pipe(Stream.unwrapScoped)
    }
  })
)

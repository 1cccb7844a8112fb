import { join } from "node:path"
import { Duration, Effect, Schedule } from "effect"
import { temporaryFolder } from "../ServiceCalls.js"
import { base, ended, launch, run } from "../ServiceProcess.js"
import { Ledger, type StoredMessage, storedMessages } from "./Ledger.js"
import { loadClient, type Outcome } from "./LoadClient.js"
import { newCluster } from "./PostgresCluster.js"
import type { Report } from "./Report.js"
import { mails, type Sends } from "./Sends.js"
import { Truth } from "./Truth.js"

/** A process of a scenario. */
export type Running = Effect.Effect.Success<ReturnType<typeof launch>>

/** The lease of workers in scenarios, in milliseconds. */
export const lease = 2_000

const unsettled = `SELECT count(*)::int AS count FROM message_states
  WHERE status IN ('pending', 'queued', 'processing', 'sent')`

/** Messages of several recipients are final when each recipient is. */
const unsettledRecipients = `SELECT count(DISTINCT message_id)::int AS count
  FROM message_states CROSS JOIN json_array_elements(deliveries) AS d WHERE d->>'status' IN ('pending', 'deferred', 'sent')`

/** Waits until the count is 0, or does not decrease for `patience`; returns the count. */
export const untilNone = <E>(
  left: Effect.Effect<number, E>,
  patience: Duration.DurationInput = "2 minutes",
  before = Number.POSITIVE_INFINITY
): Effect.Effect<number, E> =>
  left.pipe(
    Effect.repeat({
      until: (count) => count < before,
      schedule: Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurUpTo(Duration.decode(patience)))
    }),
    Effect.zipRight(left),
    Effect.flatMap((count) =>
      count === 0 || count >= before ? Effect.succeed(count) : untilNone(left, patience, count)
    )
  )

interface InstallationOptions {
  /** The folder of the database. */
  readonly disk?: string
  readonly sends?: Sends
}

/** The database, folder and ledger that the processes of a scenario share. */
export const installation = (
  settings: Readonly<Record<string, string>> = {},
  { disk, sends = mails }: InstallationOptions = {}
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const cluster = yield* newCluster(join(disk ?? folder, "database"))
    const client = yield* loadClient
    const ledger = new Ledger()
    const truth = new Truth()
    const expected = new WeakSet<Running["child"]>()
    const ends: Array<string> = []
    const environment = {
      ...base(folder),
      DATABASE_URL: cluster.url,
      SMTP_CONFIRMATION: "accept",
      SMTP_URL: "smtp://127.0.0.1:1",
      // Each connection is a PostgreSQL process; processes start often.
      DATABASE_POOL_SIZE: "6",
      LEASE_DURATION: `${lease} millis`,
      RETRY_SCHEDULE: Array.from({ length: 100 }, () => "200 millis").join(", "),
      NETWORK_ALLOW: "127.0.0.0/8",
      LOG_LEVEL: process.env.LOG_LEVEL ?? "none",
      ...settings
    }

    /** Starts a process; an exit before `end` and the end of its scope is a violation. */
    const start = (command: "api" | "worker" | "serve", own: Readonly<Record<string, string>> = {}, of?: string) =>
      Effect.tap(launch(command, { ...environment, ...own }, [], of), ({ child }) => {
        child.once("exit", (code, signal) => {
          if (!expected.has(child)) ends.push(`${command} ended by itself with ${code ?? signal}`)
        })
        return Effect.addFinalizer(() => Effect.sync(() => expected.add(child)))
      })

    /** Sends a signal to a process; returns its exit code. */
    const end = ({ child }: Running, signal: NodeJS.Signals = "SIGKILL") =>
      Effect.suspend(() => {
        expected.add(child)
        child.kill(signal)
        return ended(child)
      })

    /** Adds a number for a channel to the first organization. */
    const addNumber = (number: string, channel: "sms" | "whatsapp") =>
      run(["numbers", "add", number, "--organization", "default", "--channels", channel], environment)

    /** Sends one message to a unique recipient, which is the idempotency key, and to the others that belong to it. */
    const sendTo = (baseUrl: string, recipient: string): Effect.Effect<Outcome> => {
      const recipients = sends.recipients?.(recipient) ?? [recipient]
      for (const one of recipients) ledger.attempted(one)
      const body = { ...sends.body(recipient), idempotencyKey: recipient }
      return Effect.tap(client(baseUrl, "POST", "/v1/messages", body), (outcome) =>
        Effect.sync(() => recipients.forEach((one) => void ledger.answered(one, outcome)))
      )
    }

    /** Sends until the response is 201; requests without response are repeated with their key. */
    const insist = (baseUrl: Effect.Effect<string>, recipient: string): Effect.Effect<Outcome> =>
      Effect.flatMap(baseUrl, (at) => sendTo(at, recipient)).pipe(
        Effect.flatMap((outcome) =>
          outcome.status === 0 || outcome.status === 503
            ? Effect.zipRight(Effect.sleep("25 millis"), insist(baseUrl, recipient))
            : Effect.succeed(outcome)
        )
      )

    /** The number of messages without final status. */
    const open = Effect.map(
      cluster.query<{ count: number }>(sends.recipients === undefined ? unsettled : unsettledRecipients),
      ([row]) => row?.count ?? 0
    )

    /** Waits until all messages have a final status, or none gets one for `patience`; returns the number of others. */
    const drained = (patience?: Duration.DurationInput) => untilNone(open, patience)

    /** Compares the ledger with the database and the peers. */
    const report = (figures: Readonly<Record<string, number>> = {}, violations: ReadonlyArray<string> = []) =>
      Effect.gen(function* () {
        const stored = yield* cluster.query<StoredMessage>(storedMessages)
        const [usage] = yield* cluster.query<{ used: number }>(
          "SELECT sum(messages_used)::int AS used FROM organization_usage"
        )
        const found = ledger.compare(stored, truth, sends)
        const messages = new Set(stored.map(({ id }) => id)).size
        const unended = yield* open
        const result: Report = {
          ...found,
          figures,
          violations: [
            ...found.violations,
            ...(usage?.used === messages ? [] : [`${messages} messages, and ${usage?.used} units of usage`]),
            ...(unended === 0 ? [] : [`${unended} messages have not ended`]),
            ...ends,
            ...violations
          ]
        }
        return result
      })

    return { folder, cluster, client, ledger, truth, start, end, addNumber, sendTo, insist, open, drained, report }
  })

import { authPlain, rawClient } from "@switchboard/channels/testing/RawClient"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { Effect, Fiber, Redacted } from "effect"
import { databaseProxy, type Passage } from "../../DatabaseProxy.js"
import { adminKey } from "../../ServiceCalls.js"
import { installation } from "../Installation.js"
import { unreached } from "../KilledLives.js"
import type { Ledger } from "../Ledger.js"
import type { Scenario } from "../Scenario.js"
import { mails, type Sends } from "../Sends.js"
import { truthRelay } from "../TruthRelay.js"

const clients = 4

/** The process is killed at one of this many times that a client or the database reaches the moment. */
const maxTimes = 20

/** The moments of a submission; `before` and `after` are those of the statement that stores the mail. */
const moments = ["envelope", "data", "dot", "before", "after"] as const
type Moment = (typeof moments)[number]

/** The Message-ID that a program chooses, which makes a repeat the same message. */
const submitted: Sends = { ...mails, parts: (recipient) => [`<${recipient}>`] }

/** The connection is closed. */
const gone = Effect.fail("gone" as const)

interface Client {
  readonly port: number
  readonly ledger: Ledger
  /** The recipient of the next mail; undefined at the end. */
  readonly next: () => string | undefined
  /** Called for a mail without 250. */
  readonly repeat: (recipient: string) => void
  readonly at: (moment: Moment) => Effect.Effect<void, "gone">
}

/** Submits mails until the connection closes or there are no more. */
const submitMails = ({ at, ledger, next, port, repeat }: Client) =>
  Effect.gen(function* () {
    const client = yield* rawClient(port).pipe(
      Effect.catchAllDefect(() => gone),
      Effect.timeoutFail({ duration: "5 seconds", onTimeout: () => "gone" as const })
    )
    const sendLine = (line: string) => Effect.raceFirst(client.sendLine(line), Effect.zipRight(client.ended, gone))
    yield* sendLine("EHLO client.test")
    yield* sendLine(authPlain(adminKey))
    for (let to = next(); to !== undefined; to = next()) {
      const recipient = to
      ledger.attempted(recipient)
      const reply = yield* Effect.gen(function* () {
        yield* sendLine("MAIL FROM:<program@client.test>")
        yield* sendLine(`RCPT TO:<${recipient}>`)
        yield* at("envelope")
        yield* sendLine("DATA")
        yield* client.writeAll(`From: ${firstSender}\r\nTo: ${recipient}\r\nMessage-ID: <${recipient}>\r\n`)
        yield* at("data")
        const replied = yield* Effect.fork(sendLine(`Subject: ${recipient}\r\n\r\nHello\r\n.`))
        yield* at("dot")
        return yield* Fiber.join(replied)
      }).pipe(
        Effect.tapError(() =>
          Effect.sync(() => {
            ledger.answered(recipient, { status: 0, id: null, error: null })
            repeat(recipient)
          })
        )
      )
      const [, id] = /^250 2\.0\.0 Accepted as (\S+)/.exec(reply) ?? []
      ledger.answered(recipient, { status: id === undefined ? 503 : 201, id: id ?? null, error: reply })
      if (id === undefined) repeat(recipient)
    }
  }).pipe(Effect.scoped, Effect.ignore)

/**
 * Programs submit mails while processes are killed: before DATA, in the data, after the final dot, and before and after
 * the commit. A mail without 250 is submitted again with the same Message-ID.
 */
export const submission: Scenario = {
  name: "submission",
  about: "kills processes at every step of a mail that a program submits over SMTP",
  rounds: { short: 5, full: 200 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { cluster, drained, end, ledger, report, start, truth } = yield* installation({}, { sends: submitted })
      const relay = yield* truthRelay(truth)
      const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay.port}` }
      const kills: Record<string, number> = Object.fromEntries(moments.map((moment) => [moment, 0]))
      const open: Array<string> = []
      const repeat = (recipient: string) => void open.push(recipient)
      let serial = 0

      for (let round = 0; round < rounds; round++) {
        const moment = moments[round % moments.length]
        yield* Effect.scoped(
          Effect.gen(function* () {
            const port = yield* freePort
            const { proxy, url } = yield* databaseProxy(Redacted.make(cluster.url))
            const running = yield* start("serve", { ...smtp, DATABASE_URL: url, SUBMISSION_PORT: String(port) })
            let left = 1 + Math.floor(dice("times", round) * maxTimes)
            const isReached = (at: Moment) => {
              if (at !== moment || --left !== 0) return false
              kills[at] = (kills[at] ?? 0) + 1
              return true
            }
            yield* proxy.judgeStatements((statement): Passage => {
              if (!statement.includes("prepared accept_email")) return "pass"
              const reached = (["before", "after"] as const).find(isReached)
              if (reached !== undefined) Effect.runFork(end(running))
              return reached ?? "pass"
            })
            const again = open.splice(0)
            const client: Client = {
              port,
              ledger,
              repeat,
              next: () => (left > 0 ? (again.pop() ?? `s${serial++}@faults.test`) : undefined),
              at: (at) => (isReached(at) ? Effect.zipRight(end(running), gone) : Effect.void)
            }
            yield* Effect.replicateEffect(submitMails(client), clients, { concurrency: "unbounded" })
            open.push(...again)
            yield* end(running)
          })
        )
      }
      const port = yield* freePort
      yield* start("serve", { ...smtp, SUBMISSION_PORT: String(port) })
      yield* submitMails({ port, ledger, repeat, next: () => open.shift(), at: () => Effect.void })
      yield* drained()
      return yield* report(kills, [
        ...unreached(kills),
        ...(open.length === 0 ? [] : [`${open.length} mails got no 250`])
      ])
    })
}

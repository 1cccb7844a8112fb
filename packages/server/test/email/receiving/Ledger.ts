import { rawClient } from "@switchboard/channels/testing/RawClient"
import { Effect } from "effect"

/** The state of an SMTP client: the mails that it sent, and the mails that got 250. */
export interface Ledger {
  readonly attempted: Set<string>
  readonly acknowledged: Set<string>
  /** Sent without a reply: the client retries them. */
  readonly open: Set<string>
}

export const makeLedger = (): Ledger => ({ attempted: new Set(), acknowledged: new Set(), open: new Set() })

/** The server closed the connection. */
const gone = Effect.fail("gone" as const)

/**
 * Sends mails until the connection closes, mails without a reply first. `dotSent` is called before the reply to the final
 * dot, while the outcome is unknown.
 */
export const sendMails = (
  port: number,
  ledger: Ledger,
  next: () => string | undefined,
  to: string,
  dotSent: () => void = () => undefined
) =>
  Effect.gen(function* () {
    const client = yield* rawClient(port).pipe(
      Effect.catchAllDefect(() => gone),
      Effect.timeoutFail({ duration: "5 seconds", onTimeout: () => "gone" as const })
    )
    const sendLine = (line: string) => Effect.raceFirst(client.sendLine(line), Effect.zipRight(client.ended, gone))
    yield* sendLine("EHLO sender.test")
    for (let id = next(); id !== undefined; id = next()) {
      ledger.attempted.add(id)
      ledger.open.add(id)
      yield* sendLine("MAIL FROM:<ada@sender.test>")
      yield* sendLine(`RCPT TO:<${to}>`)
      yield* sendLine("DATA")
      client.write(`From: ada@sender.test\r\nTo: ${to}\r\nSubject: ${id}\r\nMessage-ID: ${id}\r\n\r\nHello\r\n`)
      dotSent()
      const response = yield* sendLine(".")
      if (!response.startsWith("250")) return yield* gone
      ledger.open.delete(id)
      ledger.acknowledged.add(id)
    }
  }).pipe(Effect.scoped, Effect.ignore)

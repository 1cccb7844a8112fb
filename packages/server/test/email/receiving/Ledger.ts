import { rawClient } from "@switchboard/channels/testing/RawClient"
import { Effect } from "effect"

/** What a sender knows of the mails that it brings: which it tried, and which were answered with 250. */
export interface Ledger {
  readonly attempted: Set<string>
  readonly acknowledged: Set<string>
  /** Tried, and not answered: a sender tries them again. */
  readonly open: Set<string>
}

export const makeLedger = (): Ledger => ({ attempted: new Set(), acknowledged: new Set(), open: new Set() })

/** Whoever is brought mail is gone. */
const gone = Effect.fail("gone" as const)

/**
 * Brings mails until the other side is gone, those that were never answered first. `dotSent` hears when one is said to
 * be at its end, which is when it is not known yet what becomes of it.
 */
export const bringMails = (
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
    const say = (line: string) => Effect.raceFirst(client.say(line), Effect.zipRight(client.ended, gone))
    yield* say("EHLO sender.test")
    for (let id = next(); id !== undefined; id = next()) {
      ledger.attempted.add(id)
      ledger.open.add(id)
      yield* say("MAIL FROM:<ada@sender.test>")
      yield* say(`RCPT TO:<${to}>`)
      yield* say("DATA")
      client.write(`From: ada@sender.test\r\nTo: ${to}\r\nSubject: ${id}\r\nMessage-ID: ${id}\r\n\r\nHello\r\n`)
      dotSent()
      const answer = yield* say(".")
      if (!answer.startsWith("250")) return yield* gone
      ledger.open.delete(id)
      ledger.acknowledged.add(id)
    }
  }).pipe(Effect.scoped, Effect.ignore)

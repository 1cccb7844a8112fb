import { Effect } from "effect"
import { send } from "../../LiveService.js"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

/** Concurrent identical requests to two processes. */
const identical = 50

/**
 * Two processes receive many concurrent copies of a send: with one key, with one key and another body, without a key, and
 * with different keys.
 */
export const idempotency: Scenario = {
  name: "idempotency",
  about: "sends many concurrent copies of a message to two processes",
  rounds: { short: 1, full: 200 },
  run: ({ rounds }) =>
    Effect.gen(function* () {
      const { client, drained, ledger, report, start, truth } = yield* installation()
      const relay = yield* truthRelay(truth)
      const first = yield* start("api")
      const apis = [first, yield* start("api")]
      const violations: Array<string> = []

      /** Posts all bodies concurrently, alternating between the processes; returns the message ids. */
      const postAll = (bodies: ReadonlyArray<ReturnType<typeof send>>) =>
        Effect.forEach(
          bodies,
          (body, index) =>
            Effect.tap(client((apis[index % 2] ?? first).baseUrl, "POST", "/v1/messages", body), (outcome) =>
              Effect.sync(() => ledger.answered(body.to[0]?.email ?? "", outcome))
            ),
          { concurrency: "unbounded" }
        )
      const expectMessages = (
        what: string,
        outcomes: Effect.Effect.Success<ReturnType<typeof postAll>>,
        count: number
      ) => {
        const ids = new Set(outcomes.flatMap(({ id, status }) => (status === 201 ? [id] : [])))
        if (ids.size !== count) violations.push(`${what} made ${ids.size} messages`)
      }
      const sendsTo = (recipient: string) => {
        ledger.attempted(recipient)
        return (overrides: Readonly<Record<string, unknown>>, subject = recipient) =>
          send({ to: [{ email: recipient }], ...overrides }, { subject })
      }
      const times = <A>(count: number, make: (index: number) => A) =>
        Array.from({ length: count }, (_, index) => make(index))

      for (let round = 0; round < rounds; round++) {
        const keyed = sendsTo(`keyed${round}@faults.test`)
        expectMessages(
          `round ${round}: ${identical} sends with one key`,
          yield* postAll(times(identical, () => keyed({ idempotencyKey: `key ${round}` }))),
          1
        )
        const other = yield* client(
          first.baseUrl,
          "POST",
          "/v1/messages",
          keyed({ idempotencyKey: `key ${round}` }, "Another subject")
        )
        if (other.status !== 409) violations.push(`round ${round}: another body was answered ${other.status}`)
        const keyless = sendsTo(`keyless${round}@faults.test`)
        expectMessages(
          `round ${round}: ${identical} sends without a key`,
          yield* postAll(times(identical, () => keyless({}))),
          1
        )
        const bodies = times(4, (index) =>
          sendsTo(`apart${round}.${index}@faults.test`)({ idempotencyKey: `apart ${round} ${index}` })
        )
        expectMessages(`round ${round}: 4 keys`, yield* postAll([...bodies, ...bodies]), 4)
      }
      yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      yield* drained()
      const found = yield* report({ rounds }, violations)
      return found.duplicated === 0
        ? found
        : { ...found, violations: [...found.violations, `${found.duplicated} mails were sent twice`] }
    })
}

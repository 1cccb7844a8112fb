import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RefusedRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import { ReceivingRepo } from "@switchboard/services/email/receiving/addresses/ReceivingRepo"
import { Effect, Layer, TestClock } from "effect"
import { v7 } from "uuid"

const organization = OrganizationId.make(v7())
const [shop, club] = [EmailDomainId.make(v7()), EmailDomainId.make(v7())]

it.effect(
  "RefusedRecipients stores counts per domain every 5 seconds, retries after an outage and flushes on shutdown",
  () =>
    Effect.gen(function* () {
      const written: Array<ReadonlyArray<readonly [string, number]>> = []
      let isUnavailable = false
      const Repo = Layer.mock(ReceivingRepo, {
        addRefusals: (refusals) =>
          isUnavailable
            ? new ServiceUnavailableError({ message: "unavailable", retryAfterSeconds: 1 })
            : Effect.sync(() => void written.push(refusals.map(({ count, domainId }) => [domainId, count] as const)))
      })
      yield* Effect.gen(function* () {
        const { note } = yield* RefusedRecipients
        for (let at = 0; at < 1_000; at++) note(organization, shop)
        note(organization, club)
        assert.deepStrictEqual(written, [])
        yield* TestClock.adjust("5 seconds")
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(written, [
          [
            [shop, 1_000],
            [club, 1]
          ]
        ])
        isUnavailable = true
        note(organization, shop)
        yield* TestClock.adjust("5 seconds")
        note(organization, shop)
        isUnavailable = false
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(written.at(-1), [[shop, 2]])
        note(organization, club)
      }).pipe(Effect.provide(RefusedRecipients.Default.pipe(Layer.provide(Repo))))
      assert.deepStrictEqual(written.at(-1), [[club, 1]])
    })
)

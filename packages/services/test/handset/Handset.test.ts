import { assert, describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { HandsetText, HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Handset } from "@switchboard/services/handset/Handset"
import { HandsetEnabled, HandsetPhone, type PhoneText } from "@switchboard/services/handset/HandsetPhone"
import { HandsetRepo } from "@switchboard/services/handset/HandsetRepo"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { NoNumbers } from "../sms/NoTexts.js"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")

const received = new HandsetText({
  id: HandsetTextId.make("01a1fc1d-e263-75b0-8c63-b51e27abcdaf"),
  channel: "sms",
  request: null,
  from: "+4915100000000",
  to: "+4917000000000",
  text: "Your order has shipped",
  encoding: "gsm7",
  segments: 1,
  receivedAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z"),
  messageId: null
})

/** Runs an effect with a handset that received one text, and returns the texts that its phone sent. */
const withHandset = <A, E>(
  use: (handset: Handset) => Effect.Effect<A, E>,
  {
    from = received.from,
    isEnabled = true,
    isDown = false
  }: { readonly from?: string; readonly isEnabled?: boolean; readonly isDown?: boolean } = {}
) =>
  Effect.gen(function* () {
    const sent: Array<PhoneText> = []
    const text = new HandsetText({ ...received, from })
    const handset = yield* Effect.provide(
      Handset,
      Handset.Default.pipe(
        Layer.provide(
          Layer.mergeAll(
            NoNumbers,
            Layer.succeed(HandsetEnabled, isEnabled),
            Layer.succeed(HandsetRepo, {
              insert: () => Effect.dieMessage("insert is not used"),
              list: () => Effect.dieMessage("list is not used"),
              find: (owner, id) =>
                Effect.succeed(owner === organization && id === text.id ? Option.some(text) : Option.none())
            }),
            Layer.succeed(HandsetPhone, {
              send: (phoneText) =>
                isDown
                  ? new ServiceUnavailableError({ message: "no service is bound", retryAfterSeconds: 1 })
                  : Effect.sync(() => void sent.push(phoneText))
            }),
            Layer.succeed(CreationKeyRepo, {
              find: () => Effect.succeedNone,
              store: () => Effect.succeed(true),
              remove: () => Effect.void,
              deleteExpired: () => Effect.succeed(0)
            })
          )
        )
      )
    )
    return { result: yield* Effect.either(use(handset)), sent }
  })

const failureOf = ({ result }: { readonly result: { readonly _tag: string } }) =>
  "left" in result ? result.left : assert.fail("succeeded")

describe("Handset", () => {
  it.effect("replies from the phone to the number that sent the text", () =>
    Effect.gen(function* () {
      const { result, sent } = yield* withHandset(({ reply }) => reply(organization, received.id, { text: "Danke 😀" }))
      const expected = { from: received.to, to: received.from, text: "Danke 😀" }
      assert.deepInclude(sent[0], expected)
      assert.deepInclude("right" in result ? { ...result.right } : result, {
        ...expected,
        encoding: "ucs2",
        segments: 1
      })
    })
  )

  it.effect("does not find a text of another organization, or any without the local handset", () =>
    Effect.gen(function* () {
      const foreign = yield* withHandset(({ get }) => get(other, received.id))
      assert.deepInclude(failureOf(foreign), { _tag: "ResourceNotFoundError" })
      const disabled = yield* withHandset(({ get }) => get(organization, received.id), { isEnabled: false })
      assert.deepInclude(failureOf(disabled), { _tag: "ResourceNotFoundError" })
      const list = yield* withHandset((handset) => handset.list(organization, { page: 1, limit: 20 }), {
        isEnabled: false
      })
      assert.deepInclude("right" in list.result ? list.result.right : {}, { items: [] })
    })
  )

  it.effect("rejects a reply to an alphanumeric sender id", () =>
    Effect.gen(function* () {
      const outcome = yield* withHandset(({ reply }) => reply(organization, received.id, { text: "Hello" }), {
        from: "MyShop"
      })
      assert.deepInclude(failureOf(outcome), { _tag: "ConflictError" })
      assert.deepStrictEqual(outcome.sent, [])
    })
  )

  it.effect("fails when the service does not acknowledge the reply", () =>
    Effect.gen(function* () {
      const outcome = yield* withHandset(({ reply }) => reply(organization, received.id, { text: "Hello" }), {
        isDown: true
      })
      assert.deepInclude(failureOf(outcome), { _tag: "ServiceUnavailableError" })
    })
  )
})

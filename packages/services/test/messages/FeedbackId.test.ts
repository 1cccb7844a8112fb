import { assert, describe, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { formatFeedbackId, parseFeedbackId } from "@switchboard/services/messages/delivery/FeedbackId"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const organizationId = OrganizationId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")
const subject = { messageId, organizationId }

describe("Feedback-ID", () => {
  it.effect("starts with category and organization and has four fields", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      for (const [categories, name] of [
        [["marketing", "spring"], "marketing"],
        [["News: März, 2026"], "News--M-rz--2026"],
        [["x".repeat(100)], "x".repeat(32)],
        [[], "uncategorized"]
      ] as const) {
        const header = formatFeedbackId(signatures, subject, categories)
        const [category, organization, , senderId, ...rest] = header.split(":")
        assert.deepStrictEqual([category, organization, senderId, rest], [name, organizationId, "switchboard", []])
        assert.deepStrictEqual(parseFeedbackId(signatures, ` ${header}\r\n`), Option.some(subject))
      }
    }).pipe(Effect.provide(Live))
  )

  it.effect("parses the form of earlier releases", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const signature = signatures.sign("feedback-id", `${messageId}:${organizationId}`)
      const header = `${messageId}:${organizationId}:${signature}:switchboard`
      assert.deepStrictEqual(parseFeedbackId(signatures, header), Option.some(subject))
    }).pipe(Effect.provide(Live))
  )

  it.effect("is rejected without this installation's signature", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const header = formatFeedbackId(signatures, subject, ["news"])
      for (const forged of [
        header.replace(messageId, organizationId),
        header.replace(organizationId, messageId),
        header.replace(/\.[0-9a-f]{20}/, `.${"0".repeat(20)}`),
        header.replace(/\.[0-9a-f]{20}/, ""),
        header.replace("switchboard", "elsewhere"),
        `${messageId}:${organizationId}:${"0".repeat(20)}:switchboard`,
        `more:${header}`,
        "",
        ":::"
      ]) {
        assert.deepStrictEqual(parseFeedbackId(signatures, forged), Option.none(), forged)
      }
    }).pipe(Effect.provide(Live))
  )
})

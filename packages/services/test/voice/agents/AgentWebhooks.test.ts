import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import { VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { signedPost } from "@switchboard/services/webhooks/delivery/SignedPost"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, Redacted } from "effect"

const webhookConfig = { url: "https://example.com/calls", headers: { "X-Team": "desk" } }
const view = { withHeaders: true }

/** VoiceAgents with the given master key, on the test database. */
const withMasterKey = (byte: number) =>
  VoiceAgents.Default.pipe(
    Layer.provide(Layer.mock(DestinationGuard, { checkUrl: () => Effect.void })),
    Layer.provideMerge(SecretBox.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(byte))))
  )

/** The request that the agent's webhook receives. */
const webhookRequest = Effect.fnUntraced(function* (organization: OrganizationId, id: VoiceAgentId) {
  const { webhook } = yield* Effect.flatten(Effect.flatMap(VoiceAgentRepo, (repo) => repo.find(organization, id)))
  if (webhook === null) return yield* Effect.dieMessage("There is no webhook")
  const { headers, secret, url } = webhook
  const event = { id: "e", body: "{}" }
  return yield* signedPost(yield* SecretBox, { id, url, headers, secrets: [secret] }, event)
})

layer(StoreLive)("A voice agent whose webhook was encrypted with another master key", (it) => {
  it.effect("is returned without headers, and duplicated with a new secret that is shown", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { id } = yield* Effect.provide(
        Effect.flatMap(VoiceAgents, ({ create }) => create(organization, { name: "Desk", webhookConfig })),
        withMasterKey(1)
      )
      yield* Effect.gen(function* () {
        const { duplicate, get } = yield* VoiceAgents
        const { headers, url } = (yield* get(organization, id, view)).webhookConfig ?? {}
        assert.deepStrictEqual([url, headers], [webhookConfig.url, undefined])
        const copy = yield* duplicate(organization, id, {})
        assert.match(copy.webhookConfig?.secret ?? "", /^whsec_/)
        assert.strictEqual((yield* webhookRequest(organization, copy.id)).headers["webhook-id"], "e")
        assert.strictEqual((yield* Effect.flip(webhookRequest(organization, id)))._tag, "SecretUnreadable")
      }).pipe(Effect.provide(withMasterKey(2)))
    })
  )
})

layer(StoreLive)("The webhook of a voice agent", (it) => {
  it.effect("is signed like webhook endpoints, with its headers, and a copy is signed the same", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* Effect.gen(function* () {
        const { create, duplicate } = yield* VoiceAgents
        const created = yield* create(organization, { name: "Desk", webhookConfig })
        const copy = yield* duplicate(organization, created.id, {})
        const [first, second] = [
          yield* webhookRequest(organization, created.id),
          yield* webhookRequest(organization, copy.id)
        ]
        assert.deepInclude(first.headers, webhookConfig.headers)
        assert.match(first.headers["webhook-signature"] ?? "", /^v1,/)
        assert.deepStrictEqual(second, first)
      }).pipe(Effect.provide(withMasterKey(1)))
    })
  )
})

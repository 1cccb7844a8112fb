import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { type StoredVoiceAgent, VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { signedPost } from "@switchboard/services/webhooks/SignedPost"
import { Effect, Layer, Option, Redacted } from "effect"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const webhookConfig = { url: "https://example.com/calls", headers: { "X-Team": "desk" } }
const view = { withHeaders: true }

/** An installation that keeps agents, and is started again under another master key. */
const installation = () => {
  const rows = new Map<string, StoredVoiceAgent>()
  const Ports = Layer.merge(
    Layer.mock(VoiceAgentRepo, {
      insert: (agent) => Effect.sync(() => void rows.set(agent.id, agent)),
      find: (_, id) => Effect.sync(() => Option.fromNullable(rows.get(id)))
    }),
    Layer.mock(DestinationGuard, { checkUrl: () => Effect.void })
  )
  const startedUnder = (byte: number) =>
    VoiceAgents.Default.pipe(
      Layer.provide(Ports),
      Layer.provideMerge(SecretBox.Live),
      Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(byte))))
    )
  return { rows, startedUnder }
}

/** What the receiver of an agent's calls would get. */
const posted = Effect.fnUntraced(function* (agent: StoredVoiceAgent | undefined) {
  if (agent === undefined || agent.webhook === null) return yield* Effect.dieMessage("There is no webhook")
  const { headers, secret, url } = agent.webhook
  const event = { id: "e", body: "{}" }
  return yield* signedPost(yield* SecretBox, { id: agent.id, url, headers, secrets: [secret] }, event)
})

describe("A voice agent whose webhook was sealed under another master key", () => {
  it.effect("is still read, without its headers, and is duplicated with a new secret that is shown", () =>
    Effect.gen(function* () {
      const { rows, startedUnder } = installation()
      const { id } = yield* Effect.provide(
        Effect.flatMap(VoiceAgents, ({ create }) => create(organization, { name: "Desk", webhookConfig })),
        startedUnder(1)
      )
      yield* Effect.gen(function* () {
        const { duplicate, get } = yield* VoiceAgents
        const { headers, url } = (yield* get(organization, id, view)).webhookConfig ?? {}
        assert.deepStrictEqual([url, headers], [webhookConfig.url, undefined])
        const copy = yield* duplicate(organization, id, {})
        assert.match(copy.webhookConfig?.secret ?? "", /^whsec_/)
        assert.strictEqual((yield* posted(rows.get(copy.id))).headers["webhook-id"], "e")
        assert.strictEqual((yield* Effect.flip(posted(rows.get(id))))._tag, "SecretUnreadable")
      }).pipe(Effect.provide(startedUnder(2)))
    })
  )
})

describe("The webhook of a voice agent", () => {
  it.effect("is posted to as endpoints are, with its headers and signature; a copy's is signed the same", () =>
    Effect.gen(function* () {
      const { rows, startedUnder } = installation()
      yield* Effect.gen(function* () {
        const { create, duplicate } = yield* VoiceAgents
        const made = yield* create(organization, { name: "Desk", webhookConfig })
        const copy = yield* duplicate(organization, made.id, {})
        const [first, second] = [yield* posted(rows.get(made.id)), yield* posted(rows.get(copy.id))]
        assert.deepInclude(first.headers, webhookConfig.headers)
        assert.match(first.headers["webhook-signature"] ?? "", /^v1,/)
        assert.deepStrictEqual(second, first)
      }).pipe(Effect.provide(startedUnder(1)))
    })
  )
})

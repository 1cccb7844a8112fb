import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { dkimOwner, dkimPurpose } from "@switchboard/services/email/domains/DkimKeys"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { rotateMasterKey } from "@switchboard/services/installation/MasterKey"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { firstIdAt } from "@switchboard/store/FirstIdAt"
import { migrate } from "@switchboard/store/migrations/Migrations"
import { Array, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { day, names, partition, query, thirtyDays, update } from "../retention/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { restore020 } from "./Fixtures.js"

const organization = OrganizationId.make(v7())
const endpoint = WebhookEndpointId.make(v7())
const agent = VoiceAgentId.make(v7())
const domain = EmailDomainId.make(v7())

/** The encryption under a master key, after another one. */
const under = (current: number, previous?: number) => {
  const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))
  return Layer.merge(SecretBox.Live, Signatures.Live).pipe(
    Layer.provide(Layer.succeed(MasterKey, keyOf(current))),
    Layer.provide(Layer.succeed(PreviousMasterKey, Option.map(Option.fromNullable(previous), keyOf)))
  )
}

/** Writes each kind of secret of 0.2.0. The text of a secret is its name. */
const writeSecrets = Effect.gen(function* () {
  const { seal } = yield* SecretBox
  const sealed = (purpose: string, owner: string, text: string) =>
    Buffer.from(seal(purpose, owner, Redacted.make(text)))
  const ofEndpoint = (text: string) => sealed(secretPurpose, endpoint, text)
  yield* query(
    `INSERT INTO organizations (id, name, slug, plan, created_at, updated_at) VALUES ($1, 'Ada', 'ada', 'free', now(), now())`,
    organization
  )
  yield* query(
    `INSERT INTO email_domains VALUES ($1, $2, 'example.com', 'verified', 'token', now(), NULL, 'sm2', $3, 'p1', $4, 'p2',
      false, now(), now(), now())`,
    organization,
    domain,
    sealed(dkimPurpose, dkimOwner(domain, "sm1"), "first key"),
    sealed(dkimPurpose, dkimOwner(domain, "sm2"), "second key")
  )
  yield* query(
    `INSERT INTO voice_agents VALUES ($1, $2, 'Vera', NULL, NULL, NULL, NULL, 'pstn', 'https://example.com',
      '{call.started}', $3, $4, true, now(), now())`,
    organization,
    agent,
    sealed(headersPurpose, agent, "headers of the agent"),
    sealed(secretPurpose, agent, "secret of the agent")
  )
  yield* query(
    `INSERT INTO webhook_endpoints VALUES ($1, $2, 'Orders', 'orders', NULL, 'https://example.com', '{*}', $3, '{}', '{}',
      0, 'disabled', false, $4, $5, now() + interval '1 hour', now(), now())`,
    organization,
    endpoint,
    sealed(headersPurpose, endpoint, "headers"),
    ofEndpoint("current"),
    ofEndpoint("replaced")
  )
  yield* query(
    "INSERT INTO webhook_endpoint_health (organization_id, endpoint_id) VALUES ($1, $2)",
    organization,
    endpoint
  )
  for (const [text, minutes] of [
    ["before", 30],
    ["expired", -1]
  ] as const) {
    yield* query(
      `INSERT INTO earlier_webhook_secrets (organization_id, endpoint_id, secret, signs_until)
      VALUES ($1, $2, $3, now() + make_interval(mins => $4))`,
      organization,
      endpoint,
      ofEndpoint(text),
      minutes
    )
  }
})

/** The secrets that the repositories find. */
const readSecrets = Effect.gen(function* () {
  const { open } = yield* SecretBox
  const read = (purpose: string, owner: string, sealed: Uint8Array | null | undefined) =>
    sealed == null ? Effect.succeed("none") : Effect.map(open(purpose, owner, sealed), Redacted.value)
  const webhooks = yield* WebhookEndpointRepo
  const found = Option.getOrThrow(yield* webhooks.find(organization, endpoint))
  const { webhook } = Option.getOrThrow(yield* Effect.flatMap(VoiceAgentRepo, ({ find }) => find(organization, agent)))
  const key = Option.getOrThrow(
    yield* Effect.flatMap(DomainRepo, ({ signingKey }) => signingKey(organization, "example.com", day(0)))
  )
  return yield* Effect.all([
    read(dkimPurpose, dkimOwner(domain, key.selector), key.sealed),
    read(headersPurpose, agent, webhook?.headers),
    read(secretPurpose, agent, webhook?.secret),
    read(headersPurpose, endpoint, found.endpoint.headers),
    ...Array.map(yield* webhooks.secrets(organization, endpoint), (sealed) => read(secretPurpose, endpoint, sealed))
  ])
})

const idOn = (days: number) => v7({ msecs: DateTime.toEpochMillis(day(days)) })

/** An event in each partition of 0.2.0: of rows that stay, of a past time, and the open one. */
const writeEvents = Effect.gen(function* () {
  const [first, second] = [firstIdAt(day(-80)), firstIdAt(day(-50))]
  yield* query(`ALTER TABLE events DETACH PARTITION events_open;
    CREATE TABLE events_kept PARTITION OF events FOR VALUES FROM (MINVALUE) TO ('${first}');
    CREATE TABLE events_to_here PARTITION OF events FOR VALUES FROM ('${first}') TO ('${second}');
    ALTER TABLE events ATTACH PARTITION events_open FOR VALUES FROM ('${second}') TO (MAXVALUE)`)
  const ids = [-100, -60, 0].map(idOn)
  for (const id of ids) {
    yield* query(
      `INSERT INTO events (organization_id, id, type, subject_id, data, created_at) VALUES ($1, $2, 'a.b', $2, '{}', now())`,
      organization,
      id
    )
  }
  return ids
})

layer(OwnStoreLive, { excludeTestServices: true })("Upgrades from 0.2.0", (it) => {
  it.effect("keep all secrets, also after a rotation of the master key", () =>
    Effect.gen(function* () {
      const secrets = [
        "second key",
        "headers of the agent",
        "secret of the agent",
        "headers",
        "current",
        "replaced",
        "before"
      ]
      yield* restore020
      yield* Effect.provide(writeSecrets, under(1))
      yield* migrate
      assert.deepStrictEqual(yield* Effect.provide(readSecrets, under(1)), secrets)
      assert.strictEqual(yield* Effect.provide(rotateMasterKey, under(2, 1)), 8)
      assert.deepStrictEqual(yield* Effect.provide(readSecrets, under(2)), secrets)
      const { replaceSecret } = yield* WebhookEndpointRepo
      const next = yield* Effect.map(SecretBox, ({ seal }) =>
        seal(secretPurpose, endpoint, Redacted.make("next"))
      ).pipe(Effect.provide(under(2)))
      yield* replaceSecret(organization, endpoint, next, day(100))
      assert.deepStrictEqual((yield* Effect.provide(readSecrets, under(2))).slice(4), [
        "next",
        "current",
        "replaced",
        "before"
      ])
    })
  )

  it.effect("keep the rows of partitions, before those of months", () =>
    Effect.gen(function* () {
      yield* restore020
      yield* Effect.provide(writeSecrets, under(1))
      const ids = yield* writeEvents
      yield* migrate
      const partitions = query<{ id: string; name: string }>(
        "SELECT id, tableoid::regclass::text AS name FROM events ORDER BY id"
      )
      assert.deepStrictEqual(yield* partitions, [
        { id: ids[0] ?? "", name: "events_default" },
        { id: ids[1] ?? "", name: "events_to_here" },
        { id: ids[2] ?? "", name: "events_before" }
      ])
      assert.deepStrictEqual(yield* names("events"), ["events_to_here", "events_before", partition("events", 1)])
      // The event stays: retention did not delete it.
      assert.strictEqual(yield* update("events", 0, thirtyDays), 1)
      assert.deepStrictEqual(yield* names("events"), ["events_before", partition("events", 1)])
      assert.lengthOf(yield* partitions, 3)
    })
  )
})

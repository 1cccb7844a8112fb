import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  type CreateVoiceAgent,
  type DuplicateVoiceAgent,
  type GivenVoiceWebhook,
  maxAgentNameLength,
  type UpdateVoiceAgent,
  VoiceAgent,
  type VoiceAgentFilters,
  VoiceAgentId,
  voiceAgentEvents
} from "@switchboard/domain/voice/agents/VoiceAgent"
import { DateTime, Effect, Record, Redacted } from "effect"
import { newId } from "../../NewId.js"
import { DestinationGuard } from "../../network/DestinationGuard.js"
import { SecretBox } from "../../SecretBox.js"
import {
  hideHeaders,
  makeWebhookSecret,
  readableHeaders,
  sealHeaders,
  secretPurpose
} from "../../webhooks/delivery/SignedPost.js"
import { type StoredVoiceAgent, type StoredVoiceWebhook, VoiceAgentRepo } from "./VoiceAgentRepo.js"

/** The decrypted webhook secrets that a response may show. */
interface VisibleSecrets {
  readonly headers: Readonly<Record<string, string>>
  /** Present only in the response that created it. */
  readonly secret?: string | undefined
}

/** A new secret in plain text and encrypted. */
interface FreshSecret {
  readonly shown: string
  readonly sealed: Uint8Array
}

const freshSecret = (box: typeof SecretBox.Service, id: VoiceAgentId): Effect.Effect<FreshSecret> =>
  Effect.map(makeWebhookSecret, (secret) => ({
    shown: Redacted.value(secret),
    sealed: box.seal(secretPurpose, id, secret)
  }))

/** The stored form of a requested webhook. */
const storedWebhook = (
  box: typeof SecretBox.Service,
  id: VoiceAgentId,
  { events = voiceAgentEvents, headers, url }: GivenVoiceWebhook,
  secret: Uint8Array
): StoredVoiceWebhook => ({ url, events, headers: sealHeaders(box, id, headers), secret })

/** The wire form of an agent. Fields without a value are omitted. */
const describeVoiceAgent = (
  { description, language, systemPrompt, voiceId, webhook, workflowId, ...stored }: StoredVoiceAgent,
  { headers, secret }: VisibleSecrets
): VoiceAgent =>
  new VoiceAgent(
    {
      ...stored,
      workflowId: workflowId ?? undefined,
      description: description ?? undefined,
      systemPrompt: systemPrompt ?? undefined,
      voiceId: voiceId ?? undefined,
      language: language ?? undefined,
      webhookConfig:
        webhook === null
          ? undefined
          : {
              url: webhook.url,
              headers: Record.isEmptyReadonlyRecord(headers) ? undefined : headers,
              events: webhook.events,
              secret
            }
    },
    { disableValidation: true }
  )

/** Whether the values of headers are shown. */
export interface VoiceAgentView {
  readonly withHeaders: boolean
}

const copySuffix = " (copy)"

/** The error for an agent that does not exist. */
export const agentNotFound = (id: VoiceAgentId) => new ResourceNotFoundError({ resource: "voiceAgent", id })

/** The voice agents of an organization. */
export class VoiceAgents extends Effect.Service<VoiceAgents>()("services/VoiceAgents", {
  effect: Effect.gen(function* () {
    const repo = yield* VoiceAgentRepo
    const guard = yield* DestinationGuard
    const box = yield* SecretBox

    const describe = (agent: StoredVoiceAgent, { withHeaders }: VoiceAgentView, fresh?: FreshSecret) =>
      Effect.map(readableHeaders(box, agent.id, agent.webhook?.headers ?? null), (headers) =>
        describeVoiceAgent(agent, {
          headers: withHeaders ? headers : hideHeaders(headers),
          secret: fresh !== undefined && agent.webhook?.secret === fresh.sealed ? fresh.shown : undefined
        })
      )

    const checkUrl = (url: string | undefined) =>
      url === undefined
        ? Effect.void
        : Effect.mapError(
            guard.checkUrl(url),
            ({ message }) =>
              new ValidationError({
                message: "The request body is invalid",
                fields: { "webhookConfig.url": [message] }
              })
          )

    const found = Effect.fnUntraced(function* (organization: OrganizationId, id: VoiceAgentId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => agentNotFound(id))
    })

    const get = Effect.fn("VoiceAgents.get")(function* (
      organization: OrganizationId,
      id: VoiceAgentId,
      view: VoiceAgentView
    ) {
      return yield* describe(yield* found(organization, id), view)
    })

    const list = Effect.fn("VoiceAgents.list")(function* (
      organization: OrganizationId,
      filters: VoiceAgentFilters,
      request: PageRequest,
      view: VoiceAgentView
    ) {
      const { items, ...rest } = yield* repo.list(organization, filters, request)
      return { ...rest, items: yield* Effect.forEach(items, (agent) => describe(agent, view)) }
    })

    /** Creates an agent. Its webhook's secret is in this response only. */
    const create = Effect.fn("VoiceAgents.create")(function* (
      organization: OrganizationId,
      { webhookConfig, ...request }: CreateVoiceAgent
    ) {
      yield* checkUrl(webhookConfig?.url)
      const { id, now } = yield* newId(VoiceAgentId)
      const fresh = yield* freshSecret(box, id)
      const agent: StoredVoiceAgent = {
        id,
        organizationId: organization,
        workflowId: null,
        name: request.name,
        description: request.description ?? null,
        systemPrompt: request.systemPrompt ?? null,
        voiceId: request.voiceId ?? null,
        language: request.language ?? null,
        transport: request.transport ?? "webrtc",
        webhook: webhookConfig === undefined ? null : storedWebhook(box, id, webhookConfig, fresh.sealed),
        isActive: request.isActive ?? true,
        createdAt: now,
        updatedAt: now
      }
      yield* repo.insert(agent)
      return yield* describe(agent, { withHeaders: true }, fresh)
    })

    /**
     * Changes the given fields. A given webhook is active again if the service disabled it. It keeps its secret; a new webhook
     * gets one, which is in this response only.
     */
    const update = Effect.fn("VoiceAgents.update")(function* (
      organization: OrganizationId,
      id: VoiceAgentId,
      { webhookConfig, ...request }: UpdateVoiceAgent
    ) {
      yield* checkUrl(webhookConfig?.url)
      const now = yield* DateTime.now
      const fresh = yield* freshSecret(box, id)
      const changed = yield* repo.change(organization, id, (before) => ({
        ...before,
        name: request.name ?? before.name,
        description: afterUpdate(request.description, before.description, null),
        systemPrompt: afterUpdate(request.systemPrompt, before.systemPrompt, null),
        voiceId: afterUpdate(request.voiceId, before.voiceId, null),
        language: afterUpdate(request.language, before.language, null),
        transport: afterUpdate(request.transport, before.transport, "webrtc"),
        webhook: afterUpdate(
          webhookConfig && storedWebhook(box, id, webhookConfig, before.webhook?.secret ?? fresh.sealed),
          before.webhook,
          null
        ),
        isActive: afterUpdate(request.isActive, before.isActive, true),
        updatedAt: now
      }))
      return yield* describe(yield* Effect.mapError(changed, () => agentNotFound(id)), { withHeaders: true }, fresh)
    })

    const remove = Effect.fn("VoiceAgents.remove")(function* (organization: OrganizationId, id: VoiceAgentId) {
      if (!(yield* repo.remove(organization, id))) return yield* agentNotFound(id)
    })

    /**
     * Copies the webhook of an agent with its secret, since the receiver is the same. A secret that can't be decrypted is
     * replaced by the new one.
     */
    const copiedWebhook = Effect.fnUntraced(function* (
      of: VoiceAgentId,
      { events, headers: sealed, secret: original, url }: StoredVoiceWebhook,
      copy: VoiceAgentId,
      fresh: FreshSecret
    ) {
      const headers = yield* readableHeaders(box, of, sealed)
      const secret = yield* box.open(secretPurpose, of, original).pipe(
        Effect.map((opened) => box.seal(secretPurpose, copy, opened)),
        Effect.catchTag("SecretUnreadable", () => Effect.succeed(fresh.sealed))
      )
      return storedWebhook(box, copy, { url, events, headers }, secret)
    })

    /** Copies an agent without its workflow, since a workflow has one agent. */
    const duplicate = Effect.fn("VoiceAgents.duplicate")(function* (
      organization: OrganizationId,
      of: VoiceAgentId,
      { name }: DuplicateVoiceAgent
    ) {
      const original = yield* found(organization, of)
      const { id, now } = yield* newId(VoiceAgentId)
      const fresh = yield* freshSecret(box, id)
      const { webhook } = original
      const agent: StoredVoiceAgent = {
        ...original,
        id,
        workflowId: null,
        name: name ?? original.name.slice(0, maxAgentNameLength - copySuffix.length) + copySuffix,
        webhook: webhook === null ? null : yield* copiedWebhook(of, webhook, id, fresh),
        createdAt: now,
        updatedAt: now
      }
      yield* repo.insert(agent)
      return yield* describe(agent, { withHeaders: true }, fresh)
    })

    return { get, list, create, update, remove, duplicate } as const
  })
}) {}

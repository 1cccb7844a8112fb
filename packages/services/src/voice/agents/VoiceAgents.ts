import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { afterUpdate, withUpdate } from "@switchboard/domain/Fields"
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

/** A new secret in plain text and encrypted. */
interface FreshSecret {
  readonly shown: string
  readonly sealed: Uint8Array
}

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

    const freshSecret = (id: VoiceAgentId): Effect.Effect<FreshSecret> =>
      Effect.map(makeWebhookSecret, (secret) => ({
        shown: Redacted.value(secret),
        sealed: box.seal(secretPurpose, id, secret)
      }))

    const storedWebhook = (
      id: VoiceAgentId,
      { events = voiceAgentEvents, headers, url }: GivenVoiceWebhook,
      secret: Uint8Array
    ): StoredVoiceWebhook => ({ url, events, headers: sealHeaders(box, id, headers), secret })

    /** The wire form of an agent. The response that creates a webhook has its secret. */
    const describe = Effect.fnUntraced(function* (
      { webhook, ...agent }: StoredVoiceAgent,
      { withHeaders }: VoiceAgentView,
      fresh?: FreshSecret
    ) {
      if (webhook === null) return new VoiceAgent(agent, { disableValidation: true })
      const { events, secret, url } = webhook
      const opened = yield* readableHeaders(box, agent.id, webhook.headers)
      const headers = withHeaders ? opened : hideHeaders(opened)
      const webhookConfig = {
        ...{ url, events, headers: Record.isEmptyReadonlyRecord(headers) ? undefined : headers },
        secret: secret === fresh?.sealed ? fresh.shown : undefined
      }
      return new VoiceAgent({ ...agent, webhookConfig }, { disableValidation: true })
    })

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
      const fresh = yield* freshSecret(id)
      const agent: StoredVoiceAgent = {
        ...{ ...request, transport: request.transport ?? "webrtc", isActive: request.isActive ?? true },
        ...{ id, organizationId: organization, createdAt: now, updatedAt: now },
        webhook: webhookConfig === undefined ? null : storedWebhook(id, webhookConfig, fresh.sealed)
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
      const fresh = yield* freshSecret(id)
      const changed = yield* repo.change(organization, id, (before) =>
        Effect.succeed({
          ...withUpdate(before, request, { transport: "webrtc", isActive: true }),
          webhook: afterUpdate(
            webhookConfig && storedWebhook(id, webhookConfig, before.webhook?.secret ?? fresh.sealed),
            before.webhook,
            null
          ),
          updatedAt: now
        })
      )
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
      return storedWebhook(copy, { url, events, headers }, secret)
    })

    /** Copies an agent without its workflow, since a workflow has one agent. */
    const duplicate = Effect.fn("VoiceAgents.duplicate")(function* (
      organization: OrganizationId,
      of: VoiceAgentId,
      { name }: DuplicateVoiceAgent
    ) {
      const original = yield* found(organization, of)
      const { id, now } = yield* newId(VoiceAgentId)
      const fresh = yield* freshSecret(id)
      const { webhook } = original
      const agent: StoredVoiceAgent = {
        ...original,
        id,
        workflowId: undefined,
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

import { SqlClient } from "@effect/sql"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { NewEvent } from "@switchboard/services/events/NewEvent"
import { newId } from "@switchboard/services/NewId"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { Effect } from "effect"
import { v7 } from "uuid"

export const options = { excludeTestServices: true } as const

/** The store treats an encrypted secret as any bytes. */
export const secret = Buffer.from("sealed")

/** An endpoint that is not stored yet, by default subscribed to all events. */
export const newEndpoint = (organizationId: OrganizationId, changes: Partial<StoredWebhookEndpoint> = {}) =>
  Effect.map(
    newId(WebhookEndpointId),
    ({ id, now }): StoredWebhookEndpoint => ({
      id,
      organizationId,
      type: "webhook",
      name: "Orders",
      slug: id,
      description: null,
      url: "https://example.com/hooks",
      events: ["*"],
      headers: null,
      filters: {},
      rateLimit: {},
      priority: 0,
      status: "active",
      testMode: false,
      createdAt: now,
      updatedAt: now,
      createdBy: null,
      lastModifiedBy: null,
      ...changes
    })
  )

/** Creates an endpoint. */
export const makeEndpoint = (organizationId: OrganizationId, changes: Partial<StoredWebhookEndpoint> = {}) =>
  Effect.gen(function* () {
    const endpoint = yield* newEndpoint(organizationId, changes)
    yield* Effect.flatMap(WebhookEndpointRepo, ({ insert }) => insert(endpoint, secret))
    return endpoint
  })

/** An event that is not about a message. */
export const newEvent = (organizationId: OrganizationId, type: EventType = "api_key.created") =>
  Effect.map(
    newId(EventId),
    ({ id, now }): NewEvent => ({ id, organizationId, type, subjectId: v7(), data: {}, at: now })
  )

/** Writes events of these types in one statement. */
export const writeEvents = (organizationId: OrganizationId, ...types: ReadonlyArray<EventType>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* Effect.forEach(types, (type) => newEvent(organizationId, type))
    yield* insertEvents(sql, events)
    return events
  })

type EndpointKey = Pick<StoredWebhookEndpoint, "id" | "organizationId">

/** The ids of an endpoint's ready and leased deliveries, oldest first. */
export const queueOf = ({ id, organizationId }: EndpointKey) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly id: string }>`SELECT id FROM webhook_queue
        WHERE organization_id = ${organizationId} AND endpoint_id = ${id} ORDER BY id`,
      (rows) => rows.map((row) => row.id)
    )
  )

/** An endpoint's deliveries, newest first. */
export const deliveriesOf = ({ id, organizationId }: EndpointKey) =>
  Effect.flatMap(WebhookEndpointRepo, ({ deliveries }) =>
    Effect.map(deliveries(organizationId, id, {}, { page: 1, limit: 100 }), ({ items }) => items)
  )

/** The types of the events queued for an endpoint, oldest first. */
export const queuedTypes = (endpoint: StoredWebhookEndpoint) =>
  Effect.map(deliveriesOf(endpoint), (found) => found.map(({ eventType }) => eventType).reverse())

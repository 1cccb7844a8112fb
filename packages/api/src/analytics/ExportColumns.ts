import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { deliveriesOf, type Message } from "@switchboard/domain/messages/Message"
import { DateTime } from "effect"

type Column<Row> = readonly [name: string, cell: (row: Row) => string]

const text = (value: string | null | undefined) => value ?? ""
const time = (at: DateTime.Utc | null) => (at === null ? "" : DateTime.formatIso(at))
const list = (values: ReadonlyArray<string> = []) => values.join(", ")

/** Columns of messages. Append new ones: names and order are stable. */
const ofMessages: ReadonlyArray<Column<Message>> = [
  ["id", ({ id }) => id],
  ["createdAt", ({ createdAt }) => time(createdAt)],
  ["channel", ({ channel }) => channel],
  ["direction", ({ direction }) => direction],
  ["status", ({ status }) => status],
  ["from", ({ content }) => content.from],
  ["to", (message) => list(message.emailMetadata?.to ?? deliveriesOf(message).map(({ recipient }) => recipient))],
  ["cc", ({ emailMetadata }) => list(emailMetadata?.cc)],
  ["bcc", ({ emailMetadata }) => list(emailMetadata?.bcc)],
  ["subject", ({ content }) => ("subject" in content ? content.subject : "")],
  [
    "attachments",
    ({ content }) => list("attachments" in content ? content.attachments.map(({ filename }) => filename) : [])
  ],
  ["templateId", ({ content }) => ("templateId" in content ? text(content.templateId) : "")],
  ["conversationId", ({ conversationId }) => text(conversationId)],
  ["threadId", ({ threadId }) => text(threadId)],
  ["parentMessageId", ({ parentMessageId }) => text(parentMessageId)],
  ["externalId", ({ externalId }) => text(externalId)],
  ["referenceId", ({ referenceId }) => text(referenceId)],
  ["tags", ({ tags }) => list(tags)],
  ["categories", ({ categories }) => list(categories)],
  ["isTest", ({ isTest }) => String(isTest)],
  ["isInternal", ({ isInternal }) => String(isInternal)],
  ["isAutomated", ({ isAutomated }) => String(isAutomated)],
  ["scheduledAt", ({ scheduledAt }) => time(scheduledAt)],
  ["sentAt", ({ sentAt }) => time(sentAt)],
  ["deliveredAt", ({ deliveredAt }) => time(deliveredAt)],
  ["readAt", ({ readAt }) => time(readAt)],
  ["failedAt", ({ failedAt }) => time(failedAt)],
  ["lastError", ({ lastError }) => text(lastError)],
  ["deliveryAttempts", ({ deliveryAttempts }) => String(deliveryAttempts)],
  ["retryCount", ({ retryCount }) => String(retryCount)],
  ["cost", ({ cost }) => cost],
  ["currency", ({ currency }) => currency],
  ["provider", ({ provider }) => text(provider)],
  ["providerMessageId", ({ providerMessageId }) => text(providerMessageId)],
  ["apiKeyId", ({ apiKeyId }) => text(apiKeyId)],
  ["updatedAt", ({ updatedAt }) => time(updatedAt)]
]

/** Columns of events: the envelope of webhooks, with `data` as JSON. */
const ofEvents: ReadonlyArray<Column<EncodedEvent>> = [
  ["id", ({ id }) => id],
  ["type", ({ type }) => type],
  ["timestamp", ({ timestamp }) => timestamp],
  ["organizationId", ({ organizationId }) => organizationId],
  ["data", ({ data }) => JSON.stringify(data)]
]

export const messageColumns = ofMessages.map(([name]) => name)
export const messageCells = (message: Message) => ofMessages.map(([, cell]) => cell(message))

export const eventColumns = ofEvents.map(([name]) => name)
export const eventCells = (event: EncodedEvent) => ofEvents.map(([, cell]) => cell(event))

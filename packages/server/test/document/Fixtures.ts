import { Effect, Predicate } from "effect"
import type { Answer, Texts } from "./Ask.js"
import type { IdPlace } from "./IdPlaces.js"
import type { Operation } from "./Operations.js"
import { letter, type Stock, Unmade } from "./Stock.js"

/*
 * How the walk over the document gets what operations are about. A new operation on what is here already needs nothing.
 * One on something new needs its line: without it the walk fails, and says which.
 */

/**
 * By the path as far as its last parameter, or by the operation where that is not enough: the ids of its parameters, of
 * things that belong together.
 */
const subjects: Readonly<Record<string, (stock: Stock) => Effect.Effect<Texts, Unmade>>> = {
  "/v1/messages/{id}": ({ message }) => Effect.map(message, (id) => ({ id })),
  "/v1/mailbox/{id}": ({ mail }) => Effect.map(mail, (id) => ({ id })),
  "/v1/api-keys/{id}": ({ apiKey }) => Effect.map(apiKey, (id) => ({ id })),
  "/v1/email/blocks/{id}": ({ block }) => Effect.map(block, (id) => ({ id })),
  "/v1/email/domains/{id}": ({ domain }) => Effect.map(domain, (id) => ({ id })),
  "/v1/email/forwarding/rules/{id}": ({ forwardingRule }) => Effect.map(forwardingRule, (id) => ({ id })),
  "/v1/email/senders/{id}": ({ sender }) => Effect.map(sender, ({ id }) => ({ id })),
  "/v1/email/templates/{id}": ({ template }) => Effect.map(template, (id) => ({ id })),
  "/v1/email/threads/{id}": ({ thread }) => Effect.map(thread, ({ id }) => ({ id })),
  "/v1/email/threads/by-message/{messageId}": ({ thread }) => Effect.map(thread, ({ messageId }) => ({ messageId })),
  "/v1/email/{id}": ({ message }) => Effect.map(message, (id) => ({ id })),
  "/v1/conversations/{id}": ({ conversation }) => Effect.map(conversation, (id) => ({ id })),
  "/v1/participants/{id}": ({ participant }) => Effect.map(participant, (id) => ({ id })),
  "/v1/voice/agents/{id}": ({ voiceAgent }) => Effect.map(voiceAgent, (id) => ({ id })),
  "/v1/voice/workflows/{id}": ({ voiceWorkflow }) => Effect.map(voiceWorkflow, (id) => ({ id })),
  "/v1/voice/workflows/{workflowId}/link/{agentId}": ({ voiceAgent, voiceWorkflow }) =>
    Effect.all({ workflowId: voiceWorkflow, agentId: voiceAgent }),
  "/v1/voice/calls/{id}": ({ voiceCall }) => Effect.map(voiceCall, ({ id }) => ({ id })),
  "voiceCalls.startRecording": ({ unrecordedCall }) => Effect.map(unrecordedCall, (id) => ({ id })),
  "/v1/voice/knowledge-bases/{id}": ({ knowledgeBase }) => Effect.map(knowledgeBase, (id) => ({ id })),
  "/v1/voice/knowledge-bases/{knowledgeBaseId}": ({ knowledgeBase }) =>
    Effect.map(knowledgeBase, (knowledgeBaseId) => ({ knowledgeBaseId })),
  "/v1/drafts/{id}": ({ draft }) => Effect.map(draft, (id) => ({ id })),
  "/v1/whatsapp/service-windows/{id}": ({ serviceWindow }) => Effect.map(serviceWindow, (id) => ({ id })),
  "/v1/uploads/{token}": ({ upload }) => Effect.map(upload, ({ token }) => ({ token })),
  "/v1/objects/{token}": ({ download }) => Effect.map(download, (token) => ({ token })),
  "/v1/webhook-endpoints/{id}": ({ endpoint }) => Effect.map(endpoint, (id) => ({ id })),
  "/v1/webhook-endpoints/{webhookId}": ({ endpoint }) => Effect.map(endpoint, (webhookId) => ({ webhookId })),
  "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}": ({ delivery }) => delivery
}

/** By the name of a parameter or of a field, or by `operation name` where that is not enough. */
const references: Readonly<Record<string, (stock: Stock) => Effect.Effect<string, Unmade>>> = {
  participantId: ({ contact }) => contact,
  contactId: ({ contact }) => contact,
  serviceWindowId: ({ serviceWindow }) => serviceWindow,
  "serviceWindows.list participantId": ({ contact, serviceWindow }) => Effect.zipRight(serviceWindow, contact),
  templateId: ({ template }) => template,
  attachmentIds: ({ attachment }) => attachment,
  inReplyToMessageId: ({ message }) => message,
  domain: ({ ownDomain }) => ownDomain,
  domainId: ({ domain, sender }) => Effect.zipRight(sender, domain),
  from: ({ ownDomain }) => Effect.map(ownDomain, (domain) => `anyone@${domain}`),
  voiceAgentId: ({ voiceAgent, voiceWorkflow }) => Effect.zipRight(voiceWorkflow, voiceAgent),
  "voiceCalls.list voiceAgentId": ({ voiceCall }) => Effect.map(voiceCall, ({ agentId }) => agentId),
  webhookId: ({ endpoint }) => endpoint,
  lastEventId: ({ event }) => event,
  "last-event-id": ({ event }) => event,
  conversationId: ({ conversation }) => conversation,
  parentConversationId: ({ parentConversation }) => parentConversation,
  participantIds: ({ participant }) => participant,
  "conversations.addParticipants id": ({ conversation }) => conversation,
  "conversations.removeParticipants id": ({ conversation }) => conversation
}

/** Called ids, but the caller's own words: nothing of anybody is looked up by them. */
const freeTexts = new Set([
  "externalId",
  "referenceId",
  "contentId",
  "voiceId",
  "whatsappId",
  "voiceCalls.place from",
  "voiceWorkflows.create id",
  "voiceWorkflows.update id",
  "blocks.create domain",
  "domains.create domain",
  "domains.detectRegistrar domain",
  "mailbox.reply from"
])

/** Fields that stand alone in their object. */
const alone = new Set(["contactId"])

/** Where an unknown id in a query or header is no filter that finds nothing, but a malformed parameter (400). */
const refusedParameters = new Set(["lastEventId", "last-event-id"])

/** Where what the operation is about is named in its query: one that is unknown is not found, as in a path. */
const subjectParameters = new Set(["catchAll.config domain", "catchAll.stats domain"])

/** Bodies of operations whose example in the document can't be sent as it is: it names what only the example has. */
const bodies: Readonly<Record<string, (stock: Stock) => Effect.Effect<unknown, Unmade>>> = {
  "messages.send": ({ name }) => Effect.succeed(letter(`A letter of ${name}`)),
  "messages.batch": ({ name }) => Effect.succeed({ messages: [letter(`One of many of ${name}`)] }),
  "email.send": ({ name }) =>
    Effect.succeed({ to: "ada@example.com", subject: `A letter of ${name}`, html: "<p>Hello</p>" }),
  "sessions.create": ({ key }) => Effect.succeed({ apiKey: key }),
  "conversations.create": ({ name }) => Effect.succeed({ title: name, channels: ["email"] }),
  "conversations.addParticipants": ({ conversation, participant }) =>
    Effect.map(Effect.all([conversation, participant]), ([id, one]) => ({ id, participantIds: [one] })),
  "conversations.removeParticipants": ({ participant }) => Effect.map(participant, (id) => ({ participantIds: [id] })),
  "domains.create": ({ label }) => Effect.succeed({ domain: `new-${label}.test` }),
  "domains.verify": ({ ownDomain }) => Effect.map(ownDomain, (domain) => ({ domain })),
  "domains.checkVerification": ({ ownDomain }) => Effect.map(ownDomain, (domain) => ({ domain })),
  "receiving.enable": ({ ownDomain }) => Effect.map(ownDomain, (domain) => ({ domain, addresses: ["support"] })),
  "catchAll.enable": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "catchAll.disable": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "catchAll.update": ({ receivingDomain }) =>
    Effect.map(receivingDomain, (domain) => ({ domain, exclude: ["no-reply"] })),
  "senders.create": ({ label, ownDomain }) =>
    Effect.map(ownDomain, (domain) => ({ email: `new-${label}@${domain}`, name: "New" })),
  "voiceCalls.place": ({ voiceAgent }) =>
    Effect.map(voiceAgent, (voiceAgentId) => ({ voiceAgentId, to: "+442079460018", sandbox: { speed: 100 } })),
  "serviceWindows.open": ({ contact }) => Effect.map(contact, (participantId) => ({ participantId })),
  "serviceWindows.activate": ({ serviceWindow }) =>
    Effect.map(serviceWindow, (serviceWindowId) => ({ serviceWindowId, source: "ads" })),
  "blocks.import": () => Effect.succeed("email\nimported@example.com\n"),
  "uploads.put": ({ uploaded }) => Effect.succeed(uploaded),
  "webhookEndpoints.create": ({ hook, name }) => Effect.succeed({ name, url: hook, events: ["call.started"] }),
  "webhookEndpoints.regenerateSecret": () => Effect.succeed({}),
  "webhookEndpoints.recover": () => Effect.succeed({ since: new Date(Date.now() - 3_600_000).toISOString() })
}

/** What operations ask for in their query, where the example of the document's parameter is not enough. */
const queries: Readonly<Record<string, (stock: Stock) => Effect.Effect<Texts, Unmade>>> = {
  "senderConfirmations.look": ({ sender }) => Effect.map(sender, ({ token }) => ({ token })),
  "senderConfirmations.confirm": ({ sender }) => Effect.map(sender, ({ token }) => ({ token })),
  "unsubscribe.look": ({ newsletter }) => Effect.map(newsletter, ({ unsubscribe: token }) => ({ token })),
  "unsubscribe.confirm": ({ newsletter }) => Effect.map(newsletter, ({ unsubscribe: token }) => ({ token })),
  "opens.record": ({ newsletter }) => Effect.map(newsletter, ({ open: token }) => ({ token })),
  "catchAll.config": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "catchAll.stats": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "blocks.check": ({ block, blockedAddress }) => Effect.as(block, { email: blockedAddress })
}

/** Operations that only look, though they are asked by POST: their permission may be to read. */
export const lookByPost: ReadonlySet<string> = new Set([
  "POST /v1/email/domains/check-verification",
  "POST /v1/email/templates/{id}/render"
])

/** Operations that judge each part of the request by itself: where the judgement is. */
const judgements: Readonly<Record<string, RegExp>> = { "messages.batch": /"results":\[\{"status":(\d+)/ }

/** The ids that an operation's path needs, of one organization. */
export const idsFor = ({ id, subject }: Operation, stock: Stock): Effect.Effect<Texts, Unmade> => {
  if (subject === "") return Effect.succeed({})
  const subjectOf = subjects[id] ?? subjects[subject]
  return subjectOf === undefined
    ? new Unmade({ message: `${id}: say in Fixtures.ts how an organization makes what ${subject} is about` })
    : subjectOf(stock)
}

const referenceAt = ({ id }: Operation, { name }: IdPlace) => references[`${id} ${name}`] ?? references[name]

/** What an operation can have in a place, of one organization. */
export const idFor = (operation: Operation, place: IdPlace, stock: Stock): Effect.Effect<string, Unmade> => {
  const reference = referenceAt(operation, place)
  if (reference === undefined) {
    return new Unmade({
      message: `${operation.id}: say in Fixtures.ts how an organization makes a ${place.name} (${place.in}), or that it is free text`
    })
  }
  return reference(stock)
}

/** The places of an operation beside its path. */
export const referencesOf = ({ id, places }: Operation) =>
  places.filter((place) => place.in !== "path" && !freeTexts.has(place.name) && !freeTexts.has(`${id} ${place.name}`))

/** A body that the operation takes. */
export const bodyFor = ({ body, id }: Operation, stock: Stock): Effect.Effect<unknown, Unmade> =>
  bodies[id]?.(stock) ?? Effect.succeed(body?.example)

/** What the operation must have in its query. */
export const queryFor = ({ id, parameters }: Operation, stock: Stock): Effect.Effect<Texts, Unmade> => {
  const query = queries[id]?.(stock)
  if (query !== undefined) return query
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  return Effect.map(
    Effect.forEach(needed, ({ examples, name }) =>
      Predicate.isString(examples[0])
        ? Effect.succeed([name, examples[0]] as const)
        : new Unmade({ message: `${id}: say in Fixtures.ts what its parameter ${name} can be` })
    ),
    Object.fromEntries<string>
  )
}

/** Whether nothing may stand beside a field. */
export const standsAlone = ({ name }: IdPlace) => alone.has(name)

/** Whether an id that is unknown in a query or header is refused. */
export const isRefused = ({ name }: IdPlace) => refusedParameters.has(name)

/** Whether a place of the query names what the operation is about. */
export const isSubject = ({ id }: Operation, { name }: IdPlace) => subjectParameters.has(`${id} ${name}`)

/** The status that was given to the part of the request that was tried. */
export const judged = ({ id }: Operation, { status, text }: Answer): number =>
  Number(judgements[id]?.exec(text)?.[1] ?? status)

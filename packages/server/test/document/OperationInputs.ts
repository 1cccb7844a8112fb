import { Effect, Predicate } from "effect"
import { emailRequest, type Fixtures, MissingFixture } from "./Fixtures.js"
import type { IdPlace } from "./IdPlaces.js"
import type { Operation } from "./Operations.js"
import type { TestResponse, Texts } from "./TestClient.js"

/*
 * The inputs of each operation of the document. A new operation on existing resources needs no entry. One on a new
 * resource needs an entry here: without it the test fails and names the missing entry.
 */

/** The path parameters, by the path up to its last parameter, or by operation id where that is ambiguous. */
const subjects: Readonly<Record<string, (fixtures: Fixtures) => Effect.Effect<Texts, MissingFixture>>> = {
  "/v1/messages/{id}": ({ message }) => Effect.map(message, (id) => ({ id })),
  "/v1/mailbox/{id}": ({ mail }) => Effect.map(mail, (id) => ({ id })),
  "/v1/handset/{id}": ({ handsetText }) => Effect.map(handsetText, (id) => ({ id })),
  // Its recipient gets no other mail: a bounce blocks the address.
  "mailbox.simulate": ({ newsletter }) => Effect.map(newsletter, ({ mail }) => ({ id: mail })),
  "/v1/api-keys/{id}": ({ apiKey }) => Effect.map(apiKey, (id) => ({ id })),
  "/v1/users/{id}": ({ user }) => Effect.map(user, (id) => ({ id })),
  "/v1/users/invitations/{id}": ({ invitation }) => Effect.map(invitation, (id) => ({ id })),
  "/v1/email/blocks/{id}": ({ block }) => Effect.map(block, (id) => ({ id })),
  "/v1/email/domains/{id}": ({ domain }) => Effect.map(domain, (id) => ({ id })),
  "/v1/email/forwarding/rules/{id}": ({ forwardingRule }) => Effect.map(forwardingRule, (id) => ({ id })),
  "/v1/email/senders/{id}": ({ sender }) => Effect.map(sender, ({ id }) => ({ id })),
  "/v1/email/templates/{id}": ({ template }) => Effect.map(template, (id) => ({ id })),
  "domains.resume": ({ pausedDomain }) => Effect.map(pausedDomain, (id) => ({ id })),
  "/v1/email/threads/{id}": ({ thread }) => Effect.map(thread, ({ id }) => ({ id })),
  "/v1/email/threads/by-message/{messageId}": ({ thread }) => Effect.map(thread, ({ messageId }) => ({ messageId })),
  "/v1/email/{id}": ({ message }) => Effect.map(message, (id) => ({ id })),
  "/v1/sms/opt-outs/{id}": ({ optOut }) => Effect.map(optOut, (id) => ({ id })),
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
  "/v1/attachments/{id}": ({ attachment }) => Effect.map(attachment, (id) => ({ id })),
  "/v1/drafts/{id}": ({ draft }) => Effect.map(draft, (id) => ({ id })),
  "/v1/whatsapp/service-windows/{id}": ({ serviceWindow }) => Effect.map(serviceWindow, (id) => ({ id })),
  "/v1/uploads/{token}": ({ upload }) => Effect.map(upload, ({ token }) => ({ token })),
  "/v1/email/click/{token}": ({ newsletter }) => Effect.map(newsletter, ({ click: token }) => ({ token })),
  "/v1/objects/{token}": ({ download }) => Effect.map(download, (token) => ({ token })),
  "/v1/webhook-endpoints/{id}": ({ endpoint }) => Effect.map(endpoint, (id) => ({ id })),
  "/v1/webhook-endpoints/{webhookId}": ({ endpoint }) => Effect.map(endpoint, (webhookId) => ({ webhookId })),
  "webhookEndpoints.logs": ({ delivery }) => Effect.map(delivery, ({ id }) => ({ id })),
  "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}": ({ delivery }) =>
    Effect.map(delivery, ({ deliveryId, id }) => ({ id, deliveryId }))
}

/** Ids by the name of a parameter or field, or by `operation name` where that is ambiguous. */
const references: Readonly<Record<string, (fixtures: Fixtures) => Effect.Effect<string, MissingFixture>>> = {
  participantId: ({ contact }) => contact,
  contactId: ({ contact }) => contact,
  serviceWindowId: ({ serviceWindow }) => serviceWindow,
  "serviceWindows.list participantId": ({ contact, serviceWindow }) => Effect.zipRight(serviceWindow, contact),
  templateId: ({ template }) => template,
  attachmentId: ({ attachment }) => attachment,
  attachmentIds: ({ attachment }) => attachment,
  inReplyToMessageId: ({ message }) => message,
  "mailbox.list messageId": ({ newsletter }) => Effect.map(newsletter, ({ message }) => message),
  "webhookEndpoints.logs messageId": ({ delivery }) => Effect.map(delivery, ({ messageId }) => messageId),
  domain: ({ ownDomain }) => ownDomain,
  domainId: ({ domain, sender }) => Effect.zipRight(sender, domain),
  from: ({ ownDomain }) => Effect.map(ownDomain, (domain) => `anyone@${domain}`),
  "sms.from": ({ number }) => number,
  "sms.templateId": ({ smsTemplate }) => smsTemplate,
  "whatsapp.templateId": ({ whatsappTemplate }) => whatsappTemplate,
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

/** Fields with the name of an id that are free text: no resource is looked up by them. */
const freeTexts = new Set([
  "externalId",
  "referenceId",
  "actorId",
  "resourceId",
  "contentId",
  "voiceId",
  "whatsappId",
  "voiceCalls.place from",
  "voiceCalls.simulate from",
  "voiceWorkflows.create id",
  "voiceWorkflows.update id",
  "blocks.create domain",
  "domains.create domain",
  "domains.detectRegistrar domain",
  "mailbox.reply from"
])

/** Fields that exclude all other fields of their object. */
const exclusiveFields = new Set(["contactId"])

/** Parameters whose unknown ids get 400, instead of an empty list. */
const refusedParameters = new Set(["lastEventId", "last-event-id"])

/** Query parameters that select the resource, like a path parameter: unknown ids get 404. */
const subjectParameters = new Set(["catchAll.config domain", "catchAll.stats domain"])

/** Bodies of operations whose example in the document refers to resources that exist only there. */
const bodies: Readonly<Record<string, (fixtures: Fixtures) => Effect.Effect<unknown, MissingFixture>>> = {
  "messages.send": ({ name }) => Effect.succeed(emailRequest(`A message of ${name}`)),
  "messages.batch": ({ name }) => Effect.succeed({ messages: [emailRequest(`A batch message of ${name}`)] }),
  "email.send": ({ name }) =>
    Effect.succeed({ to: "ada@example.com", subject: `A message of ${name}`, html: "<p>Hello</p>" }),
  "sessions.create": ({ key }) => Effect.succeed({ apiKey: key }),
  "users.acceptInvitation": ({ invitationToken }) =>
    Effect.map(invitationToken, (token) => ({ token, name: "Ada", password: "correct horse battery" })),
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
    Effect.map(voiceAgent, (voiceAgentId) => ({ voiceAgentId, to: "+442079460118", sandbox: { speed: 100 } })),
  "voiceCalls.simulate": ({ number, voiceAgent }) =>
    Effect.map(Effect.zipRight(voiceAgent, number), (to) => ({ from: "+442079460118", to, sandbox: { speed: 100 } })),
  "serviceWindows.open": ({ contact }) => Effect.map(contact, (participantId) => ({ participantId })),
  "serviceWindows.activate": ({ serviceWindow }) =>
    Effect.map(serviceWindow, (serviceWindowId) => ({ serviceWindowId, source: "ads" })),
  "optOuts.create": ({ newPhone, number }) => Effect.all({ number, phone: newPhone }),
  "blocks.import": () => Effect.succeed("email\nimported@example.com\n"),
  "uploads.put": ({ uploaded }) => Effect.succeed(uploaded),
  "webhookEndpoints.create": ({ hook, name }) => Effect.succeed({ name, url: hook, events: ["call.started"] }),
  "webhookEndpoints.regenerateSecret": () => Effect.succeed({}),
  "webhookEndpoints.recover": () => Effect.succeed({ since: new Date(Date.now() - 3_600_000).toISOString() })
}

/** Query parameters, where the example of the document is not enough. */
const queries: Readonly<Record<string, (fixtures: Fixtures) => Effect.Effect<Texts, MissingFixture>>> = {
  "senderConfirmations.look": ({ sender }) => Effect.map(sender, ({ token }) => ({ token })),
  "senderConfirmations.confirm": ({ sender }) => Effect.map(sender, ({ token }) => ({ token })),
  "unsubscribe.look": ({ newsletter }) => Effect.map(newsletter, ({ unsubscribe: token }) => ({ token })),
  "unsubscribe.confirm": ({ newsletter }) => Effect.map(newsletter, ({ unsubscribe: token }) => ({ token })),
  "opens.record": ({ newsletter }) => Effect.map(newsletter, ({ open: token }) => ({ token })),
  "catchAll.config": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "catchAll.stats": ({ receivingDomain }) => Effect.map(receivingDomain, (domain) => ({ domain })),
  "blocks.check": ({ block, blockedAddress }) => Effect.as(block, { email: blockedAddress })
}

/** Requests that need a provider: callbacks that only it can sign get 401, and without the provider all get 404. */
const callbacks = new Set([
  "oidc.begin",
  "oidc.finish",
  "providers.confirmWhatsApp",
  "providers.twilio",
  "providers.whatsapp"
])

/** Operations for the session of a user: the session of an API key gets 403. */
const userOperations = new Set([
  "sessions.changePassword",
  "sessions.beginTotp",
  "sessions.confirmTotp",
  "sessions.removeTotp"
])

/** POST operations that change nothing, and so require a read permission. */
export const readOnlyPosts: ReadonlySet<string> = new Set([
  "POST /v1/email/domains/check-verification",
  "POST /v1/email/templates/{id}/render"
])

/** Operations with a status per item: a pattern of the first one. */
const itemStatuses: Readonly<Record<string, RegExp>> = { "messages.batch": /"results":\[\{"status":(\d+)/ }

/** The path parameters of an operation, with ids of one organization. */
export const idsFor = ({ id, subject }: Operation, fixtures: Fixtures): Effect.Effect<Texts, MissingFixture> => {
  if (subject === "") return Effect.succeed({})
  const subjectOf = subjects[id] ?? subjects[subject]
  return subjectOf === undefined
    ? new MissingFixture({ message: `${id}: add the resource of ${subject} to OperationInputs.ts` })
    : subjectOf(fixtures)
}

const referenceAt = ({ id }: Operation, { at, name }: IdPlace) =>
  references[`${id} ${name}`] ?? references[at.slice(-2).join(".")] ?? references[name]

/** An id of one organization for a place of an operation. */
export const idFor = (
  operation: Operation,
  place: IdPlace,
  fixtures: Fixtures
): Effect.Effect<string, MissingFixture> => {
  const reference = referenceAt(operation, place)
  if (reference === undefined) {
    return new MissingFixture({
      message: `${operation.id}: add ${place.name} (${place.in}) to OperationInputs.ts, as a reference or as free text`
    })
  }
  return reference(fixtures)
}

/** The places of an operation outside its path. */
export const referencesOf = ({ id, places }: Operation) =>
  places.filter((place) => place.in !== "path" && !freeTexts.has(place.name) && !freeTexts.has(`${id} ${place.name}`))

/** A valid body of the operation. */
export const bodyFor = ({ body, id }: Operation, fixtures: Fixtures): Effect.Effect<unknown, MissingFixture> =>
  bodies[id]?.(fixtures) ?? Effect.succeed(body?.example)

/** The required query parameters of the operation. */
export const queryFor = ({ id, parameters }: Operation, fixtures: Fixtures): Effect.Effect<Texts, MissingFixture> => {
  const query = queries[id]?.(fixtures)
  if (query !== undefined) return query
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  return Effect.map(
    Effect.forEach(needed, ({ examples, name }) =>
      Predicate.isString(examples[0])
        ? Effect.succeed([name, examples[0]] as const)
        : new MissingFixture({ message: `${id}: add its parameter ${name} to OperationInputs.ts` })
    ),
    Object.fromEntries<string>
  )
}

/** Whether the operation is a callback of a provider. */
export const isCallback = ({ id }: Pick<Operation, "id">) => callbacks.has(id)

/** Whether the operation is for the session of a user. */
export const isForUsers = ({ id }: Pick<Operation, "id">) => userOperations.has(id)

/** Whether an operation takes a token that only a mail has. */
export const isForMailedToken = ({ id }: Pick<Operation, "id">) => id === "users.confirmReset"

/** Whether a field excludes all other fields of its object. */
export const isExclusive = ({ name }: IdPlace) => exclusiveFields.has(name)

/** Whether an unknown id in a query or header gets 400. */
export const isRefused = ({ name }: IdPlace) => refusedParameters.has(name)

/** Whether a query parameter selects the resource of the operation. */
export const isSubject = ({ id }: Operation, { name }: IdPlace) => subjectParameters.has(`${id} ${name}`)

/** The status of the request, or of its first item. */
export const statusOf = ({ id }: Operation, { status, text }: TestResponse): number =>
  Number(itemStatuses[id]?.exec(text)?.[1] ?? status)

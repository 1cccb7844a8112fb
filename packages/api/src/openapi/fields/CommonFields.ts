/** Descriptions of fields, by the name of their schema and their own name. */
export type FieldsBySchema = Readonly<Record<string, Readonly<Record<string, string>>>>

const auditFilters = {
  actorId: "Id of the user or the API key that made the change.",
  operation: "Id of the operation in this document, like `apiKeys.create`.",
  resource: "Kind of the resource: the first part of `operation`.",
  resourceId: "Id of the changed resource.",
  since: "Start of the range, inclusive.",
  until: "End of the range, exclusive."
}

/** Fields of the filters of lists, by operation id. */
export const filterFields: FieldsBySchema = {
  "apiKeys.list": {
    isActive: "Whether the key is active.",
    search: "Part of the name, the description or the start of the key."
  },
  "audit.list": auditFilters,
  "audit.export": auditFilters,
  "blocks.list": { reason: "Reason of the block.", search: "Part of the address or the domain." },
  "conversations.list": {
    priority: "Priority, 0 to 4. 2 is normal.",
    search: "Part of the title or the description.",
    tag: "A tag of the conversation."
  },
  "domains.list": { search: "Part of the name." },
  "drafts.list": { search: "Part of the title, the subject or the recipients." },
  "forwarding.list": { search: "Part of the name." },
  "knowledgeBases.list": { search: "Part of the name or the description." },
  "optOuts.list": { number: "Number or sender id of the organization.", phone: "Phone that opted out (E.164)." },
  "participants.list": { search: "Part of a name or an address.", type: "Type of the participant." },
  "senders.list": {
    isActive: "Whether the sender is active.",
    search: "Part of the address or the name.",
    verificationStatus: "State of the verification."
  },
  "templates.list": { channel: "Channel of the templates.", search: "Part of the name." },
  "threads.list": { search: "Part of the subject." },
  "users.list": { roleName: "Role of the user.", search: "Part of the name or the address." },
  "voiceAgents.list": {
    isActive: "Whether the agent is active.",
    search: "Part of the name or the description.",
    transport: "Transport of the calls."
  },
  "voiceWorkflows.list": {
    isEnabled: "Whether the workflow is enabled.",
    search: "Part of the name or the description."
  },
  "webhookEndpoints.list": { search: "Part of the name, the description or the URL." },
  "webhookEndpoints.logs": { event: "Type of the event." }
}

/** Descriptions of fields that mean the same in every schema, by name. */
export const commonFields: Readonly<Record<string, string>> = {
  _tag: "Name of the error. Clients branch on it.",
  address: "E-mail address.",
  answers:
    "Replies of the simulated person, in order, at most 100. An empty text is silence, and `!` before a text lets it interrupt the prompt. Default: none.",
  categories: "Categories for filters and for blocks by category.",
  channel: "Channel of the message.",
  contentType: "Media type of the file.",
  conversationId: "Id of the conversation.",
  country: "Country code (ISO 3166-1 alpha-2).",
  createdAt: "Time of creation (UTC).",
  createdBy: "Id of the API key that created it.",
  description: "Free text, shown to people only.",
  direction: "`outbound`: sent by the organization. `inbound`: received.",
  displayName: "Name shown to people instead of `name`.",
  externalId: "Id of the resource in the caller's own system.",
  filename: "Name of the file, without folders.",
  html: "HTML part.",
  id: "Id of the resource (UUID version 7).",
  isInternal: "Whether it is internal to the organization. Set by the caller; it has no effect on delivery.",
  isTest: "Whether it is a test. Test messages are not counted against the plan.",
  items: "Items of this page, newest first unless stated otherwise.",
  lastUsedAt: "Time of the last use (UTC). It may lag by up to a minute.",
  message: "Explanation for people.",
  messageId: "Id of the message.",
  metadata: "Free JSON object of the caller, at most 8192 bytes.",
  name: "Name shown to people.",
  organizationId: "Id of the organization.",
  pagination: "Position of the page in the list.",
  participantId: "Id of the participant.",
  participantIds: "Ids of participants. Repeated ids count once.",
  referenceId: "Second id of the caller's own system, for example of an order.",
  region: "Region or state within the country.",
  retryAfterSeconds: "Seconds to wait before the next attempt.",
  size: "Size in bytes.",
  speed: "Simulated seconds per second of the clock, 1 to 100. Default: 5.",
  status: "Current status.",
  subject: "Subject line.",
  success: "`true` if the operation took effect.",
  tags: "Labels for filters.",
  text: "Plain-text part.",
  templateData: "Values for the variables of the template, by name.",
  templateId: "Id of the template.",
  timestamp: "Time of the entry (UTC).",
  title: "Title shown to people.",
  updatedAt: "Time of the last change (UTC).",
  voiceAgentId: "Id of the voice agent."
}

import type { FieldsBySchema } from "./FieldsBySchema.js"

/** Fields of the filters of lists, by operation id. */
export const filterFields: FieldsBySchema = {
  "apiKeys.list": {
    isActive: "Whether the key is active.",
    search: "Part of the name, the description or the start of the key."
  },
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
  "participants.list": { search: "Part of a name or an address.", type: "Type of the participant." },
  "senders.list": {
    isActive: "Whether the sender is active.",
    search: "Part of the address or the name.",
    verificationStatus: "State of the verification."
  },
  "templates.list": { search: "Part of the name." },
  "threads.list": { search: "Part of the subject." },
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

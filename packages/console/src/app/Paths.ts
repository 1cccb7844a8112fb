import { type PathParams, pathWith } from "./PathPattern.js"
import { urlOf } from "./Urls.js"

/** The paths of the views: apart from the views, so that views can link to each other. */
export const paths = {
  messages: "/messages",
  message: "/messages/:id",
  send: "/send",
  mailbox: "/mailbox",
  mail: "/mailbox/:id",
  threads: "/threads",
  thread: "/threads/:id",
  conversations: "/conversations",
  conversation: "/conversations/:id",
  contacts: "/contacts",
  contact: "/contacts/:id",
  drafts: "/drafts",
  draft: "/drafts/:id",
  domains: "/domains",
  domain: "/domains/:id",
  senders: "/senders",
  forwarding: "/forwarding",
  forwardingLog: "/forwarding/log",
  blocks: "/blocks",
  blockLog: "/blocks/log",
  templates: "/templates",
  template: "/templates/:id",
  templateEditor: "/templates/:id/edit",
  webhooks: "/webhooks",
  webhook: "/webhooks/:id",
  keys: "/api-keys",
  key: "/api-keys/:id",
  calls: "/voice/calls",
  call: "/voice/calls/:id",
  agents: "/voice/agents",
  agent: "/voice/agents/:id",
  workflows: "/voice/workflows",
  workflow: "/voice/workflows/:id",
  organization: "/organization",
  analytics: "/analytics",
  system: "/system"
} as const

/** The URL of a view: `linkTo(paths.message, { id })`. */
export const linkTo = <Path extends string>(
  path: Path,
  params: PathParams<Path>,
  query?: Readonly<Record<string, string | undefined>>
): string => urlOf(pathWith(path, params), query)

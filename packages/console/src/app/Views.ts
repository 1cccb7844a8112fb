import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import type { JSX } from "preact"
import type { IconName } from "../components/Icon.js"
import { type PathParams, paths } from "./Paths.js"
import { can } from "./SessionState.js"

/** The component of a view, with the parameters of its path. A method's type, so that views of all paths have one type. */
type ViewComponent<Path extends string> = { show(params: PathParams<Path>): JSX.Element | null }["show"]

/** The groups of the navigation, in their order. */
export const navigationGroups = [
  "Messages",
  "E-mail",
  "SMS and WhatsApp",
  "Organization",
  "Operation",
  "Voice"
] as const

/** The entry of a view in the navigation. */
interface NavigationEntry {
  readonly group: (typeof navigationGroups)[number]
  readonly label: string
  readonly icon: IconName
}

/** A view of the console. */
export interface View {
  /** The path with its parameters: `/messages/:id`. */
  readonly path: string
  /** The permission without which the view is neither linked nor shown. */
  readonly permission: Permission
  /** Loads the component, when the view is first shown. */
  readonly load: () => Promise<ViewComponent<string>>
  readonly navigation?: NavigationEntry
}

/** Declares a view: the module of its component, the component's name, and the group, label and icon of its entry. */
const view = <Path extends string, Name extends string>(
  path: Path,
  permission: Permission,
  load: () => Promise<Readonly<Record<NoInfer<Name>, ViewComponent<Path>>>>,
  name: Name,
  ...[group, label, icon]: [] | [NavigationEntry["group"], string, IconName]
): View => ({
  path,
  permission,
  load: async () => (await load())[name],
  ...(group === undefined || label === undefined || icon === undefined ? {} : { navigation: { group, label, icon } })
})

/** All views, in the order of the navigation. */
// biome-ignore format: a line for each view.
export const views: ReadonlyArray<View> = [
  view(paths.messages, "messages.read", () => import("../views/Messages.js"), "MessagesView", "Messages", "Messages", "mail"),
  view(paths.message, "messages.read", () => import("../views/Message.js"), "MessageView"),
  view(paths.send, "messages.send", () => import("../views/Send.js"), "SendView", "Messages", "Send", "send"),
  view(paths.mailbox, "messages.read", () => import("../views/Mailbox.js"), "MailboxView", "Messages", "Local mailbox", "inbox"),
  view(paths.mail, "messages.read", () => import("../views/Mailbox.js"), "MailView"),
  view(paths.handset, "messages.read", () => import("../views/Handset.js"), "HandsetView", "Messages", "Local handset", "phone"),
  view(paths.handsetText, "messages.read", () => import("../views/Handset.js"), "HandsetTextView"),
  view(paths.threads, "email.read", () => import("../views/Threads.js"), "ThreadsView", "Messages", "Threads", "reply"),
  view(paths.thread, "email.read", () => import("../views/Threads.js"), "ThreadView"),
  view(paths.conversations, "conversations.read", () => import("../views/Conversations.js"), "ConversationsView", "Messages", "Conversations", "thread"),
  view(paths.conversation, "conversations.read", () => import("../views/Conversations.js"), "ConversationView"),
  view(paths.contacts, "participants.read", () => import("../views/Contacts.js"), "ContactsView", "Messages", "Contacts", "contacts"),
  view(paths.contact, "participants.read", () => import("../views/Contacts.js"), "ContactView"),
  view(paths.drafts, "drafts.read", () => import("../views/Drafts.js"), "DraftsView", "Messages", "Drafts", "template"),
  view(paths.draft, "drafts.read", () => import("../views/Drafts.js"), "DraftView"),
  view(paths.domains, "domains.read", () => import("../views/Domains.js"), "DomainsView", "E-mail", "Domains", "globe"),
  view(paths.domain, "domains.read", () => import("../views/Domains.js"), "DomainView"),
  view(paths.senders, "domains.read", () => import("../views/Senders.js"), "SendersView", "E-mail", "Senders", "user"),
  view(paths.templates, "templates.read", () => import("../views/Templates.js"), "TemplatesView", "E-mail", "Templates", "template"),
  view(paths.template, "templates.read", () => import("../views/Templates.js"), "TemplateView"),
  view(paths.templateEditor, "templates.write", () => import("../views/TemplateEditor.js"), "TemplateEditor"),
  view(paths.forwarding, "email.read", () => import("../views/Forwarding.js"), "ForwardingView", "E-mail", "Forwarding", "forward"),
  view(paths.forwardingLog, "email.read", () => import("../views/Forwarding.js"), "ForwardingLogView"),
  view(paths.blocks, "email.read", () => import("../views/Blocks.js"), "BlocksView", "E-mail", "Blocks", "shield"),
  view(paths.blockLog, "email.read", () => import("../views/Blocks.js"), "BlockLogView"),
  view(paths.numbers, "messages.read", () => import("../views/Numbers.js"), "NumbersView", "SMS and WhatsApp", "Numbers", "phone"),
  view(paths.optOuts, "messages.read", () => import("../views/Numbers.js"), "OptOutsView", "SMS and WhatsApp", "Opt-outs", "shield"),
  view(paths.people, "users.read", () => import("../views/People.js"), "PeopleView", "Organization", "People", "contacts"),
  view(paths.invitations, "users.read", () => import("../views/People.js"), "InvitationsView"),
  view(paths.keys, "apiKeys.read", () => import("../views/Keys.js"), "KeysView", "Organization", "API keys", "key"),
  view(paths.key, "apiKeys.read", () => import("../views/Keys.js"), "KeyView"),
  view(paths.submission, "messages.send", () => import("../views/Submission.js"), "SubmissionView", "Organization", "SMTP", "send"),
  view(paths.webhooks, "webhooks.read", () => import("../views/Webhooks.js"), "WebhooksView", "Organization", "Webhooks", "webhook"),
  view(paths.webhook, "webhooks.read", () => import("../views/Webhooks.js"), "WebhookView"),
  view(paths.organization, "organization.read", () => import("../views/Organization.js"), "OrganizationView", "Organization", "Settings and usage", "settings"),
  view(paths.audit, "audit.read", () => import("../views/Audit.js"), "AuditView", "Organization", "Audit", "clock"),
  view(paths.analytics, "analytics.read", () => import("../views/Analytics.js"), "AnalyticsView", "Operation", "Analytics", "chart"),
  view(paths.system, "system.read", () => import("../views/System.js"), "SystemView", "Operation", "System", "server"),
  view(paths.calls, "voice.read", () => import("../views/Calls.js"), "CallsView", "Voice", "Calls", "phone"),
  view(paths.call, "voice.read", () => import("../views/Calls.js"), "CallView"),
  view(paths.agents, "voice.read", () => import("../views/Agents.js"), "AgentsView", "Voice", "Agents", "user"),
  view(paths.agent, "voice.read", () => import("../views/Agents.js"), "AgentView"),
  view(paths.workflows, "voice.read", () => import("../views/Workflows.js"), "WorkflowsView", "Voice", "Workflows", "workflow"),
  view(paths.workflow, "voice.read", () => import("../views/Workflows.js"), "WorkflowView"),
  view(paths.workflowEditor, "voice.write", () => import("../views/WorkflowEditor.js"), "WorkflowEditor")
]

/** The views that the session may see. */
export const permittedViews = (): ReadonlyArray<View> => views.filter(({ permission }) => can(permission))

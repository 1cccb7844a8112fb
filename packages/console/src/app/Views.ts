import { analyticsView } from "../views/analytics/view.js"
import { blockLogView, blocksView } from "../views/blocks/view.js"
import { contactsView, contactView } from "../views/contacts/view.js"
import { conversationsView, conversationView } from "../views/conversations/view.js"
import { domainsView, domainView } from "../views/domains/view.js"
import { draftsView, draftView } from "../views/drafts/view.js"
import { forwardingLogView, forwardingView } from "../views/forwarding/view.js"
import { keysView, keyView } from "../views/keys/view.js"
import { mailboxView, mailView } from "../views/mailbox/view.js"
import { messageView } from "../views/message/view.js"
import { messagesView } from "../views/messages/view.js"
import { organizationView } from "../views/organization/view.js"
import { sendView } from "../views/send/view.js"
import { sendersView } from "../views/senders/view.js"
import { systemView } from "../views/system/view.js"
import { templateEditor, templatesView, templateView } from "../views/templates/view.js"
import { threadsView, threadView } from "../views/threads/view.js"
import { agentsView, agentView, callsView, callView, workflowsView, workflowView } from "../views/voice/view.js"
import { webhooksView, webhookView } from "../views/webhooks/view.js"
import { can } from "./SessionState.js"
import type { View } from "./View.js"

/** All views, in the order of the navigation. */
export const views: ReadonlyArray<View> = [
  messagesView,
  messageView,
  sendView,
  mailboxView,
  mailView,
  threadsView,
  threadView,
  conversationsView,
  conversationView,
  contactsView,
  contactView,
  draftsView,
  draftView,
  domainsView,
  domainView,
  sendersView,
  templatesView,
  templateView,
  templateEditor,
  forwardingView,
  forwardingLogView,
  blocksView,
  blockLogView,
  keysView,
  keyView,
  webhooksView,
  webhookView,
  organizationView,
  analyticsView,
  systemView,
  callsView,
  callView,
  agentsView,
  agentView,
  workflowsView,
  workflowView
]

/** The views that the session may see. */
export const permittedViews = (): ReadonlyArray<View> =>
  views.filter(({ permission }) => permission === undefined || can(permission))

import { blocksView } from "../views/blocks/view.js"
import { domainsView, domainView } from "../views/domains/view.js"
import { mailView } from "../views/mail/view.js"
import { mailboxView } from "../views/mailbox/view.js"
import { messageView } from "../views/message/view.js"
import { messagesView } from "../views/messages/view.js"
import { sendView } from "../views/send/view.js"
import { sendersView } from "../views/senders/view.js"
import type { View } from "./View.js"

/** All views, in the order of the navigation. */
export const views: ReadonlyArray<View> = [
  messagesView,
  messageView,
  sendView,
  mailboxView,
  mailView,
  domainsView,
  domainView,
  sendersView,
  blocksView
]

import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of participants: contacts, and the organization's own senders and agents. */
export const contactsView = defineView({
  path: paths.contacts,
  permission: "participants.read",
  navigation: { group: "Messages", label: "Contacts", icon: "contacts" },
  load: () => import("./ContactsView.js")
})

/** One participant with its addresses and its messages. */
export const contactView = defineView({
  path: paths.contact,
  permission: "participants.read",
  load: () => import("./ContactView.js")
})

import { messagesView } from "../views/messages/view.js"
import type { View } from "./View.js"

/** All views, in the order of the navigation. */
export const views: ReadonlyArray<View> = [messagesView]

/** The view of the path `/`. */
export const startView = messagesView

/** Whether the keyboard has the command key (⌘) in place of Ctrl. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The name of a shortcut with Ctrl, or with the command key: `Ctrl+K`, `⌘K`. */
export const shortcut = (key: string): string => (isApple ? `⌘${key}` : `Ctrl+${key}`)

/** Whether Ctrl or the command key is pressed, without other modifiers. */
export const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

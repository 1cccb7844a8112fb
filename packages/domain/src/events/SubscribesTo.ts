/** Whether one of these subscriptions (`message.sent`, `message.*`, `*`) is to this type of event. */
export const subscribesTo = (subscriptions: ReadonlyArray<string>, type: string): boolean => {
  const [group = ""] = type.split(".")
  return subscriptions.some((name) => name === "*" || name === type || name === `${group}.*`)
}

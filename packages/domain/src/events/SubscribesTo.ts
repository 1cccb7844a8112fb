/** Whether one of the subscriptions (`message.sent`, `message.*`, `*`) matches an event type. */
export const subscribesTo = (subscriptions: ReadonlyArray<string>, type: string): boolean => {
  const [group = ""] = type.split(".")
  return subscriptions.some((name) => name === "*" || name === type || name === `${group}.*`)
}

/** The subscription to all events. */
export const allEvents = "*"

/** The end of a subscription to all events of a resource, which the name of an event begins with. */
export const allOfResource = ".*"

/** Whether one of the subscriptions (`message.sent`, `message.*`, `*`) matches an event type. */
export const subscribesTo = (subscriptions: ReadonlyArray<string>, type: string): boolean => {
  const [resource = ""] = type.split(".")
  return subscriptions.some((name) => name === allEvents || name === type || name === `${resource}${allOfResource}`)
}

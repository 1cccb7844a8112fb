/** A number of messages as text: `1 message`, `2 messages`. */
export const messageCount = (count: number): string =>
  `${count.toLocaleString("en")} ${count === 1 ? "message" : "messages"}`

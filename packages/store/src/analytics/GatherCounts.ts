/** Rows of conversations that one statement merges. */
export const conversationBatch = 1_000

/** Merges the newest messages of conversations. */
export const mergeConversationsStatement = `SELECT merge_conversations(${conversationBatch}) AS count`

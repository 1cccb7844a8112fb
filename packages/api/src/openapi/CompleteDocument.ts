export const completeDocument = (document: Record<string, unknown>): Record<string, unknown> => document

/**
 * Connections on which a guard has let a request through; the others are the ones a listener may drop. Kept by
 * identity, so nothing of a request is held, and forgotten with the connection.
 */
export const knownConnections = new WeakSet<object>();

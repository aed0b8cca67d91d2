/**
 * Persistent routes: how they begin and end, and the slots here that peers write messages into. Those of peers, which
 * this rank writes to, are {@code route}'s. Must not: match. Called by: {@code protocol} (packets), the device face
 * (opens, closes), {@code receive} (gives slots back). Tests, beside those of {@code protocol}:
 * {@code PersistentRoutesTest}, {@code OutboundSlotsTest}.
 */
package org.sluice.hybrid.persistent;

/**
 * The bytes that ranks exchange over verbs: packet headers, greetings, refusals. Must not: call verbs. Called by: the
 * other packages of {@code ib}. Tests: {@code WireTest}.
 */
package org.sluice.ib.wire;

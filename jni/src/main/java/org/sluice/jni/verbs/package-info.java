/**
 * Verbs: the Java mirror of {@code libsluice_verbs.so}, which calls libibverbs and librdmacm. Must not: hold policy, or call up into Java.
 * Called by: {@code ib}. Tests: Verbs...Test, {@code verbs_harness.c}.
 */
package org.sluice.jni.verbs;

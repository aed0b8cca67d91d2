/**
 * Verbs: the Java mirror of {@code libsluice_verbs.so}, which calls libibverbs and librdmacm.
 *
 * <p>The room above takes a {@link org.sluice.jni.verbs.VerbsCalls}, so that a test can hand it a
 * {@link org.sluice.jni.verbs.FailingVerbs}; {@link org.sluice.jni.verbs.Verbs#calls()} gives the one for this machine.
 * Work requests and completions cross as memory that Java lays out by {@link org.sluice.jni.verbs.VerbsLayout}, many at
 * once. No failure is thrown: a result below zero is -errno, which {@link org.sluice.jni.Errno} puts into words.
 *
 * <p>Must not: hold policy, call up into Java, allocate per message, or keep anything between calls. Called by:
 * {@code ib}. Tests: {@code VerbsArgumentsTest} and its neighbours, {@code VerbsLoopbackRxeTest} where there is an RDMA
 * device, and the C harness {@code jni/src/test/c/verbs}.
 */
package org.sluice.jni.verbs;

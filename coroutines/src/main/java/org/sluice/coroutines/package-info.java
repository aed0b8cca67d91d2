/**
 * The device for Kotlin's coroutines: calls that suspend instead of blocking. Written in Kotlin; nothing else in Sluice
 * knows it, so that only programs that use it load Kotlin's classes. Must not: make progress, or keep what requests
 * keep. Called by programs. Tests: {@code CoroutineCases} and its neighbours; what cancelling does stands in
 * {@code docs/reference/coroutines.md}.
 */
package org.sluice.coroutines;

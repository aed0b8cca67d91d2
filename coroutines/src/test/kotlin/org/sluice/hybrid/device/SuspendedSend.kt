package org.sluice.hybrid.device

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.sluice.coroutines.sendSuspending
import org.sluice.coroutines.ssendSuspending
import org.sluice.device.Device
import java.util.concurrent.atomic.AtomicInteger

/** A storm's send by a coroutine, begun by whoever makes it. *Thread*: one. */
internal class SuspendedSend(device: Device, body: ByteArray, message: StormPlan.Planned, timeoutMs: Long) : StormSend {
    private val sent = AtomicInteger()

    private val call = CoroutineScope(Dispatchers.Default).async(start = CoroutineStart.UNDISPATCHED) {
        if (timeoutMs ==
            0L
        ) {
            send(device, body, message)
        } else {
            withTimeoutOrNull(timeoutMs) { send(device, body, message) }
        }
    }

    /** Whether the call returns or throws, the message was sent if it returns or says so. */
    private suspend fun send(device: Device, body: ByteArray, message: StormPlan.Planned) {
        val onSent: () -> Unit = { sent.incrementAndGet() }
        if (message.isSynchronous()) {
            device.ssendSuspending(body, message.to(), message.tag(), message.contextId(), onSent)
        } else {
            device.sendSuspending(body, message.to(), message.tag(), message.contextId(), onSent)
        }
        onSent()
    }

    override fun cancel() = call.cancel()

    override fun wasSent(): Boolean {
        try {
            runBlocking { call.await() }
        } catch (e: CancellationException) {
            assertTrue(call.isCancelled, "the send alone was cancelled")
        }
        assertTrue(sent.get() <= 1) { "told $sent times that it was sent" }
        return sent.get() == 1
    }
}

package org.sluice.hybrid.device

import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.receive
import org.sluice.coroutines.select
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.SluiceException
import org.sluice.device.channel.Channel
import org.sluice.device.channel.Fences
import org.sluice.hybrid.route.DeferredWork
import org.sluice.hybrid.route.Locality
import org.sluice.hybrid.route.Route
import java.lang.reflect.InvocationHandler
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.util.concurrent.atomic.AtomicBoolean

/**
 * The end of the device, of which the sender hears, where a receive breaks when its message is matched and the sender
 * is to be told: nobody else would tell it.
 */
internal class BrokenReceiveTest {
    /** Received in one go, so that no round comes between. */
    private val size = 100

    /** The next packet to this peer throws, as where a channel finds no memory for its way there. */
    private fun breakNext(device: HybridDevice, peer: Int): AtomicBoolean {
        val real = device.parts.routes()[peer].channel()
        val broken = AtomicBoolean()
        val breaking = Proxy.newProxyInstance(Channel::class.java.classLoader, arrayOf<Class<*>>(Channel::class.java)) {
                proxy,
                method,
                arguments,
            ->
            if (method.name == "trySend" && broken.compareAndSet(false, true)) {
                throw SluiceException(ErrorCode.NO_MEMORY, peer, "no memory in the test", null)
            }
            // Which has to send by this one.
            if (method.name == "endpoint") {
                return@newProxyInstance InvocationHandler.invokeDefault(proxy, method, *arguments)
            }
            try {
                method.invoke(real, *(arguments ?: arrayOf()))
            } catch (e: InvocationTargetException) {
                throw e.targetException
            }
        } as Channel
        device.parts.routes()[peer] =
            Route(peer, Locality.SAME_JVM, breaking, 1000, 1 shl 20, DeferredWork(), Fences.SYMMETRIC)
        return broken
    }

    private fun assertEnds(receive: suspend (Device, ByteArray) -> Unit) = DeviceJob.open(2, mapOf()).use { job ->
        job.suspending({ device ->
            val sent = device.issend(DeviceCases.pattern(1, size), 1, 1)
            assertFailsWith(ErrorCode.PEER_DEAD) { sent.waitFor() }
        }, { device ->
            device.probe(0, 1)
            val broken = breakNext(device as HybridDevice, 0)
            val failure = assertFailsWith(ErrorCode.DEVICE_FAILED) { receive(device, ByteArray(size)) }
            assertTrue("no memory in the test" in failure.message!!) { "${failure.message}" }
            assertTrue(broken.get(), "it told its sender nothing")
        })
    }

    @Test
    fun ofABlockingReceive() = assertEnds { device, buffer -> device.recv(buffer, 0, 1) }

    @Test
    fun ofARequest() = assertEnds { device, buffer -> device.irecv(buffer, 0, 1).waitFor() }

    @Test
    fun ofATakenMessage() = assertEnds { device, buffer -> device.mprobe(0, 1).recv(buffer) }

    @Test
    fun ofACoroutine() = assertEnds { device, buffer -> device.receive(buffer, 0, 1) }

    @Test
    fun ofASelect() = assertEnds { device, buffer ->
        device.select<Unit> { receive(buffer, 0, 1) { fail("nobody told its sender") } }
    }

    @Test
    fun ofAMessageThatACoroutineTook() = assertEnds { device, buffer -> device.take(0, 1).receive(buffer) }
}

package org.sluice.hybrid.device

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.fail
import org.sluice.coroutines.leases
import org.sluice.coroutines.messages
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.select
import org.sluice.coroutines.take
import org.sluice.device.Device

/** Calls that get the message of rank 0 with tag 1, one byte, for a coroutine that is gone by then. */
internal class GoneCall(val name: String, val run: suspend (Device, told: () -> Unit) -> Unit)

internal object GoneCalls {
    /** Each tells once, and lets go of what it got. */
    val TOLD = listOf(
        GoneCall("receive") { it, told -> it.receive(ByteArray(1), 0, 1) { told() } },
        GoneCall("select") { it, told ->
            it.select<Unit>({ told() }) { receive(ByteArray(1), 0, 1) { fail("its coroutine is gone") } }
        },
        GoneCall("take") { it, told ->
            it.take(0, 1) { message ->
                assertEquals(1, message.recv(ByteArray(1)).bytes())
                told()
            }
        },
        GoneCall("receiveInPlace") { it, told -> it.receiveInPlace(0, 1) { lease -> lease.use { told() } } },
        GoneCall("leases") { it, told ->
            it.leases(0, 1, onUndelivered = { told() }).collect { fail("its collector is gone") }
        },
        GoneCall("messages") { it, told ->
            it.messages(0, 1, onUndelivered = { told() }) { ByteArray(1) }.collect { fail("its collector is gone") }
        },
    )

    /** Nobody is told. */
    val UNTOLD = listOf(
        GoneCall("receive") { it, _ -> it.receive(ByteArray(1), 0, 1) },
        GoneCall("select") { it, _ ->
            it.select<Unit> { receive(ByteArray(1), 0, 1) { fail("its coroutine is gone") } }
        },
        GoneCall("take") { it, _ -> it.take(0, 1) },
        GoneCall("receiveInPlace") { it, _ -> it.receiveInPlace(0, 1) },
        GoneCall("leases") { it, _ -> it.leases(0, 1).collect { fail("its collector is gone") } },
        GoneCall("messages") { it, _ -> it.messages(0, 1) { ByteArray(1) }.collect { fail("its collector is gone") } },
    )
}

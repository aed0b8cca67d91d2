package org.sluice.hybrid.device

import org.sluice.device.Device

/** What storms of this room's tests find as a service. */
internal class CoroutineForms : SuspendedForms {
    override fun send(device: Device, body: ByteArray, message: StormPlan.Planned, timeoutMs: Long): StormSend =
        SuspendedSend(device, body, message, timeoutMs)

    override fun receives(device: Device): SuspendedForms.Receives = CancelledReceives(device)
}

/** What a layer above the device, with message spaces of its own, needs of it and programs don't: communicators. */
package org.sluice.device.layer;

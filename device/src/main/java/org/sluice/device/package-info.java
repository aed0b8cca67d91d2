/**
 * The words that users and all rooms share: device, request, status, buffers, errors. Must not: hold algorithms or know
 * another room. Called by: programs, and every room. Tests: {@code StatusTest} here; the device conformance suite lives
 * in {@code hybrid}.
 */
package org.sluice.device;

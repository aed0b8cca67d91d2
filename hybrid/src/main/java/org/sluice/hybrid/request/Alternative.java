package org.sluice.hybrid.request;

/** One of several receives of which exactly one is to take a message. The whole buffer is received into. */
public record Alternative(Object buffer, Envelope envelope) {}

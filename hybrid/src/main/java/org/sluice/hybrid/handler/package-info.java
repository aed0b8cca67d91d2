/**
 * Messages that call a handler: a lane for each sender, and whose turn it is. Must not: know packets, or decide which
 * thread serves (that is {@code progress}). Called by: {@code receive}, through
 * {@link org.sluice.hybrid.receive.ForHandlers}; {@code progress}, which serves; the device face (registers). Tests:
 * {@code DueLanesTest}, {@code HandlerIntakeTest}, {@code FetchMemoryTest}; {@code BrokenHandlersTest} beside those of
 * {@code protocol}; {@code HandlerCases}.
 */
package org.sluice.hybrid.handler;

/**
 * One peer's way: which channel, what is in flight to it, what waits for room. Must not: match, or touch rings. Called
 * by: the device face (sends) and the protocols. Tests: {@code RouteTest}, {@code IdTableTest}.
 */
package org.sluice.hybrid.route;

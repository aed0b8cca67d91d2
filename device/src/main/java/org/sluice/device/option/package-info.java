/**
 * Options, declared once. Must not: act on them. Called by: every room, {@code ./sluice doctor}, and the test that
 * compares docs/reference/options.md with the declarations. Tests: {@code OptionsTest}.
 */
package org.sluice.device.option;

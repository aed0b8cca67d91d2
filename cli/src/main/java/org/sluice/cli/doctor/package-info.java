/**
 * Looks at the machine, the JVM and the options, and says which channels work here, why not, and what to change. Must
 * not: change anything, except that {@link org.sluice.cli.doctor.Leftovers#clean} removes what dead jobs of this user
 * left behind. Called by: {@code ./sluice doctor}; the page docs/reference/options.md is made here too. Tests:
 * {@code DoctorTest}, {@code LeftoversTest}, {@code OptionsPageTest} and their neighbours.
 */
package org.sluice.cli.doctor;

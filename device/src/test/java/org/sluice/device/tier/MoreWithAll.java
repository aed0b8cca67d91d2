package org.sluice.device.tier;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Beside another source of arguments: what {@code ./sluice test --all} tries as well. One invocation for each line, of
 * arguments with commas between.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(MoreWithAllArguments.class)
public @interface MoreWithAll {
    String[] value();
}

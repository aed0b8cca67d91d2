package org.sluice.device.tier;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

final class MoreWithAllArguments implements ArgumentsProvider, AnnotationConsumer<MoreWithAll> {
    private String[] lines;

    @Override
    public void accept(MoreWithAll annotation) {
        lines = annotation.value();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return isAsked(context)
                ? Arrays.stream(lines).map(line -> Arguments.of((Object[]) line.split(", *")))
                : Stream.empty();
    }

    /** Of two JDKs the older runs under --all what has the tag once, and of all else the first tier. */
    private static boolean isAsked(ExtensionContext context) {
        String all = System.getProperty("sluice.test.all", "");
        return all.equals("true") || all.equals("once") && context.getTags().contains("once");
    }
}

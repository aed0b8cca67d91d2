/** Sluice's calls that suspend, for Kotlin: {@code sluice-coroutines.jar}. */
module org.sluice.coroutines {
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires transitive org.sluice;

    exports org.sluice.coroutines;
}

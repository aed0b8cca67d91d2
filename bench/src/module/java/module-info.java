/**
 * Sluice, as the one jar that programs have: {@code sluice.jar}. Exported is what a program may name; the beans of
 * {@code observe} because JMX calls them.
 *
 * <p>Kotlin is needed by what suspends alone, and Chronicle by programs that send its {@code Bytes}: whoever uses them
 * requires them.
 */
module org.sluice {
    requires java.management;
    requires jdk.jfr;
    requires jdk.net;
    requires jdk.unsupported;
    requires org.jctools.core;
    requires static chronicle.bytes;
    requires static chronicle.core;
    requires static java.instrument;
    requires static kotlin.stdlib;
    requires static kotlinx.coroutines.core;

    exports org.sluice.device;
    exports org.sluice.device.option;
    exports org.sluice.coroutines;
    exports org.sluice.hybrid.observe;
    exports org.sluice.launch;
}

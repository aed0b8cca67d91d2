/**
 * Sluice, as the one jar that programs have: {@code sluice.jar}. Exported is what a program may name; the beans of
 * {@code observe} because JMX calls them.
 *
 * <p>Chronicle is needed by programs that send its {@code Bytes} alone: whoever uses it requires it.
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

    exports org.sluice.device;
    exports org.sluice.device.option;
    exports org.sluice.hybrid.observe;
    exports org.sluice.launch;
    exports org.sluice.mpi;
    exports org.sluice.mpi.files;
    exports org.sluice.hybrid.receive to
            org.sluice.coroutines;
    exports org.sluice.hybrid.request to
            org.sluice.coroutines;
}

package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.sluice.device.Device;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Ranks as threads of this JVM, each with a package mpi of its own. */
final class OpenMpiJob {
    private OpenMpiJob() {}

    /** Of this package, loads its own. */
    private static final class RankLoader extends ClassLoader {
        private RankLoader() {
            super(OpenMpiJob.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("mpi.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Runs {@code run(Device)} of a class of this package at each rank. */
    static void run(int ranks, Place place, Class<?> program, String method) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(60, world -> {
                Class<?> own = new RankLoader().loadClass(program.getName());
                Method run = own.getDeclaredMethod("run", Device.class, String.class);
                run.setAccessible(true);
                try {
                    run.invoke(null, world.device(), method);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Error) {
                        throw (Error) e.getCause();
                    }
                    throw (Exception) e.getCause();
                }
            });
        }
    }
}

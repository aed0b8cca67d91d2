package mpi;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluice.mpi.Layout;
import org.sluice.mpi.files.FileMode;
import org.sluice.mpi.files.SharedFile;

/** A {@link SharedFile} with the buffers, modes and errors of this package. <i>Thread</i>: one. */
final class OpenFile {
    interface Use<T> {
        T of(SharedFile file) throws IOException, MPIException;
    }

    private final SharedFile file;
    private final int amode;
    private FileView view = new FileView(0, MPI.BYTE, MPI.BYTE, "native");
    Errhandler errhandler = MPI.ERRORS_RETURN;

    /** All ranks of the communicator make one. */
    OpenFile(Comm comm, String filename, int amode) throws MPIException {
        this.amode = amode;
        Comm.given(comm);
        Path path = filename == null ? null : Path.of(filename);
        try {
            file = SharedFile.open(comm.intra(), path, modes(amode));
        } catch (IllegalArgumentException e) {
            throw new MPIException(path == null ? MPI.ERR_BAD_FILE : MPI.ERR_AMODE, words(amode, e), e);
        } catch (IOException | RuntimeException e) {
            throw of(e);
        }
    }

    private static FileMode[] modes(int amode) {
        int access = amode & (MPI.MODE_RDONLY | MPI.MODE_WRONLY | MPI.MODE_RDWR);
        List<FileMode> modes = new ArrayList<>();
        if (access == MPI.MODE_RDONLY || access == MPI.MODE_RDWR) {
            modes.add(FileMode.READ);
        }
        if (access == MPI.MODE_WRONLY || access == MPI.MODE_RDWR) {
            modes.add(FileMode.WRITE);
        }
        int[] bits = {MPI.MODE_CREATE, MPI.MODE_EXCL, MPI.MODE_APPEND, MPI.MODE_DELETE_ON_CLOSE, MPI.MODE_SEQUENTIAL};
        FileMode[] others = {
            FileMode.CREATE, FileMode.CREATE_NEW, FileMode.APPEND, FileMode.DELETE_ON_CLOSE, FileMode.SEQUENTIAL
        };
        for (int i = 0; i < bits.length; i++) {
            // MODE_EXCL is about a file that is created.
            boolean isMeant = bits[i] != MPI.MODE_EXCL || (amode & MPI.MODE_CREATE) != 0;
            if ((amode & bits[i]) != 0 && isMeant) {
                modes.add(others[i]);
            }
        }
        return modes.toArray(new FileMode[0]);
    }

    private static String words(int amode, IllegalArgumentException wrong) {
        return "mode " + amode + ": one of MPI.MODE_RDONLY, MODE_WRONLY and MODE_RDWR; with MODE_CREATE and MODE_EXCL"
                + " not the first, with MODE_SEQUENTIAL not the last (" + wrong.getMessage() + ")";
    }

    // --- for the calls -----------------------------------------------------------------------------------------------

    static MPIException of(Exception error) {
        int errorClass = MPI.ERR_IO;
        if (error instanceof NoSuchFileException) {
            errorClass = MPI.ERR_NO_SUCH_FILE;
        } else if (error instanceof FileAlreadyExistsException) {
            errorClass = MPI.ERR_FILE_EXISTS;
        } else if (error instanceof AccessDeniedException) {
            errorClass = MPI.ERR_ACCESS;
        } else if (error instanceof UnsupportedOperationException) {
            errorClass = MPI.ERR_UNSUPPORTED_OPERATION;
        } else if (error instanceof RuntimeException) {
            return Errors.of((RuntimeException) error);
        }
        return new MPIException(errorClass, error.toString(), error);
    }

    MPIException failed(MPIException error) {
        return errhandler.told(error);
    }

    <T> T use(Use<T> use) throws MPIException {
        MPI.check();
        if (!file.isOpen()) {
            throw failed(Errors.of(MPI.ERR_FILE, "the file " + file.path() + " was closed"));
        }
        try {
            return use.of(file);
        } catch (MPIException e) {
            throw failed(e);
        } catch (IOException | RuntimeException e) {
            throw failed(of(e));
        }
    }

    /** What a call takes, and how it takes it; returns how many bytes went. */
    interface Move {
        long of(SharedFile file, Object items) throws IOException;
    }

    Status move(Object buf, int count, Datatype type, Move move) throws MPIException {
        return use(open -> new Status(move.of(open, items(open, buf, count, type))));
    }

    /** Of all ranks: one that is wrong gives what is no buffer, so that all throw. */
    Status moveOrdered(Object buf, int count, Datatype type, Move move) throws MPIException {
        return use(open -> {
            MPIException wrong = null;
            Object items;
            try {
                items = items(open, buf, count, type);
            } catch (MPIException e) {
                wrong = e;
                items = e;
            }
            try {
                return new Status(move.of(open, items));
            } catch (IllegalArgumentException e) {
                if (wrong != null) {
                    throw wrong;
                }
                throw e;
            }
        });
    }

    private static Object items(SharedFile open, Object buf, int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        Object items = Buffers.items(buf, count, type);
        if (type.layout().size() % open.view().etype().size() != 0) {
            throw Errors.of(MPI.ERR_TYPE, "items of " + type + " are no whole etypes of the view");
        }
        return items;
    }

    static SharedFile.From from(int whence) throws MPIException {
        switch (whence) {
            case MPI.SEEK_SET:
                return SharedFile.From.BEGIN;
            case MPI.SEEK_CUR:
                return SharedFile.From.POINTER;
            case MPI.SEEK_END:
                return SharedFile.From.END;
            default:
                throw Errors.of(MPI.ERR_ARG, "seek from " + whence + ": MPI.SEEK_SET, MPI.SEEK_CUR or MPI.SEEK_END");
        }
    }

    // --- views -------------------------------------------------------------------------------------------------------

    int amode() throws MPIException {
        return use(open -> amode);
    }

    FileView view() {
        return view;
    }

    /** What is wrong at one rank is given as no layout, so that all throw. */
    void setView(FileView given) throws MPIException {
        boolean isCurrent = given.getDisp() == MPI.DISPLACEMENT_CURRENT;
        view = use(open -> {
            MPIException wrong = wrongWith(given);
            Layout etype = wrong == null ? given.getEType().layout() : null;
            Layout filetype = wrong == null ? given.getFileType().layout() : null;
            try {
                if (isCurrent && (amode & MPI.MODE_SEQUENTIAL) != 0) {
                    open.setViewAtSharedPointer(etype, filetype);
                } else {
                    open.setView(given.getDisp(), etype, filetype);
                }
            } catch (IllegalArgumentException e) {
                throw wrong != null ? wrong : new MPIException(MPI.ERR_TYPE, e.getMessage(), e);
            }
            long disp = open.view().displacement();
            return new FileView(disp, given.getEType(), given.getFileType(), given.getDataRep());
        });
    }

    private MPIException wrongWith(FileView given) {
        String datarep = given.getDataRep();
        if (!"native".equals(datarep) && !"internal".equals(datarep)) {
            return Errors.of(
                    MPI.ERR_UNSUPPORTED_DATAREP, "the representation " + datarep + ": \"native\" or \"internal\"");
        }
        boolean isCurrent = given.getDisp() == MPI.DISPLACEMENT_CURRENT;
        if (isCurrent && (amode & MPI.MODE_SEQUENTIAL) == 0) {
            return Errors.of(
                    MPI.ERR_DISP, "MPI.DISPLACEMENT_CURRENT is for files that are open with MPI.MODE_SEQUENTIAL");
        }
        if (!isCurrent && given.getDisp() < 0) {
            return Errors.of(MPI.ERR_DISP, "the displacement is " + given.getDisp() + ": 0 or more");
        }
        try {
            Datatype.used(given.getEType());
            Datatype.used(given.getFileType());
            return null;
        } catch (MPIException e) {
            return e;
        }
    }
}

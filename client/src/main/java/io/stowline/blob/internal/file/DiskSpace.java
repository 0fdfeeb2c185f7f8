package io.stowline.blob.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The explanation of a full disk: the bytes that a file needs, and those that its disk has. Stateless. */
public final class DiskSpace {

    /** The names of systems for a full disk. */
    private static final List<String> NAMES = List.of("no space left", "not enough space", "quota exceeded");

    private DiskSpace() {}

    /**
     * Returns the error of a file that could not be written.
     *
     * @param length the bytes of the file, or a negative number if that is not known
     * @return an error with target, needed and free bytes if the disk is full; else the given one
     */
    public static IOException explained(IOException error, Path target, long length) {
        if (!is(error)) {
            return error;
        }
        String needed = length < 0 ? "" : "; the file has " + length + " bytes";
        FileSystemException full = new FileSystemException(
                target.toString(), null, "its disk is full" + needed + free(target) + " (" + error.getMessage() + ")");
        full.initCause(error);
        return full;
    }

    private static boolean is(IOException error) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        return NAMES.stream().anyMatch(text::contains);
    }

    private static String free(Path target) {
        try {
            Path folder = target.toAbsolutePath().getParent();
            return folder == null ? "" : ", and " + Files.getFileStore(folder).getUsableSpace() + " bytes are free";
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}

package io.stowline.examples.blobs;

import io.stowline.examples.shared.UsageException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A source or target of the command line: a folder, or a directory of blobs such as {@code blob:photos/2026/}.
 *
 * @param folder the folder, or {@code null}
 * @param container the container, or {@code null} for a folder
 * @param prefix what the names of the blobs begin with; empty for the whole container
 */
record BlobLocation(@Nullable Path folder, @Nullable String container, String prefix) {

    private static final String SCHEME = "blob:";

    static BlobLocation of(String text) {
        if (text.isEmpty()) {
            throw new UsageException(
                    "a source or target is empty: name a folder, '.' for this one, or blob:CONTAINER/PREFIX");
        }
        if (!text.startsWith(SCHEME)) {
            try {
                return new BlobLocation(Path.of(text), null, "");
            } catch (InvalidPathException e) {
                throw new UsageException(text + " is no folder: " + e.getReason());
            }
        }
        String rest = text.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        String container = slash < 0 ? rest : rest.substring(0, slash);
        if (container.isEmpty()) {
            throw new UsageException(text + " names no container: blob:CONTAINER/PREFIX");
        }
        return new BlobLocation(null, container, slash < 0 ? "" : rest.substring(slash + 1));
    }

    @Override
    public String toString() {
        return folder != null ? folder.toString() : SCHEME + container + "/" + prefix;
    }
}

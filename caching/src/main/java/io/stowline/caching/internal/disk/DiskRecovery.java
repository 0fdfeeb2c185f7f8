package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFiles.DiskSource;
import io.stowline.caching.internal.disk.DiskIndex.DiskNode;
import io.stowline.caching.internal.disk.DiskName.DiskFileKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recovery that finds the entries that an earlier tier left in a folder: names, heads and lengths are checked, bodies are not. What a crash left, and
 * what is damaged as far as can be seen, is removed. Files with other names stay untouched.
 */
final class DiskRecovery {

    private final DiskFiles files;
    private final Path folder;
    private final Map<DiskName, Path> heads = new HashMap<>();
    private final Map<Path, DiskName> useless = new LinkedHashMap<>();

    DiskRecovery(DiskFiles files, Path folder) {
        this.files = files;
        this.folder = folder;
    }

    /**
     * Finds the entries.
     *
     * @param isTrusted whether only the owner can have written them; otherwise all are removed
     */
    void into(DiskIndex index, boolean isTrusted) throws IOException {
        Map<Path, DiskName> entries = new LinkedHashMap<>();
        for (Path file : files.list(folder)) {
            DiskName name = DiskName.of(file);
            if (name == null) {
                continue;
            }
            useless.put(file, name);
            if (name.kind() == DiskFileKind.ENTRY) {
                entries.put(file, name);
            } else if (name.kind() == DiskFileKind.HEAD) {
                heads.put(name, file);
            }
        }
        if (isTrusted) {
            entries.forEach((file, name) -> find(file, name, index));
        }
        useless.forEach((file, name) -> index.discard(new DiskNode("", name, 0)));
    }

    private void find(Path file, DiskName name, DiskIndex index) {
        DiskNode node = node(file, name);
        if (node == null) {
            return;
        }
        useless.remove(file);
        Path head = heads.get(name.as(DiskFileKind.HEAD));
        node.head = head == null ? null : node(head, name.as(DiskFileKind.HEAD));
        if (node.head != null) {
            useless.remove(head);
        }
        index.found(node);
    }

    /** Null if the file is damaged or another program's. */
    private @Nullable DiskNode node(Path file, DiskName name) {
        try (DiskSource source = files.open(file)) {
            StoredFile stored = StoredFile.of(source);
            if (stored == null || !DiskName.hash(stored.keyed().key()).equals(name.hash())) {
                return null;
            }
            return new DiskNode(stored.keyed().key(), name, stored.preamble().fileLength());
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}

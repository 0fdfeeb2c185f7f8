package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts responses into a tier on disk, and reads them there. */
final class Responses {

    private Responses() {}

    static DiskHead head(String etag, long validatedAtMillis) {
        return new DiskHead(200, Map.of("ETag", etag, "Content-Type", "text/plain"), validatedAtMillis);
    }

    /** Keeps a text as the response of a key, its ETag the text's hash. */
    static void put(DiskTier tier, String key, String text) throws IOException {
        begin(tier, key, text).commit().close();
    }

    static DiskWriter begin(DiskTier tier, String key, String text) throws IOException {
        DiskWriter writer = tier.begin(key, head(etag(text), 1));
        writer.write(bytes(text));
        return writer;
    }

    static String etag(String text) {
        return "\"" + Integer.toHexString(text.hashCode()) + "\"";
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the response of a key as text, or null. */
    static @Nullable String find(DiskTier tier, String key) {
        try (DiskEntry entry = tier.find(key)) {
            return entry == null ? null : text(entry);
        }
    }

    static String text(DiskEntry entry) {
        List<ByteBuffer> chunks = entry.body().collectList().block();
        StringBuilder text = new StringBuilder();
        chunks.forEach(chunk -> text.append(StandardCharsets.UTF_8.decode(chunk)));
        return text.toString();
    }

    static Path temporary() {
        try {
            return Files.createTempDirectory("answers");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files of a kind. */
    static List<Path> files(Path folder, String kind) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith("." + kind)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of all files but the lock. */
    static long size(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.endsWith(CacheFolderLock.NAME))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

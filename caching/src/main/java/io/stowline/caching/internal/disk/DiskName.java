package io.stowline.caching.internal.disk;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file. Each version of an entry has its own, so that one can go while it is read and the next one comes.
 *
 * @param hash the SHA-256 of the key, in hexadecimal digits
 * @param sequence the version: the higher one counts
 */
record DiskName(String hash, long sequence, DiskFileKind kind) {

    private static final Pattern NAME = Pattern.compile("([0-9a-f]{64})\\.([0-9a-f]{16})\\.(entry|head|tmp)");

    /** The kind of a file: an entry, a newer head of it, or one of these that is being written. */
    enum DiskFileKind {
        ENTRY,
        HEAD,
        TMP
    }

    static DiskName of(String key, long sequence, DiskFileKind kind) {
        return new DiskName(hash(key), sequence, kind);
    }

    static String hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the name of a file, or null if it is none of the cache's. */
    static @Nullable DiskName of(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches()) {
            return null;
        }
        DiskFileKind kind =
                switch (name.group(3)) {
                    case "entry" -> DiskFileKind.ENTRY;
                    case "head" -> DiskFileKind.HEAD;
                    default -> DiskFileKind.TMP;
                };
        return new DiskName(name.group(1), Long.parseUnsignedLong(name.group(2), 16), kind);
    }

    Path in(Path folder) {
        String end =
                switch (kind) {
                    case ENTRY -> "entry";
                    case HEAD -> "head";
                    case TMP -> "tmp";
                };
        return folder.resolve(hash + "." + HexFormat.of().toHexDigits(sequence) + "." + end);
    }

    DiskName as(DiskFileKind other) {
        return new DiskName(hash, sequence, other);
    }
}

package io.stowline.testkit.internal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A reader of class-path resources, which names them by content. */
final class Resources {

    private Resources() {}

    static byte[] read(Class<?> anchor, String path) throws IOException {
        try (InputStream stream = anchor.getResourceAsStream(path)) {
            if (stream == null) {
                throw new FileNotFoundException("no resource " + path + " beside " + anchor.getName());
            }
            return stream.readAllBytes();
        }
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

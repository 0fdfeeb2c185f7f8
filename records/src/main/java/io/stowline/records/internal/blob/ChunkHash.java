package io.stowline.records.internal.blob;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The hash of a seal: the MD5 in Base64, as the service shows it. */
final class ChunkHash {

    private ChunkHash() {}

    static String of(byte[] bytes) {
        return Base64.getEncoder().encodeToString(md5().digest(bytes));
    }

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}

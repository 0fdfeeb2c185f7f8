package io.stowline.blob.internal;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The checksum of the service: it guards against accidents, not against anybody. */
final class Md5 {

    private Md5() {}

    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no MD5, which every Java must have", e);
        }
    }

    static byte[] of(ByteBuffer content) {
        MessageDigest digest = begin();
        digest.update(content.duplicate());
        return digest.digest();
    }
}

package io.stowline.blob.internal.base;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The checksum of the service: it guards against accidents, not against attackers. */
public final class Md5 {

    private Md5() {}

    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no MD5, which every Java must have", e);
        }
    }

    public static byte[] of(ByteBuffer content) {
        MessageDigest digest = begin();
        digest.update(content.duplicate());
        return digest.digest();
    }
}

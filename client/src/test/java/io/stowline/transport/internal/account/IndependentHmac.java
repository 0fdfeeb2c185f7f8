package io.stowline.transport.internal.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** HMAC-SHA256 written out from RFC 2104, so that tests do not sign with what they test. */
final class IndependentHmac {

    private static final int BLOCK = 64;

    private IndependentHmac() {}

    static String of(String base64Key, String text) {
        byte[] key = Base64.getDecoder().decode(base64Key);
        byte[] padded = Arrays.copyOf(key.length > BLOCK ? sha256(key) : key, BLOCK);
        byte[] inner = sha256(xor(padded, 0x36), text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(sha256(xor(padded, 0x5c), inner));
    }

    private static byte[] xor(byte[] block, int pad) {
        byte[] result = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            result[i] = (byte) (block[i] ^ pad);
        }
        return result;
    }

    private static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

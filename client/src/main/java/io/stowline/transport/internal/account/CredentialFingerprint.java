package io.stowline.transport.internal.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest of a credential. A key and a signature are too random to be guessed from it. */
public final class CredentialFingerprint {

    private CredentialFingerprint() {}

    public static String of(String kind, String secret) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update((kind + '\n').getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}

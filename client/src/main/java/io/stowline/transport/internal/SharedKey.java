package io.stowline.transport.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An account key that signs. Never shows itself: there is no way to read the key back. */
public final class SharedKey {

    private static final String ALGORITHM = "HmacSHA256";

    /** One for each thread, since a copy costs more than the signature. */
    private final ThreadLocal<Mac> macs;

    private SharedKey(Mac prototype) {
        this.macs = ThreadLocal.withInitial(() -> copy(prototype));
    }

    /**
     * Reads a key as the portal shows it.
     *
     * @param base64 the key in Base64
     * @return the key
     * @throws IllegalArgumentException if the text is not Base64 or is empty; the text itself is not shown
     */
    public static SharedKey of(String base64) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw notBase64();
        }
        if (key.length == 0) {
            throw notBase64();
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return new SharedKey(mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
        }
    }

    private static IllegalArgumentException notBase64() {
        return new IllegalArgumentException(
                "AccountKey is not a Base64 text with at least one byte (its value is not shown)");
    }

    /**
     * Signs a text.
     *
     * @param text the string to sign of the shared key scheme
     * @return the signature in Base64
     */
    public String sign(String text) {
        return Base64.getEncoder().encodeToString(macs.get().doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Mac copy(Mac prototype) {
        try {
            return (Mac) prototype.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this Java runtime's " + ALGORITHM + " cannot be cloned", e);
        }
    }

    @Override
    public String toString() {
        return "SharedKey(not shown)";
    }
}

package io.stowline.transport.internal.account;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An account key that signs. Never shows itself: there is no way to read the key back. */
public final class HmacSigner {

    private static final String ALGORITHM = "HmacSHA256";

    /** One for each thread, since a copy costs more than the signature. */
    private final ThreadLocal<Signing> signings;

    private HmacSigner(Mac prototype) {
        this.signings = ThreadLocal.withInitial(() -> new Signing(copy(prototype)));
    }

    /** A thread's MAC, with memory for what comes out of it. */
    private static final class Signing {

        private final Mac mac;
        private final byte[] signature;
        private final byte[] base64;

        Signing(Mac mac) {
            this.mac = mac;
            this.signature = new byte[mac.getMacLength()];
            this.base64 = new byte[(signature.length + 2) / 3 * 4];
        }

        String sign(SignedText text) throws GeneralSecurityException {
            mac.update(text.bytes(), 0, text.length());
            mac.doFinal(signature, 0);
            int encoded = Base64.getEncoder().encode(signature, base64);
            return new String(base64, 0, encoded, StandardCharsets.ISO_8859_1);
        }
    }

    /**
     * Reads a key as the portal shows it.
     *
     * @param base64 the key in Base64
     * @throws IllegalArgumentException if the text is not Base64 or is empty; the text itself is not shown
     */
    public static HmacSigner of(String base64) {
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
            return new HmacSigner(mac);
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
    public String sign(CharSequence text) {
        return sign(SignedText.begin().add(text));
    }

    /** Signs a text, and returns the signature in Base64. */
    String sign(SignedText text) {
        try {
            return signings.get().sign(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime's " + ALGORITHM + " does not sign", e);
        }
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

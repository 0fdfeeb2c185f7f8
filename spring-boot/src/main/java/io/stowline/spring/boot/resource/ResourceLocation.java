package io.stowline.spring.boot.resource;

import io.stowline.projection.InvalidKeyException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A location of a blob, or of a container if the name is empty. Its text is a URI: {@code %20} stands for a space, and other characters that no
 * URI has may stand for themselves. Immutable and thread-safe.
 *
 * @param scheme the scheme, which stands for an account
 * @param container the container's name
 * @param name the blob's name, decoded
 */
record ResourceLocation(String scheme, String container, String name) {

    private static final String KEPT = "-._~/!$&'()*+,;=:@";
    private static final char DELETE = 0x7F;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Reads {@code scheme://container/name}, or {@code scheme:container/name}. */
    static ResourceLocation parse(String location) {
        int colon = location.indexOf(':');
        String path = location.substring(colon + 1);
        if (path.startsWith("//")) {
            path = path.substring(2);
        }
        int slash = path.indexOf('/');
        String container = slash < 0 ? path : path.substring(0, slash);
        if (colon < 1 || container.isEmpty()) {
            throw new IllegalArgumentException(
                    "the location '" + location + "' names no container: write it as scheme://container/name");
        }
        String name = slash < 0 ? "" : decoded(path.substring(slash + 1), location);
        return new ResourceLocation(location.substring(0, colon), container, name);
    }

    /** Decodes {@code %XX}; the bytes of a name are UTF-8. */
    static String decoded(String text, String location) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.getBytes(StandardCharsets.UTF_8).length);
        int done = 0;
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', done)) {
            bytes.put(text.substring(done, at).getBytes(StandardCharsets.UTF_8));
            bytes.put(octet(text, at, location));
            done = at + 3;
        }
        bytes.put(text.substring(done).getBytes(StandardCharsets.UTF_8)).flip();
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the location '" + location + "' has escapes that are no UTF-8", e);
        }
    }

    private static byte octet(String text, int at, String location) {
        if (at + 3 <= text.length()
                && HexFormat.isHexDigit(text.charAt(at + 1))
                && HexFormat.isHexDigit(text.charAt(at + 2))) {
            return (byte) HexFormat.fromHexDigits(text, at + 1, at + 3);
        }
        throw new IllegalArgumentException("the location '" + location
                + "' has a % without two hexadecimal digits behind it: write %25 for a percent sign");
    }

    /**
     * Checks that a blob may have the name: the service takes no control characters.
     *
     * @throws IllegalArgumentException if it has one; its cause does not have the name
     */
    void checkName() {
        for (int at = 0; at < name.length(); at++) {
            char letter = name.charAt(at);
            if (letter < ' ' || letter == DELETE) {
                String reason = String.format(
                        Locale.ROOT, "a blob name has no control characters, such as U+%04X at %d", (int) letter, at);
                throw new IllegalArgumentException(reason + ": '" + this + "'", new InvalidKeyException(reason));
            }
        }
    }

    boolean isContainer() {
        return name.isEmpty();
    }

    ResourceLocation withName(String other) {
        return new ResourceLocation(scheme, container, other);
    }

    /** Returns the text, which is a URI. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(scheme + "://" + container + "/");
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (octet & 0xFF);
            if (letter < 0x80 && (Character.isLetterOrDigit(letter) || KEPT.indexOf(letter) >= 0)) {
                text.append(letter);
            } else {
                text.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return text.toString();
    }
}

package io.stowline.transport.internal.account;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A text to sign that is put together as its bytes in UTF-8, in memory that its thread uses for the next one, too: each attempt has one. Used
 * by one thread, which signs it before it begins another one.
 */
final class SignedText {

    private static final ThreadLocal<SignedText> OF_THREAD = ThreadLocal.withInitial(SignedText::new);

    private byte[] bytes = new byte[512];
    private int length;

    private SignedText() {}

    /** Returns the thread's text, which is empty. */
    static SignedText begin() {
        SignedText text = OF_THREAD.get();
        text.length = 0;
        return text;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns the number of its bytes. */
    int length() {
        return length;
    }

    /** Cuts it to so many bytes. */
    void cut(int to) {
        length = to;
    }

    SignedText add(char ascii) {
        ensure(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    SignedText add(CharSequence part) {
        return add(part, 0, part.length());
    }

    /** Adds the characters of a part from this index to that one. */
    SignedText add(CharSequence part, int from, int to) {
        ensure(to - from);
        byte[] target = bytes;
        int at = length;
        for (int i = from; i < to; i++) {
            char c = part.charAt(i);
            if (c >= 0x80) {
                return addEncoded(part.subSequence(from, to).toString());
            }
            target[at++] = (byte) c;
        }
        length = at;
        return this;
    }

    private SignedText addEncoded(String part) {
        byte[] encoded = part.getBytes(StandardCharsets.UTF_8);
        ensure(encoded.length);
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
        return this;
    }

    /** Adds the characters of a part from this index to that one, in lower case. */
    SignedText addLowerCase(String part, int from, int to) {
        int begin = length;
        add(part, from, to);
        if (length - begin != to - from) {
            length = begin;
            return add(part.substring(from, to).toLowerCase(Locale.ROOT));
        }
        for (int i = begin; i < length; i++) {
            byte b = bytes[i];
            bytes[i] = b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
        }
        return this;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
    }
}

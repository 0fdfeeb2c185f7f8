package io.stowline.transport.internal.xml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The names in XML: the services use few of them, so that a string is made for each once. Safe for use by many threads. */
final class XmlNames {

    private static final boolean[] NAME_CHARS = new boolean[0x80];

    static {
        for (char c = 'a'; c <= 'z'; c++) {
            NAME_CHARS[c] = true;
            NAME_CHARS[c - 'a' + 'A'] = true;
        }
        for (char c = '0'; c <= '9'; c++) {
            NAME_CHARS[c] = true;
        }
        for (char c : new char[] {'_', ':', '-', '.'}) {
            NAME_CHARS[c] = true;
        }
    }

    private static final int SLOTS = 512;
    private static final int LONGEST = 64;

    /** Each slot has a name that was read with that hash; which of several does not matter. */
    private static final @Nullable SeenName[] SEEN = new @Nullable SeenName[SLOTS];

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record SeenName(String name, byte[] bytes) {}

    private XmlNames() {}

    /** Returns the end of the name that begins here; where it begins if none does. */
    static int end(byte[] bytes, int from) {
        int i = from;
        if (i < bytes.length && (bytes[i] == '-' || bytes[i] == '.' || (bytes[i] >= '0' && bytes[i] <= '9'))) {
            return i;
        }
        while (i < bytes.length && (bytes[i] < 0 || NAME_CHARS[bytes[i]])) {
            i++;
        }
        return i;
    }

    /** Returns a name without its prefix. */
    static String name(byte[] bytes, int prefixed, int end) throws IOException {
        int from = prefixed;
        int hash = 0;
        for (int i = prefixed; i < end; i++) {
            int c = bytes[i];
            if (c < 0) {
                String name = XmlContent.decoded(bytes, prefixed, end);
                return name.substring(name.lastIndexOf(':') + 1);
            }
            hash = 31 * hash + c;
            if (c == ':') {
                from = i + 1;
                hash = 0;
            }
        }
        int slot = (hash ^ hash >>> 9 ^ hash >>> 18) & SLOTS - 1;
        SeenName seen = SEEN[slot];
        if (seen != null && Arrays.equals(seen.bytes, 0, seen.bytes.length, bytes, from, end)) {
            return seen.name;
        }
        String name = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        if (name.length() <= LONGEST) {
            SEEN[slot] = new SeenName(name, Arrays.copyOfRange(bytes, from, end));
        }
        return name;
    }
}

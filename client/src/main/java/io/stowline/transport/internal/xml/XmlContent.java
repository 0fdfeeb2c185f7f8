package io.stowline.transport.internal.xml;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A reader of what stands between the tags of XML: character data, references, CDATA sections, comments and processing instructions. Not
 * thread-safe.
 */
final class XmlContent {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final char REPLACEMENT = '\uFFFD';
    private static final boolean[] PLAIN = new boolean[0x80];

    static {
        for (char c = 0x20; c < 0x80; c++) {
            PLAIN[c] = c != '<' && c != '&' && c != '>';
        }
    }

    private static final byte[] COMMENT = ascii("<!--");
    private static final byte[] COMMENT_END = ascii("--");
    private static final byte[] CDATA = ascii("<![CDATA[");
    private static final byte[] CDATA_END = ascii("]]>");
    private static final byte[] INSTRUCTION = ascii("<?");
    private static final byte[] INSTRUCTION_END = ascii("?>");
    private static final byte[] DOCUMENT_TYPE = ascii("<!DOCTYPE");
    private static final byte[] DECLARATION = ascii("<?xml");
    private static final byte[] USUAL = ascii("<?xml version=\"1.0\" encoding=\"utf-8\"?>");

    /** The declarations of other forms than the usual one; loaded for these alone. */
    private static final class Declarations {

        private static final Pattern UTF_8 = Pattern.compile(
                "<\\?xml\\s+version\\s*=\\s*([\"'])1\\.[01]\\1(\\s+encoding\\s*=\\s*([\"'])(?i:utf-?8|us-ascii)\\3)?"
                        + "(\\s+standalone\\s*=\\s*([\"'])(yes|no)\\5)?\\s*");
    }

    private final byte[] bytes;
    private final StringBuilder text = new StringBuilder();
    private int at;

    /** Characters that XML cannot carry are taken as they are. */
    private boolean literal;

    XmlContent(byte[] bytes) {
        this.bytes = bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns whether an ASCII character stands in a text for itself and nothing else. */
    static boolean isPlain(char c) {
        return c < 0x80 && PLAIN[c];
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    static IOException fault(String fault, int at) {
        return new IOException(fault + ", at byte " + at);
    }

    int byteAt(int index) throws IOException {
        if (index >= bytes.length) {
            throw new IOException("the XML ends at byte " + bytes.length + " with an element open");
        }
        return bytes[index];
    }

    /** Returns the place of the tag that the last text ends at. */
    int end() {
        return at;
    }

    /** Passes over the declaration, comments and instructions in front of the root element, and returns its place. */
    int passProlog(int from) throws IOException {
        at = from;
        if (startsWith(USUAL)) {
            at += USUAL.length;
        } else if (startsWith(DECLARATION) && isSpace((byte) byteAt(at + DECLARATION.length))) {
            int end = find(INSTRUCTION_END, at);
            String declaration = new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
            if (!Declarations.UTF_8.matcher(declaration).matches()) {
                throw fault("the XML is not declared as XML 1.0 in UTF-8", at);
            }
            at = end + INSTRUCTION_END.length;
        }
        while (true) {
            while (isSpace((byte) byteAt(at))) {
                at++;
            }
            if (byteAt(at) != '<' || startsWith(CDATA)) {
                throw fault("no element begins", at);
            }
            if (startsWith(DOCUMENT_TYPE)) {
                throw fault("a document type is not allowed", at);
            }
            if (!passMarkup()) {
                return at;
            }
        }
    }

    /** Passes over the blanks, comments and instructions behind the root element. */
    void passEpilog(int from) throws IOException {
        at = from;
        while (true) {
            while (at < bytes.length && isSpace(bytes[at])) {
                at++;
            }
            if (at == bytes.length) {
                return;
            }
            if (bytes[at] != '<' || startsWith(CDATA) || startsWith(DOCUMENT_TYPE) || !passMarkup()) {
                throw fault("something stands behind the root element", at);
            }
        }
    }

    /** Passes over all up to the next tag, and returns its place. */
    int pass(int from) throws IOException {
        at = plain(bytes, from, bytes.length);
        if (at + 1 >= bytes.length || bytes[at] != '<' || bytes[at + 1] == '!' || bytes[at + 1] == '?') {
            at = from;
            readContent(false);
        }
        return at;
    }

    /** Reads all up to the next tag as text. */
    String text(int from, boolean literal) throws IOException {
        int plain = plain(bytes, from, bytes.length);
        if (plain + 1 < bytes.length && bytes[plain] == '<' && bytes[plain + 1] == '/') {
            at = plain;
            return new String(bytes, from, plain - from, StandardCharsets.ISO_8859_1);
        }
        at = from;
        readContent(literal);
        return text.toString();
    }

    private void readContent(boolean takesAll) throws IOException {
        literal = takesAll;
        text.setLength(0);
        do {
            int from = at;
            while (byteAt(at) != '<') {
                at++;
            }
            if (from < at) {
                append(from, at, true);
            }
        } while (passMarkup());
    }

    /** Reads the value of an attribute. */
    String value(int from, int to) throws IOException {
        literal = false;
        text.setLength(0);
        append(from, to, true);
        return text.toString();
    }

    void checkValue(int from, int to) throws IOException {
        if (plain(bytes, from, to) < to) {
            for (int i = from; i < to; i++) {
                if (bytes[i] == '<') {
                    throw fault("the value of an attribute has a <", i);
                }
            }
            String unused = value(from, to);
        }
    }

    /** Passes over a comment, an instruction or a section, and returns whether there was one. */
    private boolean passMarkup() throws IOException {
        int c = byteAt(at + 1);
        if (c != '!' && c != '?') {
            return false;
        }
        if (startsWith(COMMENT)) {
            int end = find(COMMENT_END, at + COMMENT.length);
            if (byteAt(end + 2) != '>') {
                throw fault("a comment has two hyphens in it", end);
            }
            check(at + COMMENT.length, end);
            at = end + 3;
        } else if (startsWith(CDATA)) {
            int from = at + CDATA.length;
            int end = find(CDATA_END, from);
            at = end + CDATA_END.length;
            append(from, end, false);
        } else if (startsWith(INSTRUCTION)) {
            int name = at + INSTRUCTION.length;
            int end = find(INSTRUCTION_END, name);
            int nameEnd = XmlNames.end(bytes, name);
            String target = decoded(bytes, name, nameEnd);
            if (target.isEmpty() || target.equalsIgnoreCase("xml") || (nameEnd < end && !isSpace(bytes[nameEnd]))) {
                throw fault("an instruction has no target", at);
            }
            check(nameEnd, end);
            at = end + INSTRUCTION_END.length;
        } else {
            throw fault("no tag, comment or section begins", at);
        }
        return true;
    }

    /** Demands that these are characters that XML can carry. */
    void check(int from, int to) throws IOException {
        if (plain(bytes, from, to) < to) {
            int before = text.length();
            append(from, to, false);
            text.setLength(before);
        }
    }

    private boolean startsWith(byte[] part) {
        int end = at + part.length;
        return end <= bytes.length && Arrays.equals(bytes, at, end, part, 0, part.length);
    }

    private int find(byte[] part, int from) throws IOException {
        int i = from;
        int same = 0;
        while (same < part.length) {
            same = byteAt(i + same) == part[same] ? same + 1 : 0;
            if (same == 0) {
                i++;
            }
        }
        return i;
    }

    /**
     * Appends character data.
     *
     * @param references whether an ampersand begins a reference, as it does outside of sections
     */
    private void append(int from, int to, boolean references) throws IOException {
        int run = from;
        int i = plain(bytes, from, to);
        while (i < to) {
            int c = bytes[i];
            if (c < 0) {
                i = plain(bytes, i + 1, to);
                continue;
            }
            if (run < i) {
                text.append(decode(run, i));
            }
            run = i + 1;
            if (c == '&' && references) {
                run = reference(i, to);
            } else if (c == '\r') {
                text.append('\n');
                run = i + 1 < to && bytes[i + 1] == '\n' ? i + 2 : i + 1;
            } else if (c == '>' && references && i >= from + 2 && bytes[i - 1] == ']' && bytes[i - 2] == ']') {
                throw fault("a text has the end of a section", i);
            } else {
                text.appendCodePoint(checked(c, i));
            }
            i = plain(bytes, run, to);
        }
        if (run < to) {
            text.append(decode(run, to));
        }
    }

    /** Appends the character of a reference and returns the place behind it. */
    private int reference(int from, int to) throws IOException {
        int end = from + 1;
        while (end < to && bytes[end] != ';') {
            end++;
        }
        if (end == to) {
            throw fault("a reference has no end", from);
        }
        String name = new String(bytes, from + 1, end - from - 1, StandardCharsets.ISO_8859_1);
        text.appendCodePoint(checked(codePoint(name, from), from));
        return end + 1;
    }

    private static int codePoint(String name, int from) throws IOException {
        int point =
                switch (name) {
                    case "amp" -> '&';
                    case "lt" -> '<';
                    case "gt" -> '>';
                    case "quot" -> '"';
                    case "apos" -> '\'';
                    default -> name.startsWith("#x") ? number(name, 2, 16) : number(name, 1, 10);
                };
        if (!Character.isValidCodePoint(point)) {
            throw fault("a reference stands for no character", from);
        }
        return point;
    }

    /** Returns the number of a reference, or one that is no code point. */
    private static int number(String name, int from, int radix) {
        int point = name.startsWith("#") && from < name.length() ? 0 : -1;
        for (int i = from; Character.isValidCodePoint(point) && i < name.length(); i++) {
            int digit = Character.digit(name.charAt(i), radix);
            point = digit < 0 ? -1 : point * radix + digit;
        }
        return point;
    }

    private int checked(int point, int from) throws IOException {
        boolean control = point < 0x20 && point != '\t' && point != '\n' && point != '\r';
        if (!literal && (control || (point >= 0xD800 && point < 0xE000) || point == 0xFFFE || point == 0xFFFF)) {
            throw fault("a text has a character that XML cannot carry", from);
        }
        return point;
    }

    private String decode(int from, int to) throws IOException {
        return literal ? new String(bytes, from, to - from, StandardCharsets.UTF_8) : decoded(bytes, from, to);
    }

    /**
     * Returns the text of these bytes. Bytes that are not UTF-8 leave a replacement character, and then the text does not become the same
     * bytes again.
     */
    static String decoded(byte[] bytes, int from, int to) throws IOException {
        String decoded = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (decoded.indexOf(REPLACEMENT) >= 0) {
            byte[] again = decoded.getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(again, 0, again.length, bytes, from, to)) {
                throw fault("a text is not UTF-8", from);
            }
        }
        if (decoded.indexOf('\uFFFE') >= 0 || decoded.indexOf('\uFFFF') >= 0) {
            throw fault("a text has a character that XML cannot carry", from);
        }
        return decoded;
    }

    /** Returns the position of the first byte that is not plain, or the end. */
    private static int plain(byte[] bytes, int from, int to) {
        int i = from;
        while (i + 8 <= to && special((long) EIGHT.get(bytes, i)) == 0) {
            i += 8;
        }
        while (i < to && bytes[i] >= 0 && PLAIN[bytes[i]]) {
            i++;
        }
        return i;
    }

    /**
     * A set bit means a byte that is not plain: one without high bit is too small or became zero, and borrows in the
     * subtraction.
     */
    private static long special(long eight) {
        long brackets = (eight & ~(('<' ^ '>') * ONES)) ^ ('<' * ONES);
        long references = eight ^ ('&' * ONES);
        return (eight | (eight - 0x20 * ONES) | (brackets - ONES) | (references - ONES)) & HIGH_BITS;
    }
}

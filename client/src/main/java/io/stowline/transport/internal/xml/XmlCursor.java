package io.stowline.transport.internal.xml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that goes over XML (1.0) that has arrived whole, from element to element, and makes an object of nothing but what is requested
 * (decision 485). Prefixes of names are left out. Whatever is no well-formed XML in UTF-8, and each document type, is an {@link
 * IOException} that names the place and quotes nothing. Not thread-safe.
 */
public final class XmlCursor {

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final byte[] bytes;
    private final XmlContent content;

    /** Begin and end of the names of the open elements. */
    private int[] open = new int[16];

    private int depth;
    private int at;

    /** The present element is an empty-element tag, and has not been left. */
    private boolean empty;

    public XmlCursor(byte[] bytes) {
        this.bytes = bytes;
        this.content = new XmlContent(bytes);
    }

    /** Enters the root element and returns its name. */
    public String root() throws IOException {
        int mark = BYTE_ORDER_MARK.length;
        if (bytes.length >= mark && Arrays.equals(bytes, 0, mark, BYTE_ORDER_MARK, 0, mark)) {
            at = mark;
        }
        at = content.passProlog(at);
        startTag();
        return name();
    }

    /** Enters the next element within the present one and returns whether there was one; otherwise the present one has been left. */
    public boolean next() throws IOException {
        if (empty) {
            empty = false;
            leave();
            return false;
        }
        at = content.pass(at);
        if (content.byteAt(at + 1) == '/') {
            endTag();
            return false;
        }
        startTag();
        return true;
    }

    /** Returns the name of the element that has just been entered. */
    public String name() throws IOException {
        return XmlNames.name(bytes, open[2 * depth - 2], open[2 * depth - 1]);
    }

    /** Returns an attribute of the element that has just been entered, or {@code null}. */
    public @Nullable String attribute(String name) throws IOException {
        int i = open[2 * depth - 1];
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        while (true) {
            int from = space(i);
            if (bytes[from] == '>' || bytes[from] == '/') {
                return null;
            }
            int end = XmlNames.end(bytes, from);
            int value = value(end);
            i = valueEnd(value);
            if (Arrays.equals(bytes, from, end, wanted, 0, wanted.length)) {
                return content.value(value, i - 1);
            }
        }
    }

    /** Reads the text of the present element, which has no other elements in it, and leaves the element. */
    public String text() throws IOException {
        return text(false);
    }

    /** Reads a text, as {@link #text} does, that is likely to equal this one, which is then returned instead of a new one. */
    public String again(String likely) throws IOException {
        int length = likely.length();
        if (empty || at + length + 1 >= bytes.length || bytes[at + length] != '<' || bytes[at + length + 1] != '/') {
            return text();
        }
        for (int i = 0; i < length; i++) {
            char c = likely.charAt(i);
            if (bytes[at + i] != c || !XmlContent.isPlain(c)) {
                return text();
            }
        }
        at += length;
        endTag();
        return likely;
    }

    /** Reads a text, as {@link #text} does, in which characters that XML cannot carry stand for themselves or as references. */
    public String literalText() throws IOException {
        return text(true);
    }

    private String text(boolean literal) throws IOException {
        if (empty) {
            empty = false;
            leave();
            return "";
        }
        String text = content.text(at, literal);
        at = content.end();
        if (content.byteAt(at + 1) != '/') {
            throw unexpected("an element stands where text belongs");
        }
        endTag();
        return text;
    }

    /** Passes over the present element with all that is in it. */
    public void skip() throws IOException {
        int outside = depth - 1;
        while (depth > outside) {
            next();
        }
    }

    private void startTag() throws IOException {
        int from = at + 1;
        int i = XmlNames.end(bytes, from);
        if (i == from) {
            throw unexpected("a tag has no name");
        }
        content.check(from, i);
        push(from, i);
        while (true) {
            int next = space(i);
            int c = content.byteAt(next);
            if (c == '>' || c == '/') {
                empty = c == '/';
                at = empty ? passed(next + 1, '>') : next + 1;
                return;
            }
            int end = XmlNames.end(bytes, next);
            if (next == i || end == next) {
                at = next;
                throw unexpected("a tag has no end");
            }
            content.check(next, end);
            i = valueEnd(value(end));
        }
    }

    private void push(int from, int end) {
        if (2 * depth == open.length) {
            open = Arrays.copyOf(open, 4 * depth);
        }
        open[2 * depth] = from;
        open[2 * depth + 1] = end;
        depth++;
    }

    private void endTag() throws IOException {
        int from = open[2 * depth - 2];
        int end = open[2 * depth - 1];
        int after = at + 2 + end - from;
        if (after >= bytes.length || !Arrays.equals(bytes, from, end, bytes, at + 2, after)) {
            throw unexpected("a tag ends another element than the one that is open");
        }
        at = passed(space(after), '>');
        leave();
    }

    private void leave() throws IOException {
        depth--;
        if (depth == 0) {
            content.passEpilog(at);
        }
    }

    /** Returns where the value of an attribute begins, behind its quote. */
    private int value(int nameEnd) throws IOException {
        int quote = space(passed(space(nameEnd), '='));
        int c = content.byteAt(quote);
        if (c != '"' && c != '\'') {
            at = quote;
            throw unexpected("the value of an attribute has no quote");
        }
        return quote + 1;
    }

    /** Returns the place behind the closing quote. */
    private int valueEnd(int value) throws IOException {
        int end = value;
        while (content.byteAt(end) != bytes[value - 1]) {
            end++;
        }
        content.checkValue(value, end);
        return end + 1;
    }

    private int passed(int index, char expected) throws IOException {
        if (content.byteAt(index) != expected) {
            at = index;
            throw unexpected("no " + expected + " stands where it belongs");
        }
        return index + 1;
    }

    private int space(int from) {
        int i = from;
        while (i < bytes.length && XmlContent.isSpace(bytes[i])) {
            i++;
        }
        return i;
    }

    private IOException unexpected(String fault) {
        return XmlContent.fault(fault, at);
    }
}

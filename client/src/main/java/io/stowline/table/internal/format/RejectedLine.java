package io.stowline.table.internal.format;

import io.stowline.error.internal.PrintableText;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.JsonCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A line of the file of rejected rows: the line of the row in its file, the reason and the row as it stood there; of one that is too long its
 * length and its beginning, and of one that is not UTF-8 its bytes in Base64.
 */
public final class RejectedLine {

    private static final byte[] BEGIN = "{\"Line\":".getBytes(StandardCharsets.US_ASCII);

    private RejectedLine() {}

    /** Returns the line of a row. The reason may quote a part of it that is no text. */
    public static byte[] of(FileRow row, String reason) {
        ByteBuilder line = new ByteBuilder().ascii("{\"Line\":").number(row.line());
        if (!row.isWhole()) {
            line.ascii(",\"Length\":").number(row.length());
        }
        line.ascii(",\"Reason\":").json(PrintableText.of(reason));
        if (row.isWhole() && !row.isUtf8()) {
            // as a text it could be imported, with other characters than it has
            line.ascii(",\"Bytes\":").json(Base64.getEncoder().encodeToString(row.text()));
        } else {
            line.ascii(",\"Row\":").json(row.shown());
        }
        return line.ascii("}\n").copy();
    }

    /** Returns the row of such a line, so that the file can be imported; any other row as it is. */
    static FileRow row(FileRow line) {
        byte[] text = line.text();
        if (text.length < BEGIN.length || !Arrays.equals(text, 0, BEGIN.length, BEGIN, 0, BEGIN.length)) {
            return line;
        }
        try {
            return row(line, new JsonCursor(text));
        } catch (IOException | RuntimeException other) {
            // what is no such line is read, and rejected, as it stands
            return line;
        }
    }

    private static FileRow row(FileRow line, JsonCursor json) throws IOException {
        byte[] row = null;
        String length = null;
        boolean reason = false;
        for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
            switch (json.name()) {
                case "Line" -> json.skip();
                case "Length" -> length = json.scalar();
                case "Reason" -> {
                    json.skip();
                    reason = true;
                }
                case "Row" -> row = text(line, json);
                case "Bytes" -> row = Base64.getDecoder().decode(json.string());
                default -> {
                    return line;
                }
            }
        }
        json.end();
        if (row == null || !reason) {
            return line;
        }
        return new FileRow(line.line(), row, length == null ? row.length : Long.parseLong(length));
    }

    /** A row that has been mended may stand there as an object. */
    private static byte[] text(FileRow line, JsonCursor json) throws IOException {
        int from = json.at();
        @Nullable String text = json.scalar();
        return text == null ? Arrays.copyOfRange(line.text(), from, json.at()) : text.getBytes(StandardCharsets.UTF_8);
    }
}

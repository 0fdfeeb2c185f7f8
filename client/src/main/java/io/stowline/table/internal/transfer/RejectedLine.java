package io.stowline.table.internal.transfer;

import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.json.ByteBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A line of the file of rejected rows: the line of the row in its file, the reason and the row as it stood there; of one that is too
 * long its length and its beginning. */
final class RejectedLine {

    private RejectedLine() {}

    /** Puts the rejected rows of all parts into one file, which is replaced. */
    static void collect(TransferState state, int parts, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            for (int i = 0; i < parts; i++) {
                Files.copy(state.file(i, "rejected"), out);
            }
        }
    }

    static byte[] of(FileRow row, String reason) {
        ByteBuilder line = new ByteBuilder().ascii("{\"Line\":").number(row.line());
        if (!row.isWhole()) {
            line.ascii(",\"Length\":").number(row.length());
        }
        return line.ascii(",\"Reason\":")
                .json(reason)
                .ascii(",\"Row\":")
                .json(row.shown())
                .ascii("}\n")
                .copy();
    }
}

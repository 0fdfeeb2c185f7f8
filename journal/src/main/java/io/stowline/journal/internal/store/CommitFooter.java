package io.stowline.journal.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The end of what the store wrote in one commit. A file to which is only ever appended ends with one, unless its end is torn off or was
 * never written.
 *
 * @param end where in the file it ends
 * @param length how many bytes the commit takes, this one included
 * @param version the number of the commit
 */
record CommitFooter(long end, long length, long version) {

    /** The store writes whole blocks, the first two of which are the file's header. */
    static final int BLOCK = 4096;

    /** The length of a file without a commit, in bytes. */
    static final int HEADER = 2 * BLOCK;

    private static final int LENGTH = 128;
    private static final Pattern FORM =
            Pattern.compile("^chunk:[0-9a-f]+,len:([0-9a-f]{1,8}),version:([0-9a-f]{1,15}),fletcher:[0-9a-f]+");

    /** Returns the last footer of the file; null when the file does not end with one. */
    static @Nullable CommitFooter last(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return at(channel, channel.size());
        }
    }

    /** Returns the last footer in the file, whatever comes behind it; null when there is none. */
    static @Nullable CommitFooter lastOf(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            CommitFooter found = null;
            for (long end = channel.size() / BLOCK * BLOCK; found == null && end > HEADER; end -= BLOCK) {
                found = at(channel, end);
            }
            return found;
        }
    }

    /** Returns the position at which its commit begins. */
    long begin() {
        return Math.max(HEADER, end - length);
    }

    private static @Nullable CommitFooter at(FileChannel channel, long end) throws IOException {
        if (end < HEADER + BLOCK) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        channel.read(bytes, end - LENGTH);
        Matcher found = FORM.matcher(new String(bytes.array(), StandardCharsets.ISO_8859_1));
        return found.find()
                ? new CommitFooter(end, Long.parseLong(found.group(1), 16) * BLOCK, Long.parseLong(found.group(2), 16))
                : null;
    }
}

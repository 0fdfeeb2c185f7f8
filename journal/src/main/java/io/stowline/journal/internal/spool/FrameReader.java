package io.stowline.journal.internal.spool;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A reader of the frames of one file, in a window of fixed size. Not safe for use by many threads. */
final class FrameReader {

    private static final int WINDOW = 64 * 1024;

    private final SpoolDisk.OpenFile file;
    private final FrameFormat format;
    private final long size;
    private final byte[] window;
    private long windowAt;
    private int filled;

    /**
     * Creates the reader.
     *
     * @param size how many bytes of the file count
     */
    FrameReader(SpoolDisk.OpenFile file, FrameFormat format, long size) {
        this.file = file;
        this.format = format;
        this.size = size;
        this.window = new byte[(int) Math.min(WINDOW, size)];
    }

    /** The place of an intact frame. */
    record SpoolFrame(byte kind, long position, int length) {

        long end() {
            return position + FrameFormat.OVERHEAD + length;
        }
    }

    long size() {
        return size;
    }

    /** Returns the frame at a position, or null if there is no intact one. */
    @Nullable
    SpoolFrame at(long position) throws IOException {
        if (!couldBegin(position)) {
            return null;
        }
        ByteBuffer begin = ByteBuffer.wrap(window, (int) (position - windowAt), FrameFormat.OVERHEAD)
                .slice();
        SpoolFrame frame = new SpoolFrame(begin.get(0), position, FrameFormat.length(begin));
        int checksum = FrameFormat.checksum(begin);
        format.begin(position, frame.kind(), frame.length());
        for (int done = 0; done < frame.length(); ) {
            int part = load(position + FrameFormat.OVERHEAD + done, frame.length() - done);
            format.add(window, offset(position + FrameFormat.OVERHEAD + done), part);
            done += part;
        }
        return format.checksum() == checksum ? frame : null;
    }

    /** Returns whether the kind and the length at a position are those of a frame. */
    private boolean couldBegin(long position) throws IOException {
        if (!hasBegin(position)) {
            return false;
        }
        int length = lengthAt(position);
        return length >= 0 && length <= size - position - FrameFormat.OVERHEAD;
    }

    /** Returns whether a frame begins at a position that the size cuts off, as far as it is there. */
    boolean isCutOff(long position) throws IOException {
        return size - position < FrameFormat.OVERHEAD
                || (hasBegin(position) && lengthAt(position) > size - position - FrameFormat.OVERHEAD);
    }

    private boolean hasBegin(long position) throws IOException {
        if (size - position < FrameFormat.OVERHEAD) {
            return false;
        }
        require(position, FrameFormat.OVERHEAD);
        return FrameFormat.isKind(window[offset(position)]);
    }

    private int lengthAt(long position) {
        return FrameFormat.length(
                ByteBuffer.wrap(window, offset(position), FrameFormat.OVERHEAD).slice());
    }

    /** Returns whether there are only zeros from a position on, as a file system leaves them that has lost its power. */
    boolean isZero(long position) throws IOException {
        for (long at = position; at < size; ) {
            int part = load(at, WINDOW);
            for (int i = 0; i < part; i++) {
                if (window[offset(at) + i] != 0) {
                    return false;
                }
            }
            at += part;
        }
        return true;
    }

    byte[] payload(SpoolFrame frame) throws IOException {
        byte[] payload = new byte[frame.length()];
        copy(frame, payload, 0);
        return payload;
    }

    void copy(SpoolFrame frame, byte[] into, int at) throws IOException {
        long from = frame.position() + FrameFormat.OVERHEAD;
        for (int done = 0; done < frame.length(); ) {
            int part = load(from + done, frame.length() - done);
            System.arraycopy(window, offset(from + done), into, at + done, part);
            done += part;
        }
    }

    private int offset(long position) {
        return (int) (position - windowAt);
    }

    /** Brings some of the bytes at a position into the window, at most as many as are wanted, and returns their number. */
    private int load(long position, int wanted) throws IOException {
        if (position < windowAt || position >= windowAt + filled) {
            fill(position);
        }
        return (int) Math.min(wanted, windowAt + filled - position);
    }

    private void require(long position, int length) throws IOException {
        if (position < windowAt || position + length > windowAt + filled) {
            fill(position);
        }
    }

    private void fill(long position) throws IOException {
        filled = 0;
        windowAt = position;
        int length = (int) Math.min(window.length, size - position);
        filled = file.read(position, window, 0, length);
        if (filled < length) {
            throw new EOFException("the file ends at " + (position + filled) + " and not at " + size);
        }
    }
}

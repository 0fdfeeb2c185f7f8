package io.stowline.blob.internal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the content of an upload comes from: read once, from its beginning to its end, by one thread that may block. */
interface ByteSource extends AutoCloseable {

    /** What {@link #length} says when nobody knows. */
    long UNKNOWN = -1;

    /** How much there is, if that is known before. */
    long length();

    /** The next bytes: as many as asked for unless the source ends, none at its end. They are not changed later. */
    ByteBuffer read(int most) throws IOException;

    /** How much memory these bytes keep that would be free without them. */
    default long held(ByteBuffer bytes) {
        return bytes.capacity();
    }

    @Override
    void close() throws IOException;
}

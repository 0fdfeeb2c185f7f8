package io.stowline.records.internal.format;

import java.io.IOException;
import java.io.InputStream;

/** Bytes that are stored as they are. */
final class PlainSource implements RecordSource {

    private final InputStream stored;
    private long offset;

    PlainSource(InputStream stored) {
        this.stored = stored;
    }

    @Override
    public int read(byte[] target, int from, int max) throws IOException {
        int count = stored.read(target, from, max);
        offset += Math.max(count, 0);
        return count;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public boolean plain() {
        return true;
    }

    @Override
    public long cutOff() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        stored.close();
    }
}

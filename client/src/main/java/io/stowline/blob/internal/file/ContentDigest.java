package io.stowline.blob.internal.file;

import io.stowline.blob.internal.base.Md5;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.BitSet;

/**
 * The MD5 of a file whose ranges arrive in any order, computed in the order of the content. A range whose turn it is comes from memory; the
 * others are read back from the file, by the thread that ends a range and finds them. Thread-safe.
 */
final class ContentDigest {

    private final ResumableFile file;
    private final MessageDigest md5 = Md5.begin();
    private final BitSet there;
    private int next;
    private boolean busy;

    /** Makes the digest of a file that has some of its ranges already. */
    ContentDigest(ResumableFile file) {
        this.file = file;
        this.there = file.there();
    }

    /** Begins a range; returns whether it is its turn, so that its bytes go to {@link #update} in their order. */
    synchronized boolean begins(int index) {
        if (busy || next != index) {
            return false;
        }
        busy = true;
        return true;
    }

    /** Takes the next bytes of the range whose turn it is. */
    void update(ByteBuffer bytes) {
        md5.update(bytes);
    }

    /**
     * Records that a range is in the file.
     *
     * @param updated whether it was its turn
     */
    void whole(int index, boolean updated) throws IOException {
        synchronized (this) {
            there.set(index);
        }
        if (updated) {
            ended();
        }
        advance();
    }

    /** Returns the MD5 of the whole in Base64, once all ranges are there. */
    String value() throws IOException {
        advance();
        return Base64.getEncoder().encodeToString(md5.digest());
    }

    private void advance() throws IOException {
        for (int turn = begin(); turn >= 0; turn = begin()) {
            try {
                if (!file.read(turn, md5::update)) {
                    throw new IOException("the unfinished file was cut while it was written");
                }
            } finally {
                ended();
            }
        }
    }

    private synchronized int begin() {
        if (busy || !there.get(next)) {
            return -1;
        }
        busy = true;
        return next;
    }

    private synchronized void ended() {
        busy = false;
        next++;
    }
}

package io.stowline.blob.internal.download;

import io.stowline.blob.internal.base.Md5;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The MD5 of a file whose ranges arrive in any order, computed in the order of the content. A range whose turn it is comes from memory; the
 * others are read back from the file. One of the threads that bring ranges computes while the others write. Thread-safe.
 */
final class ContentDigest {

    private final ResumableFile file;
    private final MessageDigest md5 = Md5.begin();
    private final BitSet there;
    private int next;
    private boolean busy;

    /** Of a file that has some of its ranges already. */
    ContentDigest(ResumableFile file) {
        this.file = file;
        this.there = file.there();
    }

    /**
     * A range has been written.
     *
     * @param bytes its bytes, which are not used after this
     */
    void add(int index, byte[] bytes) throws IOException {
        synchronized (this) {
            there.set(index);
        }
        advance(index, bytes);
    }

    /** The MD5 of the whole in Base64, once all ranges are there. */
    String value() throws IOException {
        advance(-1, null);
        return Base64.getEncoder().encodeToString(md5.digest());
    }

    private void advance(int index, byte @Nullable [] bytes) throws IOException {
        for (int turn = begin(); turn >= 0; turn = begin()) {
            try {
                if (turn == index && bytes != null) {
                    md5.update(bytes);
                } else if (!file.read(turn, md5::update)) {
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

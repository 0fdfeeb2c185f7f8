package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.benchmarks.side.work.Blobs;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * Content of any length: the photo's again and again, from memory outside the heap that all responses share. Only on
 * the event loop.
 */
final class StubContent {

    /** Longer than most ranges, so that they are one piece. */
    private static final int REPEATED = (8 << 20) + Blobs.SIZE;

    private final ByteBuf repeated = repeated();
    private final Map<Long, String> hashes = new HashMap<>();

    private static ByteBuf repeated() {
        ByteBuf all = Unpooled.directBuffer(REPEATED);
        while (all.isWritable()) {
            all.writeBytes(Blobs.CONTENT);
        }
        return Unpooled.unreleasableBuffer(all.asReadOnly());
    }

    /** Returns the bytes of a part, without a copy. */
    ByteBuf bytes(ByteRange range) {
        int offset = (int) (range.first() % Blobs.SIZE);
        if (offset + range.length() <= REPEATED) {
            return repeated.slice(offset, (int) range.length());
        }
        CompositeByteBuf all = Unpooled.compositeBuffer(Integer.MAX_VALUE);
        for (long at = range.first(); at <= range.last(); ) {
            int from = (int) (at % Blobs.SIZE);
            int length = (int) Math.min(REPEATED - from, range.last() + 1 - at);
            all.addComponent(true, repeated.slice(from, length));
            at += length;
        }
        return all;
    }

    /** Returns the MD5 of the content of a length, computed once. */
    String md5(long length) {
        return hashes.computeIfAbsent(length, StubContent::hash);
    }

    private static String hash(long length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            for (long left = length; left > 0; left -= Blobs.SIZE) {
                digest.update(Blobs.CONTENT, 0, (int) Math.min(left, Blobs.SIZE));
            }
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }
}

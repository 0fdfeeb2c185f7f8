package io.stowline.benchmarks.side.work;

import java.nio.ByteBuffer;
import java.util.Random;
import reactor.core.publisher.Flux;

/** The content of blobs. */
public final class Blobs {

    /** The container. */
    public static final String CONTAINER = "photos";

    /** The bytes of a small blob. */
    public static final int SIZE = 64 << 10;

    /** The content of a small blob, not to be changed. */
    public static final byte[] CONTENT = random();

    /** The MiB of a long one. */
    public static final int LONG = 64;

    private Blobs() {}

    private static byte[] random() {
        byte[] bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    public static String name(long number) {
        return "2026/photo-" + number % 1_000;
    }

    /** A long content, whose length is not known before its end. */
    public static Flux<ByteBuffer> content() {
        return Flux.range(0, (LONG << 20) / SIZE).map(i -> ByteBuffer.wrap(CONTENT));
    }
}

package io.stowline.examples.lookup;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The content of the lookup blob: too large for the memory that the program gives to the cache. */
final class Prices {

    static final int BYTES = 512 << 10;

    private Prices() {}

    static byte[] of(int version) {
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) version);
        ByteBuffer.wrap(content).putInt(version);
        return content;
    }

    /**
     * The version of a content.
     *
     * @throws IllegalStateException if it is not the whole content of one version
     */
    static int version(byte[] content) {
        int version = ByteBuffer.wrap(content).getInt();
        if (!Arrays.equals(content, of(version))) {
            throw new IllegalStateException("the prices are not those of version " + version);
        }
        return version;
    }
}

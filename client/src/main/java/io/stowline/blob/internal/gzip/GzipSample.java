package io.stowline.blob.internal.gzip;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/** A choice between compression and none, by the beginning of the content. Stateless. */
public final class GzipSample {

    /** The bytes below which content is stored as it is: a request for them costs the same either way. */
    public static final int MIN = 1 << 10;

    /** The bytes that the choice looks at. */
    public static final int SIZE = 64 << 10;

    private GzipSample() {}

    /** Returns whether compression saves at least a tenth of the sample. */
    public static boolean compresses(ByteBuffer sample) {
        int size = sample.remaining();
        if (size < MIN) {
            return false;
        }
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(sample.duplicate());
            deflater.finish();
            byte[] output = new byte[size - size / 10];
            deflater.deflate(output);
            return deflater.finished();
        } finally {
            deflater.end();
        }
    }
}
